package gen

import (
	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gobin"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/gen/print"
)

// ZMYOptions are the options of [ZMY].
type ZMYOptions struct {
	Options
	Derive bool // number the fields of structs without zmy struct tags, in the order of declaration
	// Recorded is the lock with the numbers that Derive gave earlier. They are kept. nil: none.
	Recorded *lock.File
}

// check returns the options for check.ZMY.
func (o ZMYOptions) check(k *ir.Package) check.ZMYOptions {
	out := check.ZMYOptions{Derive: o.Derive}
	if o.Recorded != nil {
		out.Recorded = o.Recorded.Recorded(k)
	}
	return out
}

// build describes the types for a plan: with BuildDeriving if derive is set, else with Build.
func build(p *load.Pkg, derive bool, exprs []string) (*ir.Package, error) {
	if derive {
		return p.BuildDeriving(exprs...)
	}
	return p.Build(exprs...)
}

// notes returns one problem for each note of the plan: what messages do not carry as the Go types
// have it.
func notes(plan *ir.ZMYPlan, pkg string) (out ir.Problems) {
	for _, n := range plan.Notes {
		text := "is carried as JSON: "
		switch {
		case n.Left:
			text = "is left out: "
		case n.Part:
			text = ""
		}
		pos, path := n.Owner.Pos, print.TypeExprIn(n.Owner, pkg)
		if n.Field != nil {
			pos, path = n.Field.Pos, "field "+n.Field.Name+" of "+path
		}
		out = append(out, ir.Problem{Pos: pos, Path: "note: " + path, Msg: text + n.Why})
	}
	return out
}

// ZMY generates the native format's methods for types of the package, given as expressions in its
// scope. If the types are at fault, the error is an ir.Problems.
func ZMY(p *load.Pkg, exprs []string, opt ZMYOptions) (File, error) {
	k, err := build(p, opt.Derive, exprs)
	if err != nil {
		return File{}, err
	}
	plan, err := check.ZMY(k, opt.check(k))
	if err != nil {
		return File{}, err
	}
	src, err := gobin.Emit(k, plan, gobin.Options{By: opt.by("zmy gen", exprs), Views: p.Views(opt.path(p, exprs, "zmy"))})
	if err != nil {
		return File{}, err
	}
	f, err := opt.file(p, k, exprs, "zmy", src)
	f.notes = notes(plan, k.Path)
	return f, err
}
