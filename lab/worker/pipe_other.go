//go:build !unix

package worker

import "os"

// pipe opens a descriptor that the coordinator handed over; it refuses such systems before
// it starts a worker.
func pipe(fd int, name string) *os.File { return os.NewFile(uintptr(fd), name) }
