// Package layout is the experiment that shows how a type lies in memory: the padding between its
// fields, the order of fields that saves this padding, and how much faster lists of such values are
// then walked, copied and encoded.
//
// A better order is computed from the sizes that the type checker knows, which needs no
// measurement. Its effect is measured. The package is built as declared and with the new order,
// through an overlay of files, so the user's files stay unchanged. A third program is a twin of the
// first, and only differences that exceed those between the twins count.
//
// NOTE, the map: layout.go is the experiment, order.go lays structs out, user.go knows which
// structs the user can change and which literals depend on the order, source.go rewrites
// declarations, twin.go builds and measures both programs, walk.go generates the loop that reads
// all fields, tables.go writes the findings.
package layout

import (
	"context"
	"errors"
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment looks at the layout of structs.
type Experiment struct{}

// About describes the experiment.
func (Experiment) About() experiment.About {
	return experiment.About{Name: "layout", Short: "padding of your structs, and what a better order of fields is worth", Static: true}
}

// result is everything that was found.
type result struct {
	Structs  []*Struct
	literals []Literal
	wire     []string // codecs whose bytes depend on the order of fields, and why
	measured []effect
	floor    float64 // noise floor, relative
	saved    string  // file with the declarations in their new order
}

// Run analyses the structs. If an order of fields makes any of them smaller, it measures the
// effect.
func (Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	s := b.Subject()
	b.UI.Doing("laying out " + s.Name)
	u := newUser(s)
	r := &result{Structs: Analyse(s.Root, u.fixed), wire: u.wire()}
	moved := slices.DeleteFunc(slices.Clone(r.Structs), func(x *Struct) bool { return x.Order == nil })
	r.literals = u.unkeyed(moved)
	if !slices.ContainsFunc(moved, func(x *Struct) bool { return x.Gain() > 0 }) {
		return r.experiment(s.Name), nil // an order that saves only the collector's work makes no walk faster
	}
	err := r.measure(ctx, b, u, moved)
	var broken *harness.BuildError
	if errors.As(err, &broken) {
		b.Warn("the effect of the new order was not measured: the package does not build with the new order, or not without its "+
			"generated code: %v\n%s", broken.Err, broken.Output)
		err = nil
	}
	err = errors.Join(err, r.save(b.Options().Out))
	return r.experiment(s.Name), err
}
