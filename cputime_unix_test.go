//go:build unix

package zmy_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used so far on all its threads.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
