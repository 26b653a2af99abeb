//go:build !linux

package openloop

import "time"

func nap(d time.Duration) { time.Sleep(d) }

func sharpen(bool) {}

func threadTime() (used time.Duration, known bool) { return 0, false }
