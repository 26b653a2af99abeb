//go:build unix

package bench

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time that the process has used, in user and system mode, on all its
// threads.
func CPUTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Switches returns how often threads of the process gave up their processor to wait, and how often
// the system took it away.
func Switches() (waited, preempted int64) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0, 0
	}
	return int64(r.Nvcsw), int64(r.Nivcsw)
}
