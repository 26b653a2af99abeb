//go:build unix

package load

import (
	"syscall"
	"time"
)

// processTime is the processor time of the process, user and system; 0 where it is not told.
func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
