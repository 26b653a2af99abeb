//go:build unix && (!linux || purego)

package cputime

import (
	"syscall"
	"time"
)

// read returns the time of the process. It does not know that of a thread.
func read(clock int) (time.Duration, bool) {
	var u syscall.Rusage
	if clock != process || syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
