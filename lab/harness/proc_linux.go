package harness

import "syscall"

// procAttr puts a process into its own process group, so that Ctrl-C reaches only the coordinator,
// and makes the kernel kill it when the coordinator dies.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
