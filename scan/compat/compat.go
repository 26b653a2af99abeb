// Package compat says whether the bytes of a Go type change, or what is read from them, if a program
// takes another toolchain, another codec or another version of a module.
//
// For each type two workers are built, one for each side. Both make the same values and marshal
// them, and both unmarshal the same documents: what either of them wrote, captured ones, and ones
// that are wrong in one place. Differences are grouped by class and place, the smallest example of
// each is looked for, and if the codec has options, the least of them that restore the old result.
//
// NOTE, the map: compat.go leads the work on all types, compare.go that on one of them; sides.go
// reads what the user names, sites.go finds types, build.go builds a side's worker, proc.go asks it; judge.go compares two
// outcomes, by tree.go and diff.go if they are documents; mutate.go makes wrong documents; pins.go
// finds options, reduce.go small examples; result.go is what comes out, show.go prints it. Package
// side runs in the workers.
package compat

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/values"

	"github.com/zmylab/zmy/scan/compat/side"
)

// Options are the user's choices.
type Options struct {
	Dir     string    // folder that packages are relative to; "" is the current one
	Types   []Subject // what is compared
	From    string    // the first side as -from names it; "" is the package as it is
	To      string    // the second side
	Errors  string    // how much errors have to agree; "" is ErrorsType, or ErrorsText between toolchains
	Seed    uint64    // 0: 1
	Values  int       // drawn values; 0: 64
	Sample  string    // captured documents or a fit
	Runtime string    // folder of the ZMY runtime's module
	Version string    // release of this program
}

// Subject names a type.
type Subject struct {
	Package, Type string
	found         bool // by AtSites: a mistake about it is not the user's
}

// UI shows progress.
type UI interface {
	Doing(text string)
	Note(text string)
}

