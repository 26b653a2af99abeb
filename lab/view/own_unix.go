//go:build unix

package view

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group of its own. Cancelling kills the whole group, since go tool
// runs the viewer as a child process.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
