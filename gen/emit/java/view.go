package java

import "github.com/zmylab/zmy/gen/ir"

// view prints the view of a struct.
func (g *gen) view(t *ir.ZMYType) {}
