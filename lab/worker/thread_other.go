//go:build !linux

package worker

import "time"

// threadTime is known on Linux only.
func threadTime() (used time.Duration, known bool) { return 0, false }
