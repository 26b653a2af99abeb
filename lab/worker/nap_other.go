//go:build !linux

package worker

import "time"

func nap(d time.Duration) { time.Sleep(d) }

func sharpNap() {}
