package openloop

import (
	"syscall"
	"time"
)

// nap blocks the calling thread in the kernel for d. A signal may end it early.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // a signal is no error here: the caller looks at the clock
}

// sharpen makes the kernel wake the calling thread on time, or restores the default, with which
// Linux may wait up to 50 µs longer to wake several threads at once (PR_SET_TIMERSLACK of
// prctl(2)).
func sharpen(on bool) {
	const setTimerSlack = 29
	slack := uintptr(0) // the default
	if on {
		slack = 1 // ns
	}
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, slack, 0) // if it fails, naps are less precise
}

// ThreadTime returns the CPU time of the calling thread.
func ThreadTime() (used time.Duration, known bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &r) != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
