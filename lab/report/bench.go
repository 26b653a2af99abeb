package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Bench writes the run in the Go benchmark data format, one line per round, so
// that benchstat can compare runs and codecs:
//
//	benchstat -col /codec -filter '/op:decode' bench.txt
//
// benchstat takes all rounds as independent, but rounds of one launch are not; the intervals of
// run.json take that into account.
func Bench(w io.Writer, r *run.Run) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\npkg: %s\n", clean(r.Host.OS), clean(r.Host.Arch), clean(r.Subject.Package))
	if r.Host.CPU != "" {
		fmt.Fprintf(b, "cpu: %s\n", clean(r.Host.CPU))
	}
	fmt.Fprintf(b, "# wire-bytes: mean over %s; ns/op: mean over each round's batch, %s time\n", plural(r.Subject.Values, "value"), clock(r))
	time := stats.SampleTime(r.Clock)
	for _, c := range r.Cells {
		name := benchName(r, c)
		samples := c.Samples
		if len(samples) == 0 && at(r, c) > 0 { // a run.json without raw samples
			samples = []run.Sample{{N: 1, Wall: c.Wall.Median, CPU: c.CPU.Median}}
		}
		for _, s := range samples {
			ns := time(s)
			if ns <= 0 {
				continue
			}
			fmt.Fprintf(b, "%s %d %s ns/op %s B/op %s allocs/op %s wire-bytes", name, max(s.N, 1),
				plain(ns), plain(c.Bytes), plain(c.Allocs), plain(c.Wire))
			if c.Instrs > 0 {
				fmt.Fprintf(b, " %s Ir/op", plain(c.Instrs))
			}
			b.WriteByte('\n')
		}
	}
	return b.Flush()
}

// benchName returns the benchmark name of a cell with its keys. It ends in GOMAXPROCS, as in go
// test.
func benchName(r *run.Run, c *run.Cell) string {
	name := "BenchmarkLab/type=" + part(r.Subject.Type) + "/op=" + part(c.Op) + "/codec=" + part(c.Codec) + "/mode=" + part(c.Mode)
	if !c.Rank {
		name += "/rank=none"
	}
	return name + "-" + itoa(procs(r.Host))
}

// procs returns the workers' GOMAXPROCS. If it is unknown, it returns the default.
func procs(h run.Host) int {
	if h.Procs > 0 {
		return h.Procs
	}
	return max(h.Cores, 1)
}

// part returns s with _ in place of the characters that have a meaning in a benchmark name. For an
// empty s it returns "none".
func part(s string) string {
	return cmp.Or(strings.NewReplacer("/", "_", "=", "_", " ", "_").Replace(clean(s)), "none")
}

// plain spells a number without an exponent, to a thousandth.
func plain(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
