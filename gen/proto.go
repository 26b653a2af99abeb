package gen

import (
	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/goproto"
	"github.com/zmylab/zmy/gen/load"
)

// Proto generates protobuf methods for struct types of the package. If the types are at fault, the
// error is an ir.Problems.
func Proto(p *load.Pkg, exprs []string, opt Options) (File, error) {
	k, err := p.BuildDeriving(exprs...) // with the types that implement interfaces
	if err != nil {
		return File{}, err
	}
	plan, err := check.Proto(k)
	if err != nil {
		return File{}, err
	}
	src, err := goproto.Emit(k, plan, goproto.Options{By: opt.by("fxproto", exprs)})
	if err != nil {
		return File{}, err
	}
	f, err := opt.file(p, k, exprs, "proto", src)
	f.notes = plan.Notes
	return f, err
}
