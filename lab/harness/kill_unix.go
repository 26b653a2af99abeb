//go:build unix

package harness

import (
	"errors"
	"os"
	"syscall"
)

// killGroup kills a process and the children it started.
func killGroup(pid int) error {
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// askStacks has a Go program print the stacks of its goroutines and end.
func askStacks(pid int) error { return syscall.Kill(pid, syscall.SIGQUIT) }

// lock takes a file for this process, or fails when another holds it.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
