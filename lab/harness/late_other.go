//go:build !linux

package harness

import "time"

// waitedForProcessor is not known here.
func waitedForProcessor(int) time.Duration { return 0 }
