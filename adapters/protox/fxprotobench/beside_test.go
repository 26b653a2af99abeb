package fxprotobench

import (
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkBeside measures fxproto beside each peer, by turns of 3 ms, so that
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
		x, y := turn(b, ours, n), turn(b, theirs, m) // and in the other order, since a turn leaves work to the next
		y, x = y+turn(b, theirs, m), x+turn(b, ours, n)
		ratios, ns = append(ratios, y/x), append(ns, x/2)
	}
	slices.Sort(ratios)
	slices.Sort(ns)
	b.ReportMetric(ratios[len(ratios)/2], "x")
	b.ReportMetric(ns[len(ns)/2], "our-ns")
}

// perTurn returns how many calls take 3 ms.
func perTurn(b *testing.B, f func() error) int {
	turn(b, f, 2000)
	return max(1, int(3e6/turn(b, f, 2000)))
}

// turn returns the time of a call in ns, as the mean of n calls. It is processor time of the whole process,
// with the garbage collector's.
func turn(b *testing.B, f func() error, n int) float64 {
	start := cpuTime(b)
	for range n {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	return float64(cpuTime(b)-start) / float64(n)
}

func cpuTime(b *testing.B) time.Duration {
	t, ok := cputime.Process()
	if !ok {
		b.Skip("this system does not tell the processor time of a process")
	}
	return t
}
