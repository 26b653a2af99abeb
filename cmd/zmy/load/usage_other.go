//go:build !linux

package load

import "time"

// cpuTime is not known here.
func cpuTime(int) (time.Duration, bool) { return 0, false }

// residentSize is not known here.
func residentSize(int) (int64, bool) { return 0, false }
