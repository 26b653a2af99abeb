package goproto

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// room is how many bytes an encoder may write: a constant, and the values of expressions.
type room struct {
	n     int
	terms []string
}

func (r *room) add(o room) {
	r.n += o.n
	r.terms = append(r.terms, o.terms...)
}

// ask prints the call that makes the room.
func (g *gen) ask(r room) {
	terms := r.terms
	if r.n > 0 || len(terms) == 0 {
		terms = append([]string{fmt.Sprint(r.n)}, terms...)
	}
	sum := strings.Join(terms, " + ")
	g.P(g.b, " = ", g.rt("Room"), "(", g.b, ", ", g.i, ", ", sum, ")")
}

// tagSize is the number of bytes of a field's tag.
func tagSize(number int32) int { return pbwire.SizeTag(number) }

// sizeTime is the largest number of bytes of a Timestamp or a Duration with its length.
const sizeTime = 1 + 2*(1+pbwire.MaxVarint)

// roomOf returns the room for a value that is no struct, without its tag. at is the value, without a
// pointer.
func roomOf(v *ir.ProtoValue, at string) room {
	switch v.Kind {
	case pbtype.String:
		return room{pbwire.MaxVarint, []string{"len(" + at + ")"}}
	case pbtype.Bytes:
		if v.Len > 0 {
			return room{n: pbwire.MaxVarint + v.Len}
		}
		return room{pbwire.MaxVarint, []string{"len(" + at + ")"}}
	case pbtype.Timestamp, pbtype.Duration:
		return room{n: sizeTime}
	case pbtype.Bool:
		return room{n: 1}
	case pbtype.Wrapper:
		inner := unwrapped(v)
		r := roomOf(&inner, at)
		r.n += pbwire.MaxVarint + 1
		return r
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList, pbtype.Text, pbtype.Binary:
		return room{} // the runtime makes it
	}
	switch v.Kind.Wire() {
	case pbwire.Fixed32Type:
		return room{n: 4}
	case pbwire.Fixed64Type:
		return room{n: 8}
	}
	return room{n: pbwire.MaxVarint}
}

// isFlat reports whether the room for a field is known before it is looked at, so that it can be
// asked for together with that of its neighbours.
func isFlat(f *ir.ProtoField) bool {
	text := f.Value.Pointer && hasText(&f.Value)
	whole := f.Value.Message != nil || f.Value.Kind.IsDynamic() || f.Value.Kind.IsOwn()
	return f.Shape == pbtype.Single && f.Arm == nil && !whole && !text
}
