//go:build !linux

package load

import (
	"syscall"
	"time"
)

// cpuTime is not known here.
func cpuTime(int) (time.Duration, bool) { return 0, false }

// residentSize is not known here.
func residentSize(int) (int64, bool) { return 0, false }

// orphan is nothing here: UntilEOF alone ends a process whose parent is gone.
func orphan() *syscall.SysProcAttr { return nil }
