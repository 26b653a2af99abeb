package fxprotobench

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkBeside measures fxproto beside each peer, by turns of a quarter of a millisecond, so that
// both meet the same machine. x is how many times as long the peer takes: the median of all turns.
func BenchmarkBeside(b *testing.B) {
	for _, op := range []struct {
		name  string
		calls func(*subject) []call
	}{{"append", appends}, {"marshal", marshals}, {"unmarshal", unmarshals}, {"reuse", reuses}} {
		for _, s := range subjects(b) {
			calls := op.calls(s)
			for _, peer := range calls[1:] {
				b.Run(op.name+"/"+s.name+"/"+peer.name, func(b *testing.B) { beside(b, calls[0].f, peer.f) })
			}
		}
	}
}

func beside(b *testing.B, ours, theirs func() error) {
	var ratios, ns []float64
	n, m := perTurn(b, ours), perTurn(b, theirs)
	for b.Loop() {
		x, y := turn(b, ours, n), turn(b, theirs, m)
		ratios, ns = append(ratios, y/x), append(ns, x)
	}
	slices.Sort(ratios)
	slices.Sort(ns)
	b.ReportMetric(ratios[len(ratios)/2], "x")
	b.ReportMetric(ns[len(ns)/2], "our-ns")
}

// perTurn returns how many calls take a quarter of a millisecond.
func perTurn(b *testing.B, f func() error) int {
	turn(b, f, 100)
	return max(1, int(250e3/turn(b, f, 100)))
}

// turn returns the time of a call in ns, as the mean of n calls.
func turn(b *testing.B, f func() error, n int) float64 {
	start := time.Now()
	for range n {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}
