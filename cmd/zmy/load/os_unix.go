//go:build unix

package load

import (
	"os"
	"syscall"
)

// openFiles returns how many files a process may open, or 0 if there is no limit. The Go runtime
// has raised the soft limit to the hard limit at start-up, in this process and in the server's.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}

// interrupt asks a process to end.
func interrupt(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
