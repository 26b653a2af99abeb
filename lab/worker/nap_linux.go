package worker

import (
	"syscall"
	"time"
)

// nap sleeps on the calling thread: the runtime's timers go by a poller that waits whole
// milliseconds where nothing else happens. A signal can end it early.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // whoever naps looks at the clock
}

// sharpNap has the calling thread woken when its time has come; by default Linux may take
// 50 µs longer, so as to wake several threads at once.
func sharpNap() {
	const setTimerSlack = 29                                             // PR_SET_TIMERSLACK of prctl(2)
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0) // where that fails naps are coarser
}
