package pbreflect

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbvalue"
	"github.com/zmylab/zmy/internal/pbwire"
)

// encoder appends messages to b.
type encoder struct {
	b             []byte
	deterministic bool
	lengths       pbwire.Lengths
}

// Append appends the message of v, a struct of the plan's type. On an error it returns b.
func (p *Plan) Append(b []byte, v reflect.Value, deterministic bool) ([]byte, *Error) {
	e := encoder{b: b, deterministic: deterministic}
	if err := e.message(p.root, v, pbwire.MaxDepth); err != nil {
		return b, err
	}
	n := len(e.b)
	e.b = append(e.b, make([]byte, e.lengths.Extra())...)
	e.lengths.Finish(e.b, n)
	return e.b, nil
}

// message appends the fields of v. left is how many levels of messages are allowed.
func (e *encoder) message(m *message, v reflect.Value, left int) *Error {
	if left--; left < 0 {
		return fail(pbwire.ErrDepth, 0, "does the value contain itself?")
	}
	for i := range m.oneofs {
		if err := m.oneArm(v, i); err != nil {
			return err
		}
	}
	for i := range m.fields {
		f := &m.fields[i]
		var err *Error
		switch x := v.Field(f.index); f.shape {
		case pbtype.Single:
			err = e.single(f, x, left)
		case pbtype.List:
			err = e.list(f, x, left)
		case pbtype.Map:
			err = e.mapping(f, x, left)
		}
		if err != nil {
			return err.in(f.name)
		}
	}
	if m.unknown >= 0 {
		e.b = append(e.b, v.Field(m.unknown).Bytes()...)
	}
	return nil
}

// oneArm refuses a value with two arms of oneof i.
func (m *message) oneArm(v reflect.Value, i int) *Error {
	set := -1
	if at := m.oneofs[i][0]; m.rt.Field(at).Type.Kind() == reflect.Interface {
		return m.isArm(v.Field(at), i)
	}
	for _, index := range m.oneofs[i] {
		switch {
		case v.Field(index).IsNil():
		case set < 0:
			set = index
		default:
			return fail(ErrOneof, 0, fmt.Sprintf("%s and %s; set one of them to nil", m.rt.Field(set).Name, m.rt.Field(index).Name))
		}
	}
	return nil
}

// isArm refuses an interface that holds a type which is no arm of oneof i.
func (m *message) isArm(v reflect.Value, i int) *Error {
	if v.IsNil() {
		return nil
	}
	for k := range m.fields {
		if f := &m.fields[k]; f.oneof == i && f.arm.is(v.Elem().Type()) {
			return nil
		}
	}
	return fail(ErrArm, 0, v.Elem().Type().String())
}

// is reports whether values of type t are the arm.
func (a *arm) is(t reflect.Type) bool {
	return t == a.rt || t.Kind() == reflect.Pointer && t.Elem() == a.rt
}

// in returns the arm's value within an interface, or false if the interface does not hold this arm.
func (a *arm) in(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() || !a.is(v.Elem().Type()) {
		return v, false
	}
	if v = v.Elem(); v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, false
		}
		v = v.Elem()
	}
	if a.inner >= 0 {
		v = v.Field(a.inner)
	}
	return v, true
}

func (e *encoder) single(f *field, v reflect.Value, left int) *Error {
	if f.arm != nil {
		v, ok := f.arm.in(v)
		if !ok {
			return nil
		}
		return e.tagged(f.number, &f.value, v, left)
	}
	if f.absent(v) {
		return nil
	}
	start := len(e.b)
	err := e.tagged(f.number, &f.value, v, left)
	if err == nil && f.dropsEmpty() && len(e.b) == start+f.emptySize() {
		e.b = e.b[:start] // without content
	}
	return err
}

// absent reports whether a single field is not encoded. For structs with implicit presence the
// length of their encoding decides, which absent does not know.
func (f *field) absent(v reflect.Value) bool {
	switch {
	case f.presence == pbtype.Always, f.presence == pbtype.Implicit && f.value.message != nil:
		return false
	case f.presence == pbtype.Nilable:
		return v.IsNil()
	}
	return IsZero(v)
}

