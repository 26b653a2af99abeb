package gen

import (
	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/emit/gobin"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/schema"
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

// plan describes the types and plans their native form.
func (o ZMYOptions) plan(p *load.Pkg, exprs []string) (k *ir.Package, plan *ir.ZMYPlan, err error) {
	if o.Derive {
		k, err = p.BuildDeriving(exprs...)
	} else {
		k, err = p.Build(exprs...)
	}
	if err == nil {
		plan, err = check.ZMY(k, o.check(k))
	}
	return k, plan, err
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
	k, plan, err := opt.plan(p, exprs)
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

// Schema describes the messages of a type of the package, given as an expression in its scope. The
// fields of structs without struct tags zmy get the numbers that option -derive would give them. If
// the types are at fault, the error is an ir.Problems.
func Schema(p *load.Pkg, expr string) (*schema.Schema, error) {
	k, err := p.Build(expr)
	if err != nil {
		return nil, err
	}
	recorded, err := ReadLock(p)
	if err != nil {
		return nil, err
	}
	plan, err := check.ZMY(k, ZMYOptions{Derive: true, Recorded: recorded}.check(k))
	if err != nil {
		return nil, err
	}
	return describe.Schema(plan.Roots[0]), nil
}
