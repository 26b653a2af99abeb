//go:build unix

package load

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// processTime returns the user and system time of the process and its context switches, 0 if the
// system does not tell.
func processTime() (cpu time.Duration, voluntary, involuntary int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Nvcsw), int64(u.Nivcsw)
}

// residentBytes returns the resident memory of the process, read from /proc/self/statm (see
// proc_pid_statm(5)). It returns 0 on systems without that file.
func residentBytes() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