// IsZero reports whether a value without presence is not encoded.
func IsZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0 // negative zero is encoded
	}
	return v.IsZero()
}

// dropsEmpty reports whether a value is absent if its encoding is empty.
func (f *field) dropsEmpty() bool {
	return f.presence == pbtype.Implicit && (f.value.message != nil || f.value.kind.IsOwn())
}

// emptySize returns the number of bytes that an empty message takes as this field.
func (f *field) emptySize() int {
	n := pbwire.SizeTag(f.number)
	if f.value.kind == pbtype.Group {
		return 2 * n
	}
	return n + 1
}

// tagged appends the tag of a value and the value. A nil pointer is an empty message.
func (e *encoder) tagged(number int32, t *value, v reflect.Value, left int) *Error {
	e.b = pbwire.AppendTag(e.b, number, t.kind.Wire())
	if t.kind == pbtype.Group {
		err := e.pointee(t, v, left)
		e.b = pbwire.AppendTag(e.b, number, pbwire.EndGroupType)
		return err
	}
	if t.message != nil {
		at := e.open()
		err := e.pointee(t, v, left)
		e.close(at)
		return err
	}
	if t.pointer {
		v = v.Elem()
	}
	switch {
	case t.kind.IsDynamic():
		return e.dynamic(t, v, left)
	case t.kind == pbtype.Wrapper:
		at := e.open()
		var err *Error
		if !IsZero(v) {
			err = e.tagged(1, t.inner, v, left)
		}
		e.close(at)
		return err
	}
	return e.untagged(t, v)
}

// pointee appends the fields of a struct, or of the struct that v points to.
func (e *encoder) pointee(t *value, v reflect.Value, left int) *Error {
	if t.pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	return e.message(t.message, v, left)
}

// dynamic appends a message of any content.
func (e *encoder) dynamic(t *value, v reflect.Value, left int) *Error {
	x := pbvalue.Encoder{B: e.b, Lengths: &e.lengths, Sorted: e.deterministic}
	x.Append(t.kind, Plain(t.kind, v), left)
	e.b = x.B
	if x.Err != nil {
		return fail(x.Err, 0, x.Note)
	}
	return nil
}

// Plain returns v, a value of a dynamic kind, without a name of its type.
func Plain(k pbtype.Kind, v reflect.Value) any {
	switch k {
	case pbtype.DynamicStruct:
		return v.Convert(reflect.TypeFor[map[string]any]()).Interface()
	case pbtype.DynamicList:
		return v.Convert(reflect.TypeFor[[]any]()).Interface()
	}
	return v.Interface()
}

// content is where a message starts, and what Lengths.Extra was there.
type content struct{ at, before int }

// open makes room for the length of a message, whose content begins there.
func (e *encoder) open() content {
	e.b = append(e.b, 0)
	return content{len(e.b), e.lengths.Extra()}
}

// close sets the length of the message. One of more than one byte is set at the end.
func (e *encoder) close(c content) {
	if n := len(e.b) - c.at + e.lengths.Extra() - c.before; n < 0x80 {
		e.b[c.at-1] = byte(n)
	} else {
		e.lengths.Close(c.at, n)
	}
}

// untagged appends a value that is no struct.
func (e *encoder) untagged(t *value, v reflect.Value) *Error {
	switch t.kind {
	case pbtype.String:
		s := v.String()
		if !t.raw && !utf8.ValidString(s) {
			return fail(ErrUTF8, 0, "use []byte, or option raw")
		}
		e.b = pbwire.AppendBytes(e.b, s)
	case pbtype.Bytes:
		e.bytes(t, v)
	case pbtype.Text, pbtype.Binary:
		return e.own(t, v)
	case pbtype.Timestamp:
		x := v.Interface().(time.Time)
		e.known(x.Unix(), int64(x.Nanosecond()))
	case pbtype.Duration:
		x := v.Int()
		e.known(x/1e9, x%1e9)
	default:
		e.number(t.kind, bitsOf(t.kind, v))
	}
	return nil
}

