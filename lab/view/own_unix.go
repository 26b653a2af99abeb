//go:build unix

package view

import (
	"os/exec"
	"syscall"
)

// own puts a command into a process group of its own, which ends as a whole: go tool
// leaves the viewer itself to a child.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
