package server

import "syscall"

// orphan makes the kernel kill a process when its parent dies.
func orphan(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
