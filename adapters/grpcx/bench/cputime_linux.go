package main

import (
	"syscall"
	"time"
	"unsafe"
)

// processTime is the processor time of the process, user and system, to the nanosecond: getrusage counts
// in ticks of milliseconds on many kernels.
func processTime() (time.Duration, bool) {
	const clock = 2 // CLOCK_PROCESS_CPUTIME_ID, clock_gettime(2)
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
