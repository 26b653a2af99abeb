// Package goals holds what the project wants to reach, as data, and judges runs
// of the lab by it. One file a theme; a goal is one line:
//
//   - {subject: order-lite, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 1.5}
//
// reads: on subject order-lite, decoding with zmy in mode fresh takes at most
// 1/1.5 of the time that msgp takes. What codecs on a subject cannot show is measured by
// benchmarks of a package:
//
//   - {bench: nano, ours: BenchmarkHandle/nano, minus: BenchmarkHandle/bare, metric: allocs/op, most: 3}
//
// NOTE, the map: goals.go is the model, parse.go its reader, eval.go judges a goal by a run
// of the lab and bench.go one by benchmarks, main.go has measured what the goals need and prints
// them.
package goals

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.yaml
var built embed.FS

// Goal is one thing to reach, on a Subject or by benchmarks of a package. Exactly one of
// Than, Floor and Minus names what it is compared with, or none: then Most bounds the
// metric itself.
type Goal struct {
	Subject string   `yaml:"subject"` // folder name of a built-in subject
	Bench   string   `yaml:"bench"`   // or the folder of a package in the project: nano, adapters/ginx
	Op      string   `yaml:"op"`      // encode | decode | access; none for start-up and code-size
	Metric  string   `yaml:"metric"`  // see Metrics; time when empty
	Variant string   `yaml:"variant"` // of the subject's input: shuffled | indented | …
	Env     []string `yaml:"env"`     // of the build: GOEXPERIMENT=jsonv2
	Ours    Side     `yaml:"ours"`
	Than    Side     `yaml:"than"`
	Floor   string   `yaml:"floor"` // memcpy | slab: what nobody can avoid
	// Minus is a benchmark of which the figure is taken off that of Ours.
	Minus Side `yaml:"minus"`
	// Least is the least Than ÷ Ours: above 1 ours is faster, smaller, leaner.
	Least float64 `yaml:"least"`
	// Most is the most Ours ÷ Than, with Minus the most Ours − Minus, or without any of
	// them the most that the metric itself may be (ns, bytes, allocs).
	Most *float64 `yaml:"most"`
	// How a benchmark of Ours is run: for how long (1x, as go test -benchtime; by default
	// a share of the budget), how many times (10), and whether on all processors.
	Benchtime string `yaml:"benchtime"`
	Rounds    int    `yaml:"rounds"`
	Free      bool   `yaml:"free"`
	// Accepted says why a miss is accepted: the reason, the figure, the date.
	Accepted string `yaml:"accepted"`
	Note     string `yaml:"note"`

	File string `yaml:"-"`
	Line int    `yaml:"-"`
}

// Side is a cell of a run, spelled codec/mode, or codec/op/mode where the op
// differs from the goal's. The codec "fastest" stands for whichever ranked
// contender, ours apart, is fastest there. Of a goal by benchmarks it is a benchmark, whose
// name is in Codec.
type Side struct{ Codec, Op, Mode string }

// Fastest stands for the fastest ranked contender that is not ours.
const Fastest = "fastest"

// Metrics that a goal may name. Those with false are named already and wait
// for the experiment that measures them.
var Metrics = map[string]bool{
	"time":       true,  // ns/op on the run's clock
	"bytes":      true,  // B/op allocated
	"allocs":     true,  // allocations/op
	"wire":       true,  // mean bytes of a message
	"first-call": true,  // ns of the first call in a process
	"start-up":   true,  // ns that a program with the code of all types takes longer than an empty one
	"scaling":    true,  // throughput of two goroutines ÷ that of one
	"code-size":  false, // bytes of machine code
}

// whole are the metrics of whole programs, which have no op.
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

// Of is what the goal is about: the name of the subject, or the folder of the package as
// Go spells it, ./nano.
func (g *Goal) Of() string {
	if g.Bench != "" {
		return "./" + g.Bench
	}
	return g.Subject
}

// String spells the goal: "decode zmy/fresh ≥ 1.5× msgp/fresh".
func (g *Goal) String() string {
	if g.Bench != "" {
		return g.benchString()
	}
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
	if len(g.Env) > 0 {
		s += ", " + strings.Join(g.Env, " ")
	}
	return s
}

var units = map[string]string{"time": "ns", "bytes": "B", "allocs": "allocs", "wire": "B", "first-call": "ns", "start-up": "ns",
	"code-size": "B"}
