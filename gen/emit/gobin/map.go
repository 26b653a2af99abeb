package gobin

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// mapAppend prints the function that appends a map.
func (g *gen) mapAppend(t *ir.ZMYType) {
	key, val := g.Type(t.Type.Key), g.Type(t.Type.Elem)
	g.p("func %s(·e *@@Encoder, ·b []byte, ·m %s, ·left int) (_ []byte, ·err *@@Error) {", g.fn("Append", t), g.Type(t.Type))
	g.p("if len(·m) == 0 {\nreturn ·b, nil\n}")
	switch t.Type.Key.Kind {
	case ir.Bool:
		g.p("·pairs := @@PairsFunc(·m, @@CompareBools[%s])", key)
	case ir.Array:
		g.p("·pairs := @@PairsFunc(·m, func(x, y %s) int { return @@CompareBytes(x[:], y[:]) })", key)
	default:
		if t.Type.Elem.Size <= 64 { // eight pairs, as many as a small map of Go has, are then on the stack
			g.p("var ·buf [8]@@Pair[%s, %s]\n·pairs := @@Pairs(·buf[:0], ·m)", key, val)
		} else {
			g.p("·pairs := @@Pairs(nil, ·m)")
		}
	}
	where := at{step: keyStep(t, "·pairs[·i].Key"), off: "0"}
	g.p("·start := len(·b)\n·b = @@BeginMap(·b)")
	if t.Key.Shape == zmytype.ShapeString {
		g.p("if ·b, ·err = @@AppendStringKeys(·b, ·pairs); ·err != nil {\nreturn ·b, ·err\n}")
	} else {
		g.P("{")
		g.appendColumn(t.Key, false, "·pairs", "·pairs[·i].Key", where)
		g.P("}")
	}
	g.p("·keyEnd := len(·b)")
	if !t.IsSet() {
		g.appendColumn(t.Elem, t.ElemPtr, "·pairs", "·pairs[·i].Val", where)
	}
	g.p("return ·e.EndMap(·b, ·start, ·keyEnd)\n}\n")
}

// keyStep returns the step of an error's path to the value of a key.
func keyStep(t *ir.ZMYType, key string) string {
	switch k := t.Type.Key.Kind; {
	case t.Key.Shape == zmytype.ShapeString:
		return fmt.Sprintf("AtKey(string(%s)", key)
	case k == ir.Bool:
		return "In(\"[bool]\""
	case k == ir.Array:
		return fmt.Sprintf("AtKey(string(%s[:])", key)
	case k.IsUint():
		return fmt.Sprintf("AtUint(uint64(%s)", key)
	}
	return fmt.Sprintf("AtInt(int64(%s)", key)
}

// mapDecode prints the function that decodes a map.
func (g *gen) mapDecode(t *ir.ZMYType) {
	k, e := t.Key, t.Elem
	g.p("func %s(·d *@@Decoder, ·b []byte, ·v *%s, ·left int) *@@Error {", g.fn("Decode", t), g.Type(t.Type))
	g.p("if len(·b) == 0 {\n*·v = nil\nreturn nil\n}")
	g.p("·kb, ·vb, ·keyEnd, ·err := @@OpenMap(·b)\nif ·err != nil {\nreturn ·err\n}")
	if k.Shape == zmytype.ShapeString {
		g.p("·keys, ·err := @@OpenStringKeys(·kb)\nif ·err != nil {\nreturn ·err.Shift(·keyEnd-len(·kb))\n}")
	} else {
		g.p("·keysn, ·err := @@OpenKeys(·kb, %d, %s, %s)", k.Size, domains[k.Domain], orders[t.Order])
		g.p("if ·err != nil {\nreturn ·err.Shift(·keyEnd-len(·kb))\n}")
	}
	n := columnLen(k, "·keys")
	if t.IsSet() {
		g.p("if len(·vb) != 0 {\nreturn @@Fail(@@ErrEnds, ·keyEnd)\n}")
	} else {
		g.openColumn(e, "·vb", "·vals", func(err string) string { return err + ".Shift(·keyEnd)" })
		g.p("if %s != %s {\nreturn @@Fail(@@ErrCount, ·keyEnd)\n}", n, columnLen(e, "·vals"))
	}
	apart := k.Memory + e.Memory - int(t.Type.Key.Size+t.Type.Elem.Size) // bytes of the zones of times, which a pair stores outside of the map
	if t.ElemPtr {
		apart = e.Memory
	}
	g.p("if ·err := ·d.ChargeMap(%s, @@PairCost+%d, %d, %d, %d); ·err != nil {\nreturn ·err\n}", n, k.Cost+e.Cost,
		t.Type.Key.Size, t.Type.Elem.Size, apart)
	g.p("·out := @@MakeMap(·d, *·v, %s)", n)
	if t.ElemPtr {
		g.p("·all := make([]%s, %s)", g.Type(e.Type), n)
	}
	g.mapKeyLoop(t, n)
	g.p("var ·val %s", g.Type(t.Type.Elem))
	if !t.IsSet() {
		off := "·keyEnd+·off"
		if e.Shape == zmytype.ShapeFixed {
			off = fmt.Sprintf("·keyEnd+·i*%d", e.Size)
		}
		g.decodeElem(e, t.ElemPtr, "·vb", "·vals", "·val", at{step: keyStep(t, "·key"), off: off})
	}
	g.p("·out[·key] = ·val\n}\n*·v = ·out\nreturn nil\n}\n")
}

// mapKeyLoop prints the head of the loop over the keys, and the declaration of ·key.
func (g *gen) mapKeyLoop(t *ir.ZMYType, n string) {
	k := t.Key
	typ := g.Type(t.Type.Key)
	if k.Shape == zmytype.ShapeString {
		g.p("for range %s {", n)
		if !t.IsSet() && t.Elem.Shape == zmytype.ShapeFixed || t.ElemPtr {
			g.p("·i := len(·out)")
		}
		g.p("·kx, _, _ := ·keys.Next()\n·key := %s(·d.String(·kx))", typ)
		return
	}
	g.p("for ·i := range %s {", n)
	off := fmt.Sprintf("·i*%d", k.Size)
	if t.Type.Key.Kind == ir.Array {
		g.p("var ·key %s", typ)
		g.getArray(k, "·key", "·kb", off, at{})
		return
	}
	g.p("·key := %s", g.fixedExpr(k, "·kb", off))
}
