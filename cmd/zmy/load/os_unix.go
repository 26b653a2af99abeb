//go:build unix

package load

import (
	"os"
	"syscall"
)

// openFiles is how many files a process may open, 0 if there is no limit. The Go runtime has raised
// the soft limit to the hard one when the program began, and so has the server's.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}

// interrupt asks a process to end.
func interrupt(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
