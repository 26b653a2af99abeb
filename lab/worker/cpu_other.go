//go:build !unix

package worker

import "time"

// cpuTime is unknown here; the coordinator refuses such systems before it
// starts a worker.
func cpuTime() time.Duration { return 0 }
