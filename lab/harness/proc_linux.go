package harness

import "syscall"

// procAttr puts a process into a group of its own, so that Ctrl-C reaches the
// coordinator first, and lets the kernel kill it when the coordinator dies.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
