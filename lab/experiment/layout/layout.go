// Package layout is the experiment that shows how a type lies in memory: the padding between its
// fields, the order of fields that saves this padding, and how much faster lists of such values are
// then walked, copied and encoded.
//
// NOTE, the map: layout.go is the experiment, order.go lays structs out, user.go knows which
// structs the user can change and which literals depend on the order, source.go rewrites
// declarations, twin.go builds and measures both programs, walk.go generates the loop that reads
// all fields, tables.go writes the findings.
package layout

import (
	"context"
	"errors"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment looks at the layout of structs.
type Experiment struct{}

// Name returns the name of the subcommand.
func (Experiment) Name() string { return "layout" }

// Static marks an experiment that needs no built contenders.
func (Experiment) Static() {}

// Short returns a description of one line.
func (Experiment) Short() string {
	return "padding of your structs, and what a better order of fields is worth"
}

// result is everything that was found.
type result struct {
	Structs  []*Struct
	places   map[*Struct]place
	literals []Literal
	wire     []string // codecs whose bytes depend on the order of fields, and why
	measured []effect
	floor    float64 // noise floor, relative
	why      string  // why nothing was measured, or ""
	saved    string  // file with the declarations in their new order
}

// Run analyses the structs. If an order of fields makes any of them smaller, it measures the
// effect.
func (Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	s := b.Subject()
	b.UI.Doing("laying out " + s.Name)
	u := newUser(s)
	r := &result{Structs: Analyse(s.Root, u.fixed), places: u.places}
	r.wire = u.wire(s.Root)
	var moved []*Struct
	smaller := false
	for _, x := range r.Structs {
		if x.Order != nil {
			moved, smaller = append(moved, x), smaller || x.Gain() > 0
		}
	}
	r.literals = u.unkeyed(moved)
	if !smaller { // an order that saves only the collector's work makes no walk faster
		return r.experiment(s.Name), nil
	}
	err := r.measure(ctx, b, u, moved)
	var broken *harness.BuildError
	if errors.As(err, &broken) {
		r.why, err = "the package does not build with the new order, or not without its generated code: "+broken.Err.Error(), nil
		b.Warn("the effect of the new order was not measured: %s\n%s", r.why, broken.Output)
	}
	r.saved, err = r.save(b.Options().Out, err)
	return r.experiment(s.Name), err
}
