//go:build unix && (!linux || purego)

package cputime

import (
	"syscall"
	"time"
)

// read returns the CPU time of the process. For the clock of a thread it returns false, because it
// is not known.
func read(clock int) (time.Duration, bool) {
	var u syscall.Rusage
	if clock != process || syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
