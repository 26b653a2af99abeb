//go:build unix

package adopt

import (
	"os/exec"
	"syscall"
)

// group makes a command and its children die together: a test that go test runs must not go on when
// go test is stopped.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
