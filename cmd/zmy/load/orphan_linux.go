package load

import "syscall"

// orphan has the kernel kill a process whose parent is gone. The kernel means the thread that started it: Go keeps its threads,
// but for those that a goroutine ends with locked.
func orphan() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
