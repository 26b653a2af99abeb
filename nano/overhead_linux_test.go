package nano_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkOverhead reports what nano takes beyond the handler by hand: the difference of the medians of
// many short rounds, by turns in random order, in CPU time of one locked thread, so that neither other
// processes nor the state of the machine matter. The goal is 1,500 ns.
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
				begin := threadTime(b)
				for range calls {
					e[i].serve(contenders[i].h)
				}
				taken[i] = append(taken[i], (threadTime(b)-begin)/calls)
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

// threadTime is what the calling thread has used so far, to the nanosecond.
func threadTime(b *testing.B) time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID of clock_gettime(2)
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		b.Fatal(errno)
	}
	return time.Duration(t.Nano())
}
