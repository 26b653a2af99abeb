// Bench counts how many calls of an echo service a second of processor time is worth, for
// protobuf-go, ZMY and JSON, and what measuring adds to a call:
//
//	go run ./bench            # unary calls
//	go run ./bench -stream    # messages of one stream both ways
//	go run ./bench -overhead  # nanoseconds that Telemetry adds, without a network
//
// Client and server are one process that speaks to itself over loopback. Processor time is the
// process's own, user and system, so that other load on the machine does not count; contenders take turns in
// shuffled order, and what is compared is the ratio within a round.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/zmylab/zmy/internal/cputime"
)

func main() {
	rounds := flag.Int("rounds", 21, "`number` of rounds")
	calls := flag.Int("calls", 2000, "`number` of calls of each contender in a round")
	callers := flag.Int("callers", 8, "`number` of goroutines that call")
	stream := flag.Bool("stream", false, "send messages over one stream for each caller, not as unary calls")
	heap := flag.Int("heap", 64, "`MiB` of memory that stay in use, as in a service: the fewer, the more often the collector runs")
	procs := flag.Int("procs", 1, "`processors` to run on, 0 for all: on one of them the collector's work, too, is in its codec's time, and no thread looks for work")
	overhead := flag.Bool("overhead", false, "measure what measuring costs")
	flag.Parse()
	if _, ok := cputime.Process(); !ok {
		fail(fmt.Errorf("this system does not tell the processor time of a process"))
	}
	if *procs > 0 {
		runtime.GOMAXPROCS(*procs)
	}
	ballast := make([]byte, *heap<<20)
	defer runtime.KeepAlive(ballast)
	var err error
	if *overhead {
		err = measureOverhead(*rounds)
	} else {
		err = measureEcho(*rounds, *calls, *callers, *stream)
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// row is the outcome for one contender on one subject.
type row struct {
	subject, codec string
	bytes          int
	perSecond      []float64 // calls for a second of processor time, by round
}

// report prints medians, and the ratio to the first contender of the subject, round by round.
func report(rows []*row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "subject\tcodec\tbytes\tcalls / CPU s\tµs of CPU\tratio\tinterval 95%\t")
	var base *row
	for _, r := range rows {
		if base == nil || base.subject != r.subject {
			base = r
		}
		var ratios []float64
		for i := range r.perSecond {
			ratios = append(ratios, r.perSecond[i]/base.perSecond[i])
		}
		low, high := interval(ratios)
		per := median(r.perSecond)
		fmt.Fprintf(w, "%s\t%s\t%d\t%.0f\t%.1f\t%.2f\t%.2f–%.2f\t\n", r.subject, r.codec, r.bytes, per, 1e6/per, median(ratios), low, high)
	}
	_ = w.Flush() // to the standard output
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	if n == 0 {
		return math.NaN()
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// interval is that of the median by bootstrap, seeded.
func interval(x []float64) (low, high float64) {
	r := rand.New(rand.NewPCG(1, 1))
	medians := make([]float64, 1000)
	draw := make([]float64, len(x))
	for i := range medians {
		for j := range draw {
			draw[j] = x[r.IntN(len(x))]
		}
		medians[i] = median(draw)
	}
	slices.Sort(medians)
	return medians[25], medians[974]
}
