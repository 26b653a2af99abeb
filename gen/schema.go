package gen

import (
	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/schema"
)

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
