//go:build !linux

package load

import "syscall"

// orphan is nothing here: UntilEOF alone ends a process whose parent is gone.
func orphan() *syscall.SysProcAttr { return nil }
