package gen

import (
	"github.com/zmylab/zmy/gen/emit/java"
	"github.com/zmylab/zmy/gen/ir"
)

// emitJava generates Java.
func emitJava(k *ir.Package, plan *ir.ZMYPlan, opt LangOptions) (map[string][]byte, error) {
	return java.Emit(k, plan, java.Options{By: opt.By, Package: opt.Package})
}
