// Package goals has the project's goals as data, and judges runs of the lab by them. Each topic has
// a file, and a goal is one line:
//
//   - {subject: order-lite, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 1.5}
//
// reads: on subject order-lite, decoding with zmy in mode fresh takes at most 1/1.5 of the time of
// msgp. What no run of the lab on a subject can show is measured by benchmarks of a package:
//
//   - {bench: nano, ours: BenchmarkHandle/nano, minus: BenchmarkHandle/bare, metric: allocs/op, most: 3}
//
// NOTE, the map: goals.go is the model, parse.go reads goals, eval.go judges a goal by a run of the
// lab, bench.go judges a goal by benchmarks, and main.go has the measurements made and prints the
// verdicts.
package goals

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.yaml
var built embed.FS

// Goal is one goal, on a Subject or by benchmarks of a package. At most one of Than, Floor and
// Minus is set and is what Ours is compared with. If none is set, Most bounds the metric itself.
type Goal struct {
	Subject string `yaml:"subject"` // folder name of a subject in examples
	Bench   string `yaml:"bench"`   // or the folder of a package in the project: nano, adapters/ginx
	// Criterion is the folder of a Rust crate whose benchmarks criterion has run: rust/bench.
	Criterion string   `yaml:"criterion"`
	Op        string   `yaml:"op"`      // encode, decode or access; none for start-up and code-size
	Metric    string   `yaml:"metric"`  // one of Metrics; empty for time
	Variant   string   `yaml:"variant"` // form of the subject's input: shuffled, indented, …; or Streams
	Env       []string `yaml:"env"`     // environment of the build: GOEXPERIMENT=jsonv2
	Ours      Side     `yaml:"ours"`
	Than      Side     `yaml:"than"`
	Floor     string   `yaml:"floor"` // memcpy or slab: costs that no codec can avoid
	// Minus is a benchmark whose figure is subtracted from that of Ours.
	Minus Side `yaml:"minus"`
	// Least is the lower bound of Than ÷ Ours. Above 1, ours must be faster or smaller.
	Least float64 `yaml:"least"`
	// Most is the upper bound of Ours ÷ Than, or of Ours − Minus if Minus is set. If neither Than,
	// Floor nor Minus is set, it bounds the metric itself (ns, bytes, allocs).
	Most *float64 `yaml:"most"`
	// These say how the goal's benchmarks are run. Benchtime is as in go test -benchtime (1x), by
	// default a share of the budget. Rounds is the number of processes for each benchmark, by
	// default 10. If Free is set, they run on all processors.
	Benchtime string `yaml:"benchtime"`
	Rounds    int    `yaml:"rounds"`
	Free      bool   `yaml:"free"`
	// Accepted says why a miss is accepted: reason, figure and date.
	Accepted string `yaml:"accepted"`
	Note     string `yaml:"note"`

	File string `yaml:"-"`
	Line int    `yaml:"-"`
}

// Side is a cell of a run, written codec/mode, or codec/op/mode if its op differs from the goal's.
// The codec "fastest" is the fastest ranked contender except ours. In a goal by benchmarks a Side
// is a benchmark, whose name is in Codec.
type Side struct{ Codec, Op, Mode string }

// Fastest means the fastest ranked contender except ours.
const Fastest = "fastest"

// Metrics are the metrics that a goal may name. The value false means that the metric is not
// measured yet.
var Metrics = map[string]bool{
	"time":       true,  // ns/op on the run's clock
	"bytes":      true,  // B/op allocated
	"allocs":     true,  // allocations/op
	"wire":       true,  // mean bytes of a message
	"first-call": true,  // ns of the first call in a process
	"start-up":   true,  // ns by which a program with the code of all types starts more slowly than an empty one
	"scaling":    true,  // throughput of two goroutines ÷ throughput of one
	"code-size":  false, // bytes of machine code
}

// whole reports whether a metric is about whole programs and so has no op.
func whole(metric string) bool { return metric == "start-up" || metric == "code-size" }

var floors = []string{"memcpy", "slab"}

func (s Side) isBenchmark() bool { return strings.HasPrefix(s.Codec, "Benchmark") }

func (s Side) String() string {
	if s.isBenchmark() {
		return s.Codec
	}
	if s.Op != "" {
		return s.Codec + "/" + s.Op + "/" + s.Mode
	}
	return s.Codec + "/" + s.Mode
}

// Of returns the subject of the goal, or the folder of its package in Go's form: ./nano.
func (g *Goal) Of() string {
	if folder := g.Bench + g.Criterion; folder != "" {
		return "./" + folder
	}
	return g.Subject
}

// String formats the goal: "decode zmy/fresh ≥ 1.5× msgp/fresh".
func (g *Goal) String() string {
	s := g.subjectString
	if g.Bench != "" {
		s = g.benchString
	}
	if len(g.Env) > 0 {
		return s() + ", " + strings.Join(g.Env, " ")
	}
	return s()
}

// subjectString formats a goal on a subject, without its environment.
func (g *Goal) subjectString() string {
	what := strings.TrimSpace(g.Op + " " + g.Ours.String())
	if g.Metric != "time" {
		what = strings.TrimSpace(g.Op + " " + g.Metric + " " + g.Ours.String())
	}
	other := g.Than.String()
	if g.Floor != "" {
		other = "floor " + g.Floor
	}
	var bound string
	switch {
	case g.Metric == "scaling" && g.Least != 0:
		bound = fmt.Sprintf("≥ %g", g.Least)
	case g.Least != 0:
		bound = fmt.Sprintf("≥ %g× %s", g.Least, other)
	case g.Than == (Side{}) && g.Floor == "":
		bound = "≤ " + number(*g.Most) + " " + units[g.Metric]
	default:
		bound = fmt.Sprintf("≤ %g of %s", *g.Most, other)
	}
	s := what + " " + bound
	if g.Variant != "" {
		s += ", " + g.Variant
	}
	return s
}

var units = map[string]string{"time": "ns", "bytes": "B", "allocs": "allocs", "wire": "B", "first-call": "ns", "start-up": "ns",
	"code-size": "B"}