// Run compares the types one after the other. If ctx ends, it returns what is complete, with ctx's
// error.
func Run(ctx context.Context, o Options, ui UI) (*Result, error) {
	if err := harness.Supported(); err != nil {
		return nil, err
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Values <= 0 {
		o.Values = 64
	}
	now, err := present(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	a, b, err := Sides(o.From, o.To, now)
	if err != nil {
		return nil, err
	}
	if o.Errors == "" {
		if o.Errors = ErrorsType; a.Codec == b.Codec && a.Module == b.Module {
			o.Errors = ErrorsText
		}
	}
	for _, s := range []*Side{&a, &b} {
		if s.Toolchain != "" {
			ui.Doing("asking for " + s.Toolchain)
		}
		if err := haveToolchain(ctx, s.Toolchain); err != nil {
			return nil, err
		}
	}
	r := &Result{Schema: SchemaName, From: a.String(), To: b.String(), Seed: o.Seed}
	for _, s := range o.Types {
		t, err := one(ctx, o, s, a, b, ui)
		if err != nil {
			return r, err
		}
		r.Types = append(r.Types, t)
	}
	return r, nil
}

// quietUI passes on what begins, with the name of the type before it.
type quietUI struct {
	UI
	name string
}

func (q quietUI) Doing(text string) { q.UI.Doing(q.name + ": " + text) }

// labUI is a UI of the lab that shows only what begins.
type labUI struct {
	lab.UI
	doing func(string)
}

func (l labUI) Doing(text string) { l.doing(text) }
func (l labUI) Note(string)       {}

// one compares one type. Its error is for the whole run; what concerns the type alone is in the Type.
func one(ctx context.Context, o Options, s Subject, a, b Side, ui UI) (*Type, error) {
	start := time.Now()
	q := quietUI{ui, strings.TrimSpace(s.Package + " " + s.Type)}
	opened, err := open(ctx, o, s, q, nil)
	if err != nil && s.found && ctx.Err() == nil {
		return &Type{Name: s.Type, Package: s.Package, Status: NotTried,
			Failure: &Failure{Side: s.Package + "." + s.Type, What: "cannot be loaded", Reason: firstLine(err.Error())}}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	sub := opened.Subject()
	t := &Type{Name: sub.Name, Package: sub.Pkg.Path}
	q.name = sub.Name
	err = compareSides(ctx, o, opened, a, b, t, q)
	t.Seconds = time.Since(start).Seconds()
	var failed *Failure
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &failed):
		t.Failure, t.Status = failed, NotTried
		return t, nil
	case err != nil:
		return nil, err
	}
	switch {
	case len(t.Differences) > 0:
		t.Status = Differs
	case t.Tried == 0:
		t.Status = NotTried
	default:
		t.Status = Same
	}
	return t, nil
}

func open(ctx context.Context, o Options, s Subject, ui UI, env []string) (*lab.Opened, error) {
	return lab.Open(ctx, lab.Options{Dir: o.Dir, Package: s.Package, Type: s.Type, Seed: o.Seed, Values: o.Values, Sample: o.Sample,
		Runtime: o.Runtime, Version: o.Version, Env: env}, labUI{doing: ui.Doing})
}

// compareSides builds both sides and compares them.
func compareSides(ctx context.Context, o Options, first *lab.Opened, a, b Side, t *Type, ui UI) error {
	second := first
	var got *fetched
	if b.Module != "" {
		var err error
		ui.Doing("fetching " + b.Module + "@" + b.Version)
		if got, err = fetch(ctx, folder(first, "fetched"), b.Module, b.Version, b.Toolchain); err != nil {
			return err
		}
		if second, err = otherVersion(ctx, o, first, &b, got, ui); err != nil {
			return err
		}
		if second != first {
			defer func() { _ = second.Close() }()
		}
	}
	for _, x := range []struct {
		s *Side
		o *lab.Opened
	}{{&a, first}, {&b, second}} {
		if why := table[x.s.Codec].Plan; why != nil && x.s.Codec == "fxjson" {
			if w := why(x.o.Target()); w != nil {
				return &Failure{Side: x.s.String(), What: "cannot carry the type",
					Reason: strings.TrimSpace(strings.TrimPrefix(w.What, "skipped: ") + " " + w.Where + " " + w.Reason)}
			}
		}
	}
	ui.Doing("building " + a.String())
	wa, err := a.build(ctx, first, "first", nil)
	if err != nil {
		return err
	}
	ui.Doing("building " + b.String())
	wb, err := b.build(ctx, second, "second", got)
	if err != nil {
		return err
	}
	pa := &proc{name: a.String(), worker: wa, values: first.Values()}
	pb := &proc{name: b.String(), worker: wb, values: second.Values(), shared: second == first || !ownVersion(first, &b)}
	defer pa.close()
	defer pb.close()
	c := &comparison{a: pa, b: pb, judge: judge{errors: o.Errors}, doing: ui.Doing, forms: []string{side.Pointer}}
	if a.Codec != "fxjson" && b.Codec != "fxjson" {
		c.forms = append(c.forms, side.ByValue)
	}
	if c.docs, err = captured(o.Sample); err != nil {
		return err
	}
	if err := c.run(ctx); err != nil {
		return err
	}
	if err := c.experiment(ctx, first, a, b, ui); err != nil {
		return err
	}
	if err := c.reduce(ctx); err != nil {
		return err
	}
	c.report(t)
	return nil
}

// report fills in what was found.
func (c *comparison) report(t *Type) {
	t.Tried, t.Differences, t.Untested = c.tried, c.differences(), c.untested
	if c.wrote > 0 {
		t.Values = len(c.values)
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.unstable), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		t.Untested = append(t.Untested, Untested{Where: k[0], Why: k[1]})
	}
	t.Pins = c.pins
	for i := range t.Differences {
		if len(t.Differences[i].Pins) == 0 {
			t.Left++
		}
	}
	t.Whole = len(c.pins) > 0
}

