package server

import "syscall"

// orphan has the kernel kill a process whose parent dies.
func orphan(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
