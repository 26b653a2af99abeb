//go:build unix

package serve

import (
	"os"
	"syscall"
	"time"
)

// pipe opens a file descriptor from the coordinator as non-blocking. A goroutine that reads it then
// waits in the runtime's poller, not in a system call that lasts until the next command.
//
// This avoids a hang. Since Go 1.26 the runtime checks whether the world is being stopped before it
// marks a goroutine as in a system call (runtime.reentersyscall), and no longer afterwards. A
// thread that loses its processor in between goes to sleep in read with its P. Only sysmon could
// take the P away, and sysmon sleeps for up to a minute while the world is being stopped. A worker
// is prone to this: one goroutine returns to read while the other begins the command with a
// collection. Test programs that did only this, four on two processors, hung after 3,000 to 10,000
// commands with blocking descriptors; with polled ones none had after 270,000.
func pipe(fd int, name string) *os.File {
	_ = syscall.SetNonblock(fd, true) // if this fails, reads block
	f := os.NewFile(uintptr(fd), name)
	if f.SetDeadline(time.Time{}) != nil { // the poller did not accept f, so non-blocking reads would fail
		_ = syscall.SetNonblock(fd, false)
	}
	return f
}
