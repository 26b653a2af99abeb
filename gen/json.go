package gen

import (
	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gojson"
	"github.com/zmylab/zmy/gen/load"
)

// JSONOptions are the options of [JSON].
type JSONOptions struct {
	Options
	StdMethods bool   // write MarshalJSON and UnmarshalJSON too, which encoding/json calls
	Only       string // "encode" or "decode": write code for one of them, "" for both
	Tiny       bool   // link none of reflect, fmt and encoding/json; refuse types that need them
}

// JSON generates JSON methods for types of the package, given as expressions in its scope. If the
// types are at fault, the error is an ir.Problems.
func JSON(p *load.Pkg, exprs []string, opt JSONOptions) (File, error) {
	k, err := p.Build(exprs...)
	if err != nil {
		return File{}, err
	}
	plan, err := check.JSON(k)
	if err != nil {
		return File{}, err
	}
	if opt.Tiny {
		if err := check.Tiny(k, plan, p.Links); err != nil {
			return File{}, err
		}
	}
	src, err := gojson.Emit(k, plan, gojson.Options{By: opt.by("fxjson", exprs), StdMethods: opt.StdMethods, Tiny: opt.Tiny, Only: opt.Only})
	if err != nil {
		return File{}, err
	}
	return opt.file(p, k, exprs, "json", src)
}
