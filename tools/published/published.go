// Package published measures what docs/results/claims.yaml compares with published figures and no
// run of the lab shows: benchmarks of this project, and names in the releases of other modules.
//
// NOTE, the map: published.go runs the benchmarks and makes their tables, releases.go looks for the
// names.
package published

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/tools/gobench"
)

// Group is a table: benchmarks of one package that are compared with the first of them.
type Group struct {
	Title string
	Dir   string // folder of the package, relative to the clone
	Note  string
	Lines []Line
}

// Line is one benchmark of a group.
type Line struct {
	What string // heading of its row
	Name string // BenchmarkServe/sendfile
}

// Groups lists the benchmarks that claims name.
var Groups = []Group{
	{"Serving a file of 8 MiB", "httpfile",
		"To a client on the same machine, which reads and discards it; memory is that of both sides.",
		[]Line{{"read and write", "BenchmarkServe/read"}, {"sendfile", "BenchmarkServe/sendfile"}}},
	{"A fallback from gob to JSON, marshal", "codec",
		"A message of four fields; gob refuses it if its dynamic field has an unknown type.",
		[]Line{{"gob", "BenchmarkFallback/gob"}, {"gob, with a fallback", "BenchmarkFallback/gob-in-fallback"}}},
	{"The fallback is used, marshal", "codec",
		"The same message, which gob refuses.",
		[]Line{{"JSON", "BenchmarkFallback/json"}, {"JSON, after gob has refused", "BenchmarkFallback/json-in-fallback"}}},
	{"1,024 floats below 1000, marshal", "fxjson",
		"All digits that a float needs, or two decimals.",
		[]Line{{"encoding/json", "BenchmarkDecimals/encoding-json"},
			{"encoding/json, own MarshalJSON", "BenchmarkDecimals/encoding-json-own"},
			{"fxjson", "BenchmarkDecimals/fxjson"}, {"fxjson, decimals=2", "BenchmarkDecimals/fxjson-decimals"}}},
	{"A buffer from a pool and back", "codec",
		"Get and Release together, by a goroutine on each processor.",
		[]Line{{"64 B", "BenchmarkPool/64"}, {"4 KiB", "BenchmarkPool/4096"}, {"1 MiB", "BenchmarkPool/1048576"}}},
}

// Options of a measurement.
type Options struct {
	Root   string        // the clone of the project
	Budget time.Duration // for all benchmarks together
	Rounds int           // processes of each benchmark
	Doing  func(string)  // shows progress
}

// Measure runs the benchmarks of the groups, each group by turns, and returns their tables.
func Measure(ctx context.Context, groups []Group, o Options) (*run.Experiment, error) {
	x := &run.Experiment{Name: "benchmarks", Title: "Benchmarks of this project",
		Question: "What do the parts of this project cost that no codec's table shows?"}
	n := 0
	for _, g := range groups {
		n += len(g.Lines)
	}
	for _, g := range groups {
		plan := gobench.Plan{Dir: filepath.Join(o.Root, g.Dir), Budget: o.Budget * time.Duration(len(g.Lines)) / time.Duration(n), Seed: 1,
			Doing: o.Doing}
		for _, l := range g.Lines {
			plan.Benchmarks = append(plan.Benchmarks, gobench.Benchmark{Name: l.Name, Rounds: o.Rounds})
		}
		var text bytes.Buffer
		if err := gobench.Run(ctx, plan, &text); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Dir, err)
		}
		results, err := gobench.Read(&text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.Dir, err)
		}
		t, err := g.table(results)
		if err != nil {
			return nil, err
		}
		x.Tables = append(x.Tables, t)
	}
	return x, nil
}

// table makes the table of a group. Times are medians over the rounds; ratios are those of the same
// round. Both have 95% intervals.
func (g *Group) table(r *gobench.Results) (run.Table, error) {
	t := run.Table{Title: g.Title, Note: g.Note + " Package " + g.Dir + "."}
	var first []float64
	for i, l := range g.Lines {
		var figures [3][]float64
		for k, unit := range []string{"ns/op", "B/op", "allocs/op"} {
			var why string
			if figures[k], why = r.Of(l.Name, unit); why != "" {
				return t, fmt.Errorf("%s: %s", g.Dir, why)
			}
		}
		ns := figures[0]
		if i == 0 {
			first = ns
		}
		ratio := run.Text("–")
		if i > 0 {
			ratio = run.Est(located(ns, first))
		}
		t.Add(run.Text(l.What).Under("benchmark", ""), run.Est(located(ns, nil)).Under("time", run.UnitNS),
			ratio.Under("÷ the first", run.UnitTimes), run.Num(stats.Median(figures[1])).Under("allocated", run.UnitBytes),
			run.Num(stats.Median(figures[2])).Under("allocs", ""))
	}
	return t, nil
}

// located estimates the values, or their ratios to those of the same rounds in base.
func located(values, base []float64) run.Estimate {
	logs := make([]float64, 0, len(values))
	for i, v := range values {
		if base != nil {
			v /= base[i]
		}
		logs = append(logs, math.Log(v))
	}
	return experiment.Located(stats.Locate(stats.Clusters{logs}, 1))
}
