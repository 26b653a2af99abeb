//go:build unix

package harness

import (
	"errors"
	"os"
	"syscall"
)

// killGroup kills a process and the children that it started.
func killGroup(pid int) error {
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// askStacks makes a Go program print the stacks of its goroutines and exit.
func askStacks(pid int) error { return syscall.Kill(pid, syscall.SIGQUIT) }

// lock locks a file for this process. It fails if another process holds the lock.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
