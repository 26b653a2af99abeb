//go:build !unix

package worker

import "time"

// cpuTime is not known here; the coordinator refuses such systems before it starts a worker.
func cpuTime() time.Duration { return 0 }

func switches() (waited, preempted int64) { return 0, 0 }
