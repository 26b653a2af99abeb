// Package sensitivity is the experiment that asks how the time of codecs goes with the
// shape of messages: nesting, number of fields, lists, blobs, ways to write times. It
// measures synthetic types, which the same harness builds, and fits a model to them.
//
// NOTE, the map: sensitivity.go is the experiment, design.go chooses the points,
// source.go writes types and documents, model.go fits, bend.go looks for knees, yours.go holds the models against
// the user's type, tables.go says what was found.
package sensitivity

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment is the experiment.
type Experiment struct{}

// Name is the subcommand.
func (Experiment) Name() string { return "sensitivity" }

// Static says that the subject's own contenders are not built for it.
func (Experiment) Static() {}

// Short says what it is about.
func (Experiment) Short() string {
	return "how time goes with depth, fields, lists, blobs and times, on synthetic types"
}

// few is how many codecs are measured where the user names none: each takes a build for
// every type.
const few = 3

// bench is the experiment at work on one package of synthetic types.
type bench struct {
	*experiment.Bench
	dir    string
	names  []string
	result *result
	share  time.Duration // of the budget, for one point
	left   []string      // codecs that could not carry some type
	anchor *anchor       // nil before the first type
}

// Run builds and measures one type after another, all codecs of a type interleaved.
func (Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	types := map[lab.Depth]int{lab.Quick: 6, lab.Standard: 16, lab.Paper: 40}[b.Depth]
	curves, drawn := design(b.Rand("design"), types)
	w := &bench{Bench: b, names: codecs(b), result: &result{}}
	err := w.all(ctx, curves, drawn, len(costs))
	if err == nil {
		w.result.yours, err = w.own(ctx)
	}
	return w.result.experiment(), err
}

