package gen

import (
	"github.com/zmylab/zmy/gen/emit/rust"
	"github.com/zmylab/zmy/gen/ir"
)

// emitRust generates one Rust module, named by the option Package.
func emitRust(k *ir.Package, plan *ir.ZMYPlan, opt LangOptions) (map[string][]byte, error) {
	name, src, err := rust.Emit(k, plan, rust.Options{By: opt.By, Module: opt.Package, Serde: opt.Serde, NonExhaustive: opt.NonExhaustive})
	if err != nil {
		return nil, err
	}
	return map[string][]byte{name: src}, nil
}
