package dynamic

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// walker makes the tree of a message that has been verified: reads cannot fail,
// so only the budget can end the walk.
type walker struct {
	c    *Codec
	d    *wire.Decoder
	left int // levels of any that may be entered; Verify has held it already
	err  *wire.Error
}

// charge takes n values from the budget, before they are made, and reports
// whether the walk goes on.
func (w *walker) charge(n int) bool {
	if w.err == nil {
		w.err = w.d.Charge(n, nodeCost)
	}
	return w.err == nil
}

func (w *walker) message(b []byte) *Struct {
	v, _ := wire.View(&w.c.l.Table[0], b)
	return w.fields(0, v)
}

// fields reads a struct in place; the zero view reads as the zero value.
func (w *walker) fields(i int, v wire.Struct) *Struct {
	t, places := &w.c.s.Types[i], w.c.l.Places[i]
	if !w.charge(1 + len(t.Fields)) {
		return nil
	}
	out := &Struct{Name: t.Name, Fields: make([]Field, 0, len(t.Fields))}
	for j := range t.Fields {
		f := &t.Fields[j]
		if f.Reserved {
			continue
		}
		var value any
		if p := places[j]; p.Tail {
			value = w.slot(int(f.Type), v.Tail(p.Offset))
		} else {
			value = w.fixed(int(f.Type), v.Fixed(p.Offset, w.c.l.Table[f.Type].Size))
		}
		if w.err != nil {
			return nil
		}
		out.Fields = append(out.Fields, Field{f, value})
	}
	return out
}

// isFixed reports whether values of type i have a fixed size and no slot.
func (w *walker) isFixed(i uint32) bool {
	d := &w.c.l.Table[i]
	return d.Shape == wire.ShapeFixed && d.Size > 0
}

// fixed reads a value of fixed size.
func (w *walker) fixed(i int, b []byte) any {
	switch t := &w.c.s.Types[i]; t.Kind {
	case schema.Array:
		return w.packed(t.Elem, b)
	case schema.Struct:
		return w.inline(i, b)
	default:
		return scalar(t.Kind, b)
	}
}

// inline reads a struct that stands among the scalars.
func (w *walker) inline(i int, b []byte) any {
	t := &w.c.s.Types[i]
	if !w.charge(1 + len(t.Fields)) {
		return nil
	}
	out := &Struct{Name: t.Name}
	for j := range t.Fields {
		f := &t.Fields[j]
		n := w.c.l.Table[f.Type].Size
		if !f.Reserved {
			out.Fields = append(out.Fields, Field{f, w.fixed(int(f.Type), b[:n])})
		}
		b = b[n:]
	}
	return out
}

// packed reads elements of fixed size side by side.
func (w *walker) packed(elem uint32, b []byte) any {
	size := w.c.l.Table[elem].Size
	n := len(b) / size
	if !w.charge(n) {
		return nil
	}
	out := make([]any, n)
	for i := range out {
		out[i] = w.fixed(int(elem), b[i*size:][:size])
	}
	return out
}

func scalar(k schema.Kind, b []byte) any {
	switch k {
	case schema.Bool:
		return b[0] == 1
	case schema.Int8:
		return int64(int8(b[0]))
	case schema.Int16:
		return int64(int16(wire.U16(b)))
	case schema.Int32:
		return int64(int32(wire.U32(b)))
	case schema.Int64:
		return int64(wire.U64(b))
	case schema.Uint8:
		return uint64(b[0])
	case schema.Uint16:
		return uint64(wire.U16(b))
	case schema.Uint32:
		return uint64(wire.U32(b))
	case schema.Uint64:
		return wire.U64(b)
	case schema.Float32:
		return wire.F32(b)
	case schema.Float64:
		return wire.F64(b)
	case schema.Complex64:
		return wire.C64(b)
	case schema.Complex128:
		return wire.C128(b)
	case schema.Duration:
		return time.Duration(wire.U64(b))
	case schema.Time:
		t, _ := wire.Time(b)
		return t
	case schema.TimeZone:
		t, _ := wire.ZoneTime(b)
		return t
	case schema.TimeUnixNano:
		return wire.UnixNano(b)
	}
	return nil
}

// slot reads the content of a slot, which may be empty.
func (w *walker) slot(i int, b []byte) any {
	if w.err != nil {
		return nil
	}
	t := &w.c.s.Types[i]
	switch t.Kind {
	case schema.String, schema.OwnText:
		return wire.String(b)
	case schema.Bytes, schema.OwnZMY, schema.OwnBinary:
		return wire.Bytes(b)
	case schema.JSON:
		return json.RawMessage(wire.Bytes(b))
	case schema.BigInt:
		return bigInt(b)
	case schema.BigFloat:
		return bigFloat(b)
	case schema.Any:
		v, err := wire.DecodeAny(w.d, b, w.left)
		w.err = err
		return v
	case schema.Opt:
		return w.opt(t, b)
	case schema.List:
		return w.list(t, b)
	case schema.Array:
		return w.array(i, t, b)
	case schema.Map:
		return w.mapping(i, t, b)
	}
	return w.fields(i, wire.OpenSlot(&w.c.l.Table[i], b))
}

func bigInt(b []byte) *big.Int {
	if len(b) == 0 {
		return new(big.Int)
	}
	x, _ := wire.ParseBigInt(b)
	return x
}

func bigFloat(b []byte) *big.Float {
	if len(b) == 0 {
		return new(big.Float)
	}
	x, _ := wire.ParseBigFloat(b)
	return x
}

func (w *walker) opt(t *schema.Type, b []byte) any {
	switch k := w.c.s.Types[t.Elem].Kind; {
	case len(b) == 0:
		return nil
	case w.isFixed(t.Elem):
		return w.fixed(int(t.Elem), b)
	case k == schema.BigInt:
		return bigInt(b)
	case k == schema.BigFloat:
		return bigFloat(b)
	case k == schema.Struct:
		return w.slot(int(t.Elem), b)
	}
	v := w.slot(int(t.Elem), b[1:])
	if len(b) == 1 { // empty, but not nil
		switch v.(type) {
		case []byte:
			return []byte{}
		case json.RawMessage:
			return json.RawMessage{}
		case []any:
			return []any{}
		case Map:
			return Map{}
		}
	}
	return v
}
