package worker

import (
	"syscall"
	"time"
)

// threadTime is the CPU time of the calling thread.
func threadTime() (used time.Duration, known bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &r) != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
