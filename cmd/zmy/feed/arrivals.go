package feed

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"
)

// Arrivals yields when something is due, since the beginning and before end: at random times, rate a second (a Poisson
// process), the same ones for the same seed.
func Arrivals(rate float64, end time.Duration, seed uint64) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		r := rand.New(rand.NewPCG(seed, 0x6c6f6164)) // "load"
		gap := float64(time.Second) / rate
		for at := gap * r.ExpFloat64(); at < float64(end); at += gap * r.ExpFloat64() {
			if !yield(time.Duration(at)) {
				return
			}
		}
	}
}

// coarse is how late a timer of Go can be where nothing else runs: its poller waits for whole milliseconds.
const coarse = 1500 * time.Microsecond

// sleep sleeps until due, to some 100 µs and without spinning, which would be counted as the server's processor time. It
// reports whether ctx still lives.
func sleep(ctx context.Context, due time.Time) bool {
	if rest := time.Until(due) - coarse; rest > 0 {
		t := time.NewTimer(rest)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return false
		}
	}
	for rest := time.Until(due); rest > 0; rest = time.Until(due) { // signals of the runtime wake it up early
		nap(rest)
	}
	return ctx.Err() == nil
}
