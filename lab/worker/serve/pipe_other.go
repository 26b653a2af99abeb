//go:build !unix

package serve

import "os"

// pipe opens a file descriptor from the coordinator, which refuses such systems before it starts a
// worker.
func pipe(fd int, name string) *os.File { return os.NewFile(uintptr(fd), name) }
