package gen

import (
	"fmt"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gogrpc"
	"github.com/zmylab/zmy/gen/load"
)

// GRPC generates the gRPC client and server of an interface of the package, whose messages are
// types with a native form. If the interface or the messages are at fault, the error is an
// ir.Problems.
func GRPC(p *load.Pkg, exprs []string, opt Options) (File, error) {
	if len(exprs) != 1 {
		return File{}, fmt.Errorf("-grpc takes one interface at a time, not %d types", len(exprs))
	}
	k, err := p.Build(exprs...)
	if err != nil {
		return File{}, err
	}
	plan, err := check.GRPC(k)
	if err != nil {
		return File{}, err
	}
	src, err := gogrpc.Emit(k, plan, gogrpc.Options{By: opt.by("zmy gen -grpc", exprs)})
	if err != nil {
		return File{}, err
	}
	return opt.file(p, k, exprs, "grpc", src)
}
