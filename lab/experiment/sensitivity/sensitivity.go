// Package sensitivity is the experiment that asks how the time of codecs depends on the shape of
// messages: nesting, number of fields, lists, blobs, formats of times. It measures synthetic types,
// built by the same harness as the user's, and fits a model to the times.
//
// The design has two parts. In the curves one factor varies and the others stay constant, which
// shows bends. The other types vary all factors at once, so a few types are enough to tell the
// factors' effects apart. A type needs a program for each codec. So each of the other types is
// measured on several sets of values, in which the lengths of lists and blobs vary without another
// build.
//
// NOTE, the map: sensitivity.go is the experiment, design.go chooses the points, source.go writes
// types and documents, which package synthetic builds and times, model.go fits, bend.go looks for
// knees, yours.go compares the models with the user's type, tables.go writes the findings.
package sensitivity

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment measures synthetic types and fits models to their times.
type Experiment struct{}

// About describes the experiment, which builds its contenders itself.
func (Experiment) About() experiment.About {
	return experiment.About{Name: "sensitivity", Static: true,
		Short: "how time goes with depth, fields, lists, blobs and times, on synthetic types"}
}

// few is how many codecs are measured if the user names none. It is small since each codec takes a
// build for every type.
const few = 3

// bench is a run of the experiment, on one package of synthetic types.
type bench struct {
	*experiment.Bench
	types  *synthetic.Package
	names  []string
	result *result
	share  time.Duration // share of the budget for one point; knees take often as much
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
	return w.result.experiment(err)
}

// often is how many shares of the budget a point takes that is compared at a knee. A slope is a small
// difference of large times.
const often = 8

// all measures the points of the design. It also measures optional fields, written in as many ways
// as the argument ways says.
func (w *bench) all(ctx context.Context, curves, drawn [][]Point, ways int) error {
	all := append(curves[:len(curves):len(curves)], drawn...)
	w.result.curves, w.result.types = len(curves), len(all)
	shares := ways
	var shapes []Point
	for i, list := range all {
		shares += len(list) * w.result.shares(i, list)
		shapes = append(shapes, list[0])
	}
	w.share = w.Budget() / time.Duration(shares)
	var err error
	if w.types, err = synthetic.New(w.Bench, source(shapes)); err != nil {
		return err
	}
	defer w.types.Close()
	for i, list := range all {
		var sets []synthetic.Documents
		for k := range list {
			sets = append(sets, synthetic.Draw(list[k].Document, w.Options().Seed+uint64(100*i+k)))
		}
		w.UI.Doing(fmt.Sprintf("type %d of %d: %s", i+1, len(all)+ways, list[0].Text()))
		err := w.measure(ctx, typeName(i), sets, w.result.shares(i, list), func(k int, x synthetic.Reading) {
			l := w.result.line(x.Codec, x.Op)
			l.Readings = append(l.Readings, Reading{list[k], i, x.NS.Median, x.NS})
		})
		if err != nil {
			return err
		}
	}
	for k := range ways {
		w.UI.Doing(fmt.Sprintf("type %d of %d: %d fields, %s", len(all)+k+1, len(all)+ways, costFields, costs[k].title))
		set := []synthetic.Documents{synthetic.Draw(costDocument(k), w.Options().Seed)}
		err := w.measure(ctx, costs[k].name, set, 1, func(_ int, x synthetic.Reading) {
			l := w.result.line(x.Codec, x.Op)
			l.costs = append(l.costs, cost{k, x.NS, x.Wire})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// codecs returns the codecs that the user named. If there are none, it takes them from the ranking
// of the report, then from the table.
func codecs(b *experiment.Bench) []string {
	if names := b.Options().Codecs; len(names) > 0 {
		return names
	}
	names := experiment.Leading(b.Prior(), few-1)
	for _, i := range b.Options().Table {
		if len(names) < few-1 && i.Name != run.Baseline && !slices.Contains(names, i.Name) {
			names = append(names, i.Name)
		}
	}
	return names
}

// measure builds a type for all codecs and times them on each set of documents, for the given number
// of shares.
func (w *bench) measure(ctx context.Context, name string, sets []synthetic.Documents, shares int,
	found func(k int, x synthetic.Reading)) error {
	t, err := w.types.Open(ctx, name, w.Options().Table, w.names, sets[0])
	if err != nil {
		return err
	}
	defer t.Close()
	for k, d := range sets {
		list, err := t.Time(ctx, d, w.share*time.Duration(shares), experiment.Fresh)
		for _, x := range list {
			found(k, x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
