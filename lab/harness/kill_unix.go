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

// lock takes a file for this process, or fails when another holds it.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