// experiment finds out whether the differences go away if the second side's toolchain builds version
// 1 of encoding/json as it was before Go 1.27.
func (c *comparison) experiment(ctx context.Context, first *lab.Opened, a, b Side, ui UI) error {
	const old = "GOEXPERIMENT=nojsonv2"
	if len(c.groups) == 0 || a.Codec != stdJSON || b.Codec != stdJSON || b.Module != "" || !since127(b.Toolchain) {
		return nil
	}
	b.Env = append(slices.Clone(b.Env), old)
	ui.Doing("building " + b.String())
	w, err := b.build(ctx, first, "third", nil)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return nil // then there is no such option
	}
	p := &proc{name: b.String(), worker: w, values: c.b.values, shared: true, taken: c.b.taken}
	defer p.close()
	now := c.b
	c.b = p
	defer func() { c.b = now }()
	if err := p.start(ctx); err != nil {
		return nil
	}
	var all []*group
	for _, g := range c.groups {
		all = append(all, g)
	}
	gone, err := c.without(ctx, all, make([][]string, len(all)))
	if err != nil {
		return err
	}
	if !slices.Contains(gone, true) {
		return nil
	}
	for i, g := range all {
		if gone[i] {
			g.pins = []string{old}
		}
	}
	c.pins = nil // the option is set for the whole process
	err = c.leave(ctx)
	c.pins = []string{old}
	return err
}

// otherVersion opens the subject with another version of a module. A codec's module changes nothing
// about the subject, so that the first one serves.
func otherVersion(ctx context.Context, o Options, first *lab.Opened, b *Side, got *fetched, ui UI) (*lab.Opened, error) {
	sub := first.Subject()
	switch {
	case ownVersion(first, b):
		o.Dir = got.dir
		if o.Sample != "" {
			abs, err := filepath.Abs(o.Sample)
			if err != nil {
				return nil, err
			}
			o.Sample = abs
		}
		second, err := open(ctx, o, Subject{Package: sub.Pkg.Path, Type: sub.Expr}, ui, []string{"GOWORK=off", "GOFLAGS=-mod=mod"})
		if err != nil {
			return nil, &Failure{Side: b.String(), What: "does not have the type", Reason: firstLine(err.Error())}
		}
		return second, nil
	case codecOf(b.Module) == b.Codec && b.Codec != stdJSON:
		return first, nil
	}
	if _, used := sub.Work.Modules[b.Module]; !used {
		return nil, lab.Usagef("%s is built without %s, so another version of it changes nothing; `go list -deps -f '{{.Module}}' %s` "+
			"lists its modules", sub.Pkg.Path, b.Module, sub.Pkg.Path)
	}
	second, err := open(ctx, o, Subject{Package: sub.Pkg.Dir, Type: sub.Expr}, ui, []string{"GOFLAGS=-mod=mod"})
	if err != nil {
		return nil, err
	}
	replaced(second, b.Module, got.version)
	return second, nil
}

// ownVersion reports whether the side's module is the one that contains the subject.
func ownVersion(o *lab.Opened, s *Side) bool {
	return s.Module != "" && s.Module == o.Subject().Pkg.Module.Path
}

// captured returns the documents of -sample. A saved fit has none.
func captured(name string) ([][]byte, error) {
	if name == "" {
		return nil, nil
	}
	if _, isFit, err := values.ReadFit(name); err != nil || isFit {
		return nil, err
	}
	docs, _, err := values.ReadDocuments(name, false)
	if err != nil {
		return nil, fmt.Errorf("-sample: %w", err)
	}
	const most = 500
	var out [][]byte
	for _, d := range docs[:min(len(docs), most)] {
		out = append(out, d.Text)
	}
	return out, nil
}

// Types returns the types of a package that may be compared if none is named and no JSON site is
// found: all that are suitable.
func Types(ctx context.Context, dir, pkg string) ([]Subject, error) {
	s, err := plan.Resolve(ctx, plan.Options{Dir: dir, Package: pkg, Env: os.Environ()})
	var many *plan.TypesError
	switch {
	case errors.As(err, &many):
		if len(many.Types) == 0 {
			return nil, err
		}
		var out []Subject
		for _, t := range many.Types {
			out = append(out, Subject{Package: pkg, Type: t.Name})
		}
		return out, nil
	case err != nil:
		return nil, err
	}
	return []Subject{{Package: pkg, Type: s.Expr}}, nil
}
