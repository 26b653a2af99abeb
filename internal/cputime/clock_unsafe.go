//go:build linux && !purego

package cputime

import (
	"syscall"
	"time"
	"unsafe"
)

// read returns the time of one of the kernel's clocks, in nanoseconds. The portable twin calls
// getrusage, which counts in ticks of milliseconds on many kernels.
func read(clock int) (time.Duration, bool) {
	var t syscall.Timespec
	// SAFETY: the kernel writes a timespec to the address. That address is in this function's stack
	// frame, which exists until the call returns (unsafe rule 4, conversion in the arguments of a
	// system call).
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), errno == 0
}
