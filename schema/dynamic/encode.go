package dynamic

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// NOTE: The encoder goes through the schema, not through the tree: for each field it looks for the
// value in the tree, and a missing one is zero. It writes with the same functions of package wire
// as generated code, in the same order, so the bytes are the same. A tree may hold anything, so
// every value's type is checked. The functions return a *wire.Error, as those of package wire do,
// because it collects the path. A *wire.Error cannot say what was expected. So the method wrong
// sets misfit, which AppendOptions returns with the path.

// Encode returns v as a message. It uses the default limits.
func (c *Codec) Encode(v *Struct) ([]byte, error) {
	return c.AppendOptions(nil, v, zmy.MarshalOptions{})
}

// AppendOptions appends v as a message to dst: the bytes that generated code writes for the same
// value. On error it returns dst unchanged. If a value does not fit the schema, the error is a
// *ValueError.
func (c *Codec) AppendOptions(dst []byte, v *Struct, o zmy.MarshalOptions) ([]byte, error) {
	e, left := o.Encoder(dst)
	p := encoder{c: c, e: &e}
	b, err := p.structure(dst, 0, v, 0, 4, left)
	name := c.s.Types[0].Name
	if err != nil && p.misfit != nil {
		p.misfit.Type, p.misfit.Path = name, err.Path
		return dst, p.misfit
	}
	if err == nil && p.foreign { // unknown parts come from outside and may not fit together
		err = wire.Verify(c.l.Table, 0, b[len(dst):], left)
	}
	return zmy.Encoded(name, &e, dst, b, err)
}

// ValueError says which value of a tree does not fit the schema.
type ValueError struct {
	Type  string // name of the message's type
	Path  string // path of the value inside the message; "" is the message itself
	Value any
	Want  string // what the schema expects
}

// Error returns one line that says what failed, where and why.
func (e *ValueError) Error() string {
	path := e.Type
	if e.Path != "" {
		path += "." + e.Path
	}
	return fmt.Sprintf("zmy: dynamic: encode %s: %T where %s belongs", path, e.Value, e.Want)
}

// encoder writes a tree as a message, as generated code would write the value.
type encoder struct {
	c       *Codec
	e       *wire.Encoder
	misfit  *ValueError
	foreign bool // unknown parts were written, so the message must be verified
}

// wrong returns the error for a value v that does not have the type that the schema wants. want
// names that type.
func (p *encoder) wrong(v any, want string) *wire.Error {
	p.misfit = &ValueError{Value: v, Want: want}
	return wire.Fail(wire.ErrNoWireType, 0)
}

// structure appends a struct of type i. If head is 4, it appends a header too; if head is 0, the
// struct is an element of a list with the header h. A struct with a header of its own has h == 0.
func (p *encoder) structure(b []byte, i int, v *Struct, h uint32, head, left int) ([]byte, *wire.Error) {
	if left <= 0 {
		return b, wire.Fail(wire.ErrDepth, 0)
	}
	if v == nil {
		v = &Struct{}
	}
	t, d, places := &p.c.s.Types[i], &p.c.l.Table[i], p.c.l.Places[i]
	scalars, tails, _ := wire.SplitHeader(d.Head)
	if h == 0 {
		var err *wire.Error
		if h, err = p.head(d, v); err != nil {
			return b, err
		}
	}
	s := len(b)
	b = wire.Extend(b, head+scalars+2*tails)
	clear(b[s:])
	if head != 0 {
		wire.PutU32(b[s:], d.Head)
	}
	x := b[s+head:][:scalars]
	values := reader{fields: v.Fields}
	for j := range t.Fields { // the scalars; the tails follow in a second pass
		f, at := &t.Fields[j], places[j]
		if at.Tail {
			continue
		}
		y := x[at.Offset:][:p.c.l.Table[f.Type].Size]
		if f.Reserved {
			v.Unknown.PutKept(y, j)
		} else if value := values.next(f.Number); value != nil {
			if err := p.fixed(y, int(f.Type), value); err != nil {
				return b, err.In(f.Name, 0)
			}
		}
	}
	ends := make([]int, 0, tails)
	values.at = 0
	for j := range t.Fields {
		f := &t.Fields[j]
		if !places[j].Tail {
			continue
		}
		var err *wire.Error
		if f.Reserved {
			b = append(b, v.Unknown.Kept(j)...)
		} else if b, err = p.slot(b, int(f.Type), values.next(f.Number), left); err != nil {
			return b, err.In(f.Name, 0)
		}
		ends = append(ends, len(b)-s)
	}
	if bad := values.stranger(len(t.Fields)); bad != nil {
		return b, p.wrong(bad.Value, fmt.Sprintf("a field of %s", nameOr(t, i)))
	}
	switch {
	case d.Shape == wire.ShapeSparse:
		return p.e.EndSparse(b, s, d, ends, v.Unknown)
	case h != d.Head:
		return p.e.EndNewer(b, s, head, d.Head, h, ends, v.Unknown)
	}
	return p.e.EndStruct(b, s, s+head+scalars, ends)
}

func nameOr(t *schema.Type, i int) string {
	if t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("type %d", i)
}