func (e *encoder) bytes(t *value, v reflect.Value) {
	if t.length == 0 {
		e.b = pbwire.AppendBytes(e.b, v.Bytes())
		return
	}
	e.b = pbwire.AppendVarint(e.b, uint64(t.length))
	for i := range t.length {
		e.b = append(e.b, byte(v.Index(i).Uint()))
	}
}

// known appends a Timestamp or a Duration.
func (e *encoder) known(seconds, nanos int64) {
	at := e.open()
	if seconds != 0 {
		e.b = pbwire.AppendVarint(append(e.b, knownSeconds<<3), uint64(seconds))
	}
	if nanos != 0 {
		e.b = pbwire.AppendVarint(append(e.b, knownNanos<<3), uint64(nanos))
	}
	e.close(at)
}

// number appends a number, given the bits of its encoding.
func (e *encoder) number(k pbtype.Kind, x uint64) {
	switch k.Wire() {
	case pbwire.VarintType:
		e.b = pbwire.AppendVarint(e.b, x)
	case pbwire.Fixed32Type:
		e.b = pbwire.AppendFixed32(e.b, uint32(x))
	case pbwire.Fixed64Type:
		e.b = pbwire.AppendFixed64(e.b, x)
	}
}

// bitsOf returns the number v as its encoding has it, before it becomes a varint or fixed bytes.
func bitsOf(k pbtype.Kind, v reflect.Value) uint64 {
	switch k {
	case pbtype.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case pbtype.Uint32, pbtype.Uint64, pbtype.Fixed32, pbtype.Fixed64:
		return v.Uint()
	case pbtype.Sint32, pbtype.Sint64:
		return pbwire.ZigZag(v.Int())
	case pbtype.Float:
		return uint64(math.Float32bits(float32(v.Float())))
	case pbtype.Double:
		return math.Float64bits(v.Float())
	}
	return uint64(v.Int())
}

func (e *encoder) list(f *field, v reflect.Value, left int) *Error {
	n := v.Len()
	if n == 0 {
		return nil
	}
	if f.packed {
		e.b = pbwire.AppendTag(e.b, f.number, pbwire.BytesType)
		at := e.open()
		for i := range n {
			e.number(f.value.kind, bitsOf(f.value.kind, v.Index(i)))
		}
		e.close(at)
		return nil
	}
	for i := range n {
		if err := e.tagged(f.number, &f.value, v.Index(i), left); err != nil {
			return err.element(i)
		}
	}
	return nil
}

func (e *encoder) mapping(f *field, v reflect.Value, left int) *Error {
	if v.Len() == 0 {
		return nil
	}
	if !e.deterministic {
		for entry := v.MapRange(); entry.Next(); {
			if err := e.entry(f, entry.Key(), entry.Value(), left); err != nil {
				return err
			}
		}
		return nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, f.key.compare)
	for _, k := range keys {
		if err := e.entry(f, k, v.MapIndex(k), left); err != nil {
			return err
		}
	}
	return nil
}

// compare orders the keys of a map: false before true, numbers by value, strings by bytes.
func (t *value) compare(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(bitsOf(t.kind, a), bitsOf(t.kind, b))
	}
	if a.CanInt() {
		return cmp.Compare(a.Int(), b.Int())
	}
	return cmp.Compare(a.Uint(), b.Uint())
}

// entry appends an entry of a map. It always has a key and a value. left counts the entry as a
// level, as decoders do.
func (e *encoder) entry(f *field, k, v reflect.Value, left int) *Error {
	e.b = pbwire.AppendTag(e.b, f.number, pbwire.BytesType)
	at := e.open()
	err := e.tagged(entryKey, &f.key, k, left-1)
	if err == nil {
		err = e.tagged(entryValue, &f.value, v, left-1)
	}
	if err != nil {
		return err.in(fmt.Sprintf("[%#v]", k))
	}
	e.close(at)
	return nil
}
