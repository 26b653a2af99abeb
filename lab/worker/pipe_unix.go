//go:build unix

package worker

import (
	"os"
	"syscall"
	"time"
)

// pipe opens a descriptor that the coordinator handed over so that who waits on it waits in
// the runtime's poller, and not in a system call that lasts until the next command comes.
//
// Go 1.26 looks whether the world is being stopped before it marks a goroutine as one in a
// system call (runtime.reentersyscall), no longer after. A thread that loses its processor in
// between goes to sleep in read with its P; only sysmon would take that from it, and sysmon
// sleeps for up to a minute while the world is being stopped. A worker invites it: one
// goroutine goes back to read while the other begins the command with a collection. Programs
// that did nothing else, four on two processors, hung after 3,000 to 10,000 commands with
// descriptors that block; with polled ones none had after 270,000.
func pipe(fd int, name string) *os.File {
	_ = syscall.SetNonblock(fd, true) // where that fails reads block, as they did
	f := os.NewFile(uintptr(fd), name)
	if f.SetDeadline(time.Time{}) != nil { // no poller took it: reads that do not block would fail
		_ = syscall.SetNonblock(fd, false)
	}
	return f
}
