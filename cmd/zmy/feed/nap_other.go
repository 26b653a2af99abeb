//go:build !linux

package feed

import "time"

func nap(d time.Duration) { time.Sleep(d) }
