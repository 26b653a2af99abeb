//go:build !linux

package openloop

import "time"

func nap(d time.Duration) { time.Sleep(d) }

func sharpen(bool) {}

// ThreadTime reports no CPU time: it is known on Linux only.
func ThreadTime() (used time.Duration, known bool) { return 0, false }
