package dynamic

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// walker makes the tree of a verified message. Only the budget and the option Exact can end the
// walk with an error. So other errors of package wire are ignored where they would be about the
// content. Each method stops when err is set, which any method that it calls may do.
type walker struct {
	c    *Codec
	d    *wire.Decoder
	left int // levels that values of type any may enter; Verify has checked the depth already
	err  *wire.Error
}

// charge charges the budget for n values before they are made. It reports whether the walk may go
// on.
func (w *walker) charge(n int) bool {
	if w.err == nil {
		w.err = w.d.Charge(n, nodeCost)
	}
	return w.err == nil
}

func (w *walker) message(b []byte) *Struct {
	h, err := wire.Head(b)
	if err != nil {
		w.err = err
		return nil
	}
	return w.structure(0, b, h, 4)
}

// opened is an opened struct: its scalars, and its tails in b.
type opened struct {
	scalars []byte
	b       []byte
	first   int   // offset of the first tail
	ends    []int // ends of the tails
}

// structure reads the struct b of type i, whose header is h. If head is 4, b starts with the
// header; if head is 0, the list around it has the header.
func (w *walker) structure(i int, b []byte, h uint32, head int) *Struct {
	if !w.charge(1 + len(w.c.s.Types[i].Fields)) {
		return nil
	}
	d := &w.c.l.Table[i]
	out := w.c.newStruct(i)
	_, tails, _ := wire.SplitHeader(d.Head)
	o := opened{b: b, ends: make([]int, tails)}
	if d.Shape == wire.ShapeSparse {
		o.scalars, o.first, w.err = w.d.OpenSparse(b, h, d, o.ends, &out.Unknown)
	} else if o.scalars, o.first, w.err = w.d.OpenStruct(b, h, head, d.Head, d.Older, o.ends); w.err == nil {
		out.Unknown, w.err = w.d.Unknown(b, h, head, d.Head)
	}
	if w.err == nil {
		w.fields(i, out, o)
	}
	return out
}

var zeros [wire.MaxScalars]byte

// zero returns the zero value of a struct of type i. An empty slot encodes it.
func (w *walker) zero(i int) *Struct {
	if !w.charge(1 + len(w.c.s.Types[i].Fields)) {
		return nil
	}
	out := w.c.newStruct(i)
	scalars, tails, _ := wire.SplitHeader(w.c.l.Table[i].Head)
	w.fields(i, out, opened{scalars: zeros[:scalars], ends: make([]int, tails)})
	return out
}

func (c *Codec) newStruct(i int) *Struct {
	return &Struct{Name: c.s.Types[i].Name, names: c.namesOf(i)}
}

// fields reads the scalars first and then the tails: opening another struct overwrites the scalars.
func (w *walker) fields(i int, out *Struct, o opened) {
	t, places := &w.c.s.Types[i], w.c.l.Places[i]
	out.Fields = make([]Field, 0, len(t.Fields))
	for j := range t.Fields {
		f, p := &t.Fields[j], places[j]
		var value any
		if !p.Tail {
			x := o.scalars[p.Offset:][:w.c.l.Table[f.Type].Size]
			if f.Reserved {
				w.keep(w.d.Keep(&out.Unknown, j, x))
				continue
			}
			value = w.fixed(int(f.Type), x)
		}
		if !f.Reserved {
			out.Fields = append(out.Fields, Field{f, value})
		}
	}
	at, from := 0, o.first
	for j := range t.Fields {
		f, p := &t.Fields[j], places[j]
		if p.Tail && w.err == nil {
			y := o.b[from:o.ends[p.Offset]]
			from = o.ends[p.Offset]
			if f.Reserved {
				w.keep(w.d.KeepTail(&out.Unknown, j, y))
			} else {
				out.Fields[at].Value = w.slot(int(f.Type), y)
			}
		}
		if !f.Reserved {
			at++
		}
	}
}

func (w *walker) keep(err *wire.Error) {
	if w.err == nil {
		w.err = err
	}
}

// isFixed reports whether values of type i are scalars, which have a fixed size.
func (c *Codec) isFixed(i uint32) bool {
	d := &c.l.Table[i]
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

// inline reads a struct inside the scalars of another.
func (w *walker) inline(i int, b []byte) any {
	t := &w.c.s.Types[i]
	if !w.charge(1 + len(t.Fields)) {
		return nil
	}
	out := w.c.newStruct(i)
	for j := range t.Fields {
		f := &t.Fields[j]
		n := w.c.l.Table[f.Type].Size
		if f.Reserved {
			w.keep(w.d.Keep(&out.Unknown, j, b[:n]))
		} else {
			out.Fields = append(out.Fields, Field{f, w.fixed(int(f.Type), b[:n])})
		}
		b = b[n:]
	}
	return out
}

// packed reads the elements of a packed list.
func (w *walker) packed(elem uint32, b []byte) []any {
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

// slot reads the content b of a slot. b may be empty.
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
		w.keep(err)
		return v
	case schema.Opt:
		return w.opt(t, b)
	case schema.List:
		return w.list(t, b)
	case schema.Array:
		return w.array(i, t, b)
	case schema.Map:
		return w.mapping(i, t, b)
	case schema.Union:
		return w.union(t, b)
	}
	if len(b) == 0 {
		return w.zero(i)
	}
	return w.structure(i, b, wire.U32(b), 4)
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
	case w.c.isFixed(t.Elem):
		return w.fixed(int(t.Elem), b)
	case k == schema.BigInt, k == schema.BigFloat, k == schema.Struct:
		return w.slot(int(t.Elem), b)
	}
	v := w.slot(int(t.Elem), b[1:])
	if len(b) == 1 { // empty and not nil
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

func (w *walker) union(t *schema.Type, b []byte) any {
	if len(b) == 0 || !w.charge(1) {
		return nil
	}
	disc, y, err := wire.OpenUnion(b)
	if err != nil {
		w.err = err
		return nil
	}
	f := armOf(t, disc)
	if f == nil {
		return &Union{Number: disc, Raw: wire.Bytes(y)}
	}
	v, _ := w.slot(int(f.Type), y).(*Struct)
	return &Union{Number: disc, Name: f.Name, Value: v}
}

func armOf(t *schema.Type, disc uint16) *schema.Field {
	for i := range t.Fields {
		if t.Fields[i].Number == uint32(disc) {
			return &t.Fields[i]
		}
	}
	return nil
}
