package feed

import (
	"syscall"
	"time"
)

// nap sleeps for less than two milliseconds by the kernel's timers, or until a signal comes.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // it fails when a signal ends it
}
