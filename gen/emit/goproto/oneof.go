package goproto

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbwire"
)

// registration prints code that tells reflection the arms of interfaces.
func (g *gen) registration() {
	done := map[*ir.Type]bool{}
	open := false
	for _, m := range g.plan.Messages {
		for i := range m.Fields {
			f := &m.Fields[i]
			if f.Arm == nil || done[f.Of.Type] {
				continue
			}
			done[f.Of.Type] = true
			if !open {
				g.P("func init() {")
				open = true
			}
			g.P(g.rt("Oneof"), "[", f.Of.Type, "](")
			for k := i; k < len(m.Fields) && m.Fields[k].Oneof == f.Oneof; k++ {
				a := m.Fields[k].Arm
				number := m.Fields[k].Number
				if a.Inner != nil {
					number = 0
				}
				g.P(g.rt("OneofArm"), "[", a.Type, "](", number, "),")
			}
			g.P(")")
		}
	}
	if open {
		g.P("}\n")
	}
}

// armValue returns the value of an arm, given the struct or a pointer to it.
func armValue(f *ir.ProtoField, at string) string {
	if f.Arm.Inner == nil {
		return at
	}
	return at + "." + f.Arm.Inner.Name
}

// arms prints a type switch over the arms of an interface. block is given the arm's value; byPointer says
// that it is a pointer to the struct that is the value. other is for types that are no arms.
func (g *gen) arms(fields []ir.ProtoField, block func(f *ir.ProtoField, at string, byPointer bool), other string) {
	g.P("switch ", g.arm, " := ", g.v, ".", fields[0].Name, ".(type) {\ncase nil:")
	for i := range fields {
		f := &fields[i]
		if f.Arm.Value {
			g.P("case ", f.Arm.Type, ":")
			block(f, armValue(f, g.arm), false)
		}
		g.P("case *", f.Arm.Type, ":")
		g.P("if ", g.arm, " != nil {")
		block(f, armValue(f, g.arm), f.Arm.Inner == nil)
		g.P("}")
	}
	g.P("default:\n", other, "\n}")
}

func (g *gen) encodeArms(fields []ir.ProtoField) {
	g.arms(fields, func(f *ir.ProtoField, at string, byPointer bool) {
		if f.Value.Message == nil {
			g.encodeTagged(f.Number, &f.Value, at)
			return
		}
		v := f.Value
		v.Pointer = v.Pointer || byPointer
		g.encodeMessage(f.Number, &v, at, false, byPointer, g.left)
	}, "return "+g.b+", -1")
}

func (g *gen) sizeArms(fields []ir.ProtoField) {
	g.arms(fields, func(f *ir.ProtoField, at string, byPointer bool) {
		if f.Value.Message == nil {
			g.P(g.n, " += ", tagSize(f.Number), " + ", g.sizeOfValue(&f.Value, at))
			return
		}
		v := f.Value
		v.Pointer = v.Pointer || byPointer
		g.sizeMessage(g.n, f.Number, &v, at, false, byPointer, g.left)
	}, "_ = "+g.arm)
}

// decodeArm prints code that merges the arm that starts at j into an interface.
func (g *gen) decodeArm(f *ir.ProtoField, at string) {
	if f.Value.Kind.Wire() == pbwire.BytesType {
		g.span()
	}
	g.fails(g.d + ".Charge(" + g.sizeOf(g.Type(f.Arm.Type)) + ")")
	v := f.Value
	to := ""
	if !g.verify {
		g.P(g.arm, " := ", g.rt("Arm"), "[", f.Arm.Type, "](", at, ")")
		to = armValue(f, g.arm)
		if f.Arm.Inner == nil {
			v.Pointer = true
		}
	}
	switch {
	case v.Kind.Wire() != pbwire.BytesType:
		g.decodeValue(f.Number, &v, to, false)
	case f.Arm.Inner == nil: // the struct is there already, and charged
		v.Pointer = false
		if !g.verify {
			to = "(*" + g.arm + ")"
		}
		g.decodeContent(&v, to, false)
	default:
		g.decodeContent(&v, to, false)
	}
	if g.verify {
		return
	}
	if f.Arm.Value {
		g.P(at, " = *", g.arm)
	} else {
		g.P(at, " = ", g.arm)
	}
}
