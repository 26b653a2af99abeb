//go:build !unix

package bench

import "time"

// CPUTime returns 0: CPU time is not known here. The coordinator refuses such systems before it
// starts a worker.
func CPUTime() time.Duration { return 0 }

// Switches returns 0: context switches are not known here.
func Switches() (waited, preempted int64) { return 0, 0 }