// head returns a header for v that leaves room for v's unknown parts.
func (p *encoder) head(d *wire.Desc, v *Struct) (uint32, *wire.Error) {
	if v == nil || v.Unknown.IsZero() {
		return d.Head, nil
	}
	p.foreign = true
	scalars, tails, _ := wire.SplitHeader(d.Head)
	moreScalars, moreTails, _ := v.Unknown.Parts()
	if scalars+len(moreScalars) > wire.MaxScalars || tails+len(moreTails) > wire.MaxTails {
		return 0, wire.Fail(wire.ErrTooLarge, 0)
	}
	return v.Unknown.Head(d.Head), nil
}

// reader finds the values of fields. Callers ask for them in the order of their numbers, and fields
// are mostly in that order.
type reader struct {
	fields []Field
	at     int
}

func (r *reader) next(number uint32) any {
	for i := r.at; i < len(r.fields); i++ {
		if f := r.fields[i].Field; f != nil && f.Number == number {
			r.at = i + 1
			return r.fields[i].Value
		}
	}
	for i := range min(r.at, len(r.fields)) { // the tree is in another order
		if f := r.fields[i].Field; f != nil && f.Number == number {
			return r.fields[i].Value
		}
	}
	return nil
}

// stranger returns a field that a struct of n fields does not have, or nil.
func (r *reader) stranger(n int) *Field {
	for i := range r.fields {
		if f := r.fields[i].Field; f == nil || f.Number >= uint32(n) {
			return &r.fields[i]
		}
	}
	return nil
}

// slot appends v as the content of a slot of type i; nil has no content. left is the number of
// levels that may still be entered, that of the struct around v included.
func (p *encoder) slot(b []byte, i int, v any, left int) ([]byte, *wire.Error) {
	if v == nil {
		return b, nil
	}
	t := &p.c.s.Types[i]
	switch t.Kind {
	case schema.String, schema.OwnText:
		if v, ok := v.(string); ok {
			return wire.AppendString(b, v)
		}
		return b, p.wrong(v, "a string")
	case schema.Bytes, schema.OwnZMY, schema.OwnBinary:
		if v, ok := v.([]byte); ok {
			return append(b, v...), nil
		}
		return b, p.wrong(v, "[]byte")
	case schema.JSON:
		if v, ok := v.(json.RawMessage); ok {
			return append(b, v...), nil
		}
		return b, p.wrong(v, "json.RawMessage")
	case schema.BigInt, schema.BigFloat:
		return p.big(b, v, t.Kind, false)
	case schema.Any:
		return wire.AppendAny(p.e, b, v, left-1)
	case schema.Opt:
		return p.opt(b, t, v, left)
	case schema.List:
		return p.list(b, t, v, left)
	case schema.Array:
		return p.array(b, i, t, v, left)
	case schema.Map:
		return p.mapping(b, i, t, v, left)
	case schema.Union:
		return p.union(b, t, v, left)
	}
	return p.inner(b, i, v, left)
}

// inner appends a struct, or nothing for its zero value.
func (p *encoder) inner(b []byte, i int, v any, left int) ([]byte, *wire.Error) {
	s, ok := v.(*Struct)
	if !ok {
		return b, p.wrong(v, "a struct")
	}
	at := len(b)
	b, err := p.structure(b, i, s, 0, 4, left-1)
	if err == nil && wire.IsZeroStruct(b[at:]) {
		b = b[:at]
	}
	return b, err
}

// big appends a big number. It appends nothing for 0, unless zero is set: a pointer to 0 is not
// nil.
func (p *encoder) big(b []byte, v any, k schema.Kind, zero bool) ([]byte, *wire.Error) {
	if k == schema.BigInt {
		x, ok := v.(*big.Int)
		switch {
		case !ok:
			return b, p.wrong(v, "*big.Int")
		case x == nil, x.Sign() == 0 && !zero:
			return b, nil
		}
		return wire.AppendBigInt(b, x), nil
	}
	x, ok := v.(*big.Float)
	switch {
	case !ok:
		return b, p.wrong(v, "*big.Float")
	case x == nil, wire.IsZeroFloat(x) && !zero:
		return b, nil
	}
	return wire.AppendBigFloat(b, x)
}

func (p *encoder) opt(b []byte, t *schema.Type, v any, left int) ([]byte, *wire.Error) {
	switch k := p.c.s.Types[t.Elem].Kind; {
	case p.c.isFixed(t.Elem):
		s := len(b)
		b = wire.Extend(b, p.c.l.Table[t.Elem].Size)
		clear(b[s:])
		return b, p.fixed(b[s:], int(t.Elem), v)
	case k == schema.BigInt, k == schema.BigFloat:
		return p.big(b, v, k, true)
	case k == schema.Struct:
		s, ok := v.(*Struct)
		if !ok {
			return b, p.wrong(v, "a struct")
		}
		return p.structure(b, int(t.Elem), s, 0, 4, left-1)
	}
	return p.slot(append(b, 1), int(t.Elem), v, left)
}

func (p *encoder) union(b []byte, t *schema.Type, v any, left int) ([]byte, *wire.Error) {
	u, ok := v.(*Union)
	if !ok {
		return b, p.wrong(v, "a union")
	}
	if u.Number == 0 {
		return b, wire.Fail(wire.ErrDomain, 0)
	}
	b = wire.AppendDisc(b, u.Number)
	f := armOf(t, u.Number)
	if f == nil {
		return append(b, u.Raw...), nil
	}
	if u.Value == nil {
		return b, nil
	}
	return p.inner(b, int(f.Type), u.Value, left)
}
