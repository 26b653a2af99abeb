//go:build !linux

package load

func newSleeper() sleeper { return newTimerSleeper() }
