//go:build !linux

package load

import (
	"syscall"
	"time"
)

// cpuTime is unknown on this system.
func cpuTime(int) (time.Duration, bool) { return 0, false }

// residentSize is unknown on this system.
func residentSize(int) (int64, bool) { return 0, false }

// orphan has no effect on this system: only UntilEOF ends a child whose parent has died.
func orphan() *syscall.SysProcAttr { return nil }
