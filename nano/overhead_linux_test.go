package nano_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkOverhead reports what nano takes beyond the handler by hand: the difference of the
// medians of many short rounds, by turns in random order, in CPU time of one locked thread, so that
// neither other processes nor the state of the machine matter. The goal is 1,500 ns.
func BenchmarkOverhead(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const calls, rounds = 200, 300
	var e [2]*exchanges
	for i := range contenders {
		e[i] = newExchanges(b, posted, "Content-Type", "application/json", "Accept", "application/json")
	}
	var taken [2][]time.Duration
	for b.Loop() {
		for range rounds {
			first := rand.IntN(2)
			for _, i := range []int{first, 1 - first} {
				begin, _ := cputime.Thread()
				for range calls {
					e[i].serve(contenders[i].h)
				}
				end, _ := cputime.Thread()
				taken[i] = append(taken[i], (end-begin)/calls)
			}
		}
	}
	var median [2]float64
	for i := range taken {
		slices.Sort(taken[i])
		median[i] = float64(taken[i][len(taken[i])/2])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median[0], "bare-ns")
	b.ReportMetric(median[1], "nano-ns")
	b.ReportMetric(median[1]-median[0], "extra-ns")
}