// all measures the points of a design and the first of the ways to write fields.
func (w *bench) all(ctx context.Context, curves, drawn [][]Point, ways int) error {
	all := append(curves[:len(curves):len(curves)], drawn...)
	w.result.curves, w.result.types = len(curves), len(all)
	points := ways
	var shapes []Point
	for _, list := range all {
		points += len(list)
		shapes = append(shapes, list[0])
	}
	w.share = w.Budget() / time.Duration(points)
	dir := w.Space().Folder("synthetic") // goes with the run's own
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w.dir = dir
	defer func() {
		if w.anchor != nil {
			_ = w.anchor.opened.Close() // a temporary folder, which the next run sweeps as well
		}
	}()
	for name, text := range map[string]string{"go.mod": "module zmylab.invalid/synthetic\n\ngo 1.24\n", "types.go": packageSource(shapes)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for i, list := range all {
		var draws []func(int) ([]byte, int)
		for _, p := range list {
			draws = append(draws, func(k int) ([]byte, int) { return documents(p.document, w.Options().Seed+uint64(100*i+k)) })
		}
		w.UI.Doing(fmt.Sprintf("type %d of %d: %s", i+1, len(all)+ways, list[0].text()))
		err := w.measure(ctx, typeName(i), draws, func(k int, codec, op string, e run.Estimate, _ float64) {
			w.result.add(codec, op, Reading{Point: list[k], Type: i, Ns: e.Median}, e)
		})
		if err != nil {
			return err
		}
	}
	for k := range ways {
		w.UI.Doing(fmt.Sprintf("type %d of %d: %d fields, %s", len(all)+k+1, len(all)+ways, costFields, costs[k].title))
		draw := []func(int) ([]byte, int){func(int) ([]byte, int) { return documents(costDocument(k), w.Options().Seed) }}
		err := w.measure(ctx, costs[k].name, draw, func(_ int, codec, op string, e run.Estimate, wire float64) {
			w.result.cost(codec, op, k, e, wire)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cpu are samples in ns of CPU time.
func cpu(samples []run.Sample) []float64 {
	var out []float64
	for _, s := range samples {
		out = append(out, s.CPU)
	}
	return out
}

// codecs are those that the user named, else the first of the ranking in the report,
// else the first of the table.
func codecs(b *experiment.Bench) []string {
	if names := b.Options().Codecs; len(names) > 0 {
		return names
	}
	var names []string
	if p := b.Prior(); p != nil {
		for _, r := range p.Ranking {
			if r.Codec != run.Baseline && len(names) < few-1 {
				names = append(names, r.Codec)
			}
		}
	}
	for _, i := range b.Options().Table {
		if len(names) < few-1 && i.Name != run.Baseline {
			names = append(names, i.Name)
		}
	}
	return names
}

// reading is what one set of values of a type gave.
type reading func(k int, codec, op string, ns run.Estimate, wire float64)

// measure builds a type for all codecs and times them on each set of documents.
func (w *bench) measure(ctx context.Context, typ string, draws []func(int) ([]byte, int), found reading) error {
	o := w.Options()
	sample := filepath.Join(w.dir, typ+".ndjson")
	text, n := draws[0](0)
	if err := os.WriteFile(sample, text, 0o644); err != nil {
		return err
	}
	opened, err := lab.Open(ctx, lab.Options{Package: w.dir, Type: typ, Seed: o.Seed, Values: n, Sample: sample, Table: o.Table, Version: o.Version,
		Runtime: o.Runtime, CPUs: o.CPUs, Limits: o.Limits, Env: append(o.Env[:len(o.Env):len(o.Env)], "GOWORK=off"), Depth: o.Depth, Cap: o.Cap}, silent{})
	if err != nil {
		return err
	}
	built, err := opened.Build(ctx, w.names)
	if err != nil {
		return errors.Join(err, opened.Close())
	}
	for _, c := range opened.Run().Contenders {
		if c.Status != run.StatusMeasured && !slices.Contains(w.left, c.Name) {
			w.left = append(w.left, c.Name)
			w.Warn("not on all synthetic types: %s", lab.Sentence(c))
		}
	}
	q := opened.Values()
	if w.anchor == nil {
		w.anchor = &anchor{opened: opened, worker: built[0].Worker, values: q}
	} else {
		defer func() { _ = opened.Close() }() // a temporary folder, which the next run sweeps as well
	}
	for k, draw := range draws {
		if k > 0 {
			text, n = draw(k)
			q.N, q.Sample = n, filepath.Join(w.dir, fmt.Sprintf("%s-%d.ndjson", typ, k))
			if err = os.WriteFile(q.Sample, text, 0o644); err != nil {
				return err
			}
		}
		if err = w.time(ctx, opened, built, q, func(codec, op string, ns run.Estimate, wire float64) { found(k, codec, op, ns, wire) }); err != nil {
			return err
		}
	}
	return err
}

// anchor is the program that every type is measured beside: the baseline on the first
// type. The machine's mood changes between two types as between two runs; what a type
// takes is its time in rounds over the anchor's in the same rounds, in nanoseconds by
// what the anchor took at first.
type anchor struct {
	opened *lab.Opened
	worker *harness.Worker
	values worker.Request
	ns     float64 // 0 before the first rounds
}

// time times the codecs and the anchor in interleaved rounds.
func (w *bench) time(ctx context.Context, opened *lab.Opened, built []*lab.Built, q worker.Request, found func(codec, op string, ns run.Estimate, wire float64)) error {
	fresh := measure.Cell{Op: "encode", Mode: "fresh"}
	mark := w.anchor.opened.Lane(ctx, &lab.Built{Contender: &run.Contender{Name: anchorName}, Worker: w.anchor.worker}, w.anchor.values, []measure.Cell{fresh})
	defer mark.Close()
	lanes := []measure.Worker{mark}
	for _, c := range built {
		ln := opened.Lane(ctx, c, q, experiment.Fresh(c))
		defer ln.Close()
		lanes = append(lanes, ln)
	}
	cells, had, err := measure.Measure(ctx, lanes, measure.Config{Budget: w.share, Launches: w.Launches(), Rounds: 6, MinRounds: 2, MinBatch: 5 * time.Millisecond,
		Seed: w.Options().Seed, Values: q.N, Timeout: w.Options().Limits.Answer + 10*time.Second})
	if err != nil {
		return err
	}
	for _, d := range had.Dropped {
		w.Warn("%s broke on a synthetic type: %s, %v", d.Name, d.When, d.Err)
	}
	base := cells[0].Samples
	if w.anchor.ns == 0 {
		w.anchor.ns = experiment.Estimate(cpu(base)).Median
	}
	for _, c := range cells[1:] {
		if ns := against(c.Samples, base, w.anchor.ns); ns.N > 0 {
			found(c.Codec, c.Op, ns, c.Wire)
		}
	}
	return ctx.Err()
}

const anchorName = "anchor"

// against is the time of samples by those of the anchor in the same rounds, launches being
// clusters of rounds.
func against(list, base []run.Sample, ns float64) run.Estimate {
	launches := map[int][]float64{}
	for _, s := range list {
		for _, b := range base {
			if b.Launch == s.Launch && b.Round == s.Round && b.CPU > 0 && s.CPU > 0 {
				launches[s.Launch] = append(launches[s.Launch], math.Log(s.CPU/b.CPU*ns))
			}
		}
	}
	var clusters stats.Clusters
	for _, l := range slices.Sorted(maps.Keys(launches)) {
		clusters = append(clusters, launches[l])
	}
	x := stats.Locate(clusters, 1)
	return run.Estimate{Median: x.Point, Lo: x.Lo, Hi: x.Hi, N: x.N}
}

// silent is a UI that passes nothing on: what is said of each synthetic type would
// repeat itself, and which one is being measured is said before.
type silent struct{}

func (silent) Doing(string)                                {}
func (silent) Note(string)                                 {}
func (silent) First(*run.Contender, []*run.Cell)           {}
func (silent) Rounds(string, time.Duration, time.Duration) {}

func (p *Point) text() string {
	s := fmt.Sprintf("depth %d, %d fields", p.Depth, p.Fields)
	if p.Times > 0 {
		s += fmt.Sprintf(", %d times as %s", p.Times, p.Format)
	}
	return s
}
