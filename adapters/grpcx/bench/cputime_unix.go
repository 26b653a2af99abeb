//go:build unix && !linux

package main

import (
	"syscall"
	"time"
)

// processTime is the processor time of the process, user and system.
func processTime() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
