package jsonrt

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: A Code ties the functions that the generator writes for a type to the entry points of
// package fxjson. Marshal and Unmarshal look the type up (lookup) and call the Code through the
// interface code, which hides the type. Generated methods know their Code and need no look-up.
// Three things keep results equal to those of encoding/json: fits says whether the code was made
// for the types of this program; Shadow is given to encoding/json in place of the value, so that it
// does not call the generated methods when it is asked for an error; and if anything failed, every
// function ends by calling encoding/json.

// Code is the generated code of one type. The method JSONCode of *T returns a
// pointer to it.
type Code[T any] struct {
	Encode func(e *Enc, b []byte, v *T) []byte
	Decode func(d *Dec, i int, v *T) int
	// Print is the fingerprint of T at the time when the code was generated, see stale.go.
	Print uint64
	// Only is "encode" or "decode" if the code was generated for that direction only. The function
	// for the other direction is [EncodeOnly] or [DecodeOnly], which returns an error.
	Only string
	// Alias says that T holds strings or raw bytes. Decoding lets them share memory.
	Alias bool
	// Shadow returns v as a pointer to a type that equals T but has no methods. It is set if T has
	// generated methods MarshalJSON and UnmarshalJSON, which encoding/json must not call when it is
	// asked for an error.
	Shadow func(v *T) any

	// size is the capacity for the next result if the last one was large, else 0; see marshalLarge.
	size atomic.Int64

	texts texts

	state atomic.Uint32 // whether the code fits the program's types, see stale.go

	methods methods // that decoding may call
}

// Coder is implemented by pointers to types with generated code.
type Coder interface{ JSONCode() any }

// code is the interface of a *[Code] of any type.
type code interface {
	typ() reflect.Type
	fits() bool
	standsIn() bool
	encodeOnly() bool
	encode(e *Enc, b []byte, v any) []byte
	encodeAt(e *Enc, b []byte, v any) []byte
	decodeAt(d *Dec, i int, v any) int
	marshal(b []byte, v any, opt Options) ([]byte, error)
	marshalNew(v any, opt Options) ([]byte, error)
	unmarshal(b []byte, v any, opt Options) error
	first(b []byte, v any, opt Options) int
}

// textsOf returns what is known of the texts of T, nil if T holds none.
func (c *Code[T]) textsOf() *texts {
	if c.Alias {
		return &c.texts
	}
	return nil
}

func (c *Code[T]) typ() reflect.Type { return reflect.TypeFor[T]() }

// encode appends v, a T or *T.
func (c *Code[T]) encode(e *Enc, b []byte, v any) []byte {
	if p, ok := v.(*T); ok {
		return EncodePtr(e, b, &p, c.Encode)
	}
	x := v.(T)
	addr := e.addr
	e.addr = false
	b = c.Encode(e, b, &x)
	e.addr = addr
	return b
}

// marshal appends v, a T or *T, to b.
func (c *Code[T]) marshal(b []byte, v any, opt Options) ([]byte, error) {
	e, n := newEnc(opt), len(b)
	b = c.encode(e, b, v)
	if e.Done() {
		return b, nil
	}
	return c.marshalStd(e, b[:n], v)
}

// marshalStd appends v after e has failed, see [Enc.rescue].
func (c *Code[T]) marshalStd(e *Enc, b []byte, v any) ([]byte, error) {
	if c.Shadow != nil {
		v = c.shadow(v)
	}
	return e.rescue(b, v)
}

// maxBuffer is the size in bytes of the largest scratch memory that is kept for the next call.
const maxBuffer = 1 << 20

// largeResult is the size in bytes from which the next result is written to the memory that the
// caller gets, instead of being copied from scratch memory.
const largeResult = 64 << 10

// firstResult is the size in bytes from which the first result of an [Enc] is its scratch memory
// itself. Most of the cost of a first call is to touch new memory, and a copy would touch more of
// it.
const firstResult = 4 << 10

// marshalNew returns the JSON of v, a T or *T, in memory of its own. The memory has no spare
// capacity, except from marshalLarge.
func (c *Code[T]) marshalNew(v any, opt Options) (out []byte, err error) {
	if size := c.size.Load(); size != 0 {
		return c.marshalLarge(v, int(size), opt)
	}
	e := newEnc(opt)
	b := c.encode(e, e.buf[:0], v)
	switch first := !e.used; {
	case e.failed:
	case first && firstResult <= len(b) && cap(b) <= 2*len(b): // no copy, so that new pages are touched only once
		out, b = b[:len(b):len(b)], nil
	default:
		out = make([]byte, len(b))
		copy(out, b)
	}
	e.used = true
	if cap(b) <= maxBuffer {
		e.buf = b
	}
	if len(out) >= largeResult {
		c.size.Store(roomFor(len(out)))
	}
	if e.Done() {
		return out, nil
	}
	return c.marshalStd(e, nil, v)
}

// marshalLarge is marshalNew after a large result. size is the capacity to begin with. It avoids
// the copy and, above all, the growth of the scratch memory in steps.
func (c *Code[T]) marshalLarge(v any, size int, opt Options) ([]byte, error) {
	e := newEnc(opt)
	b := c.encode(e, newBuffer(size), v)
	if !e.Done() {
		return c.marshalStd(e, nil, v)
	}
	switch n := len(b); {
	case n < largeResult:
		c.size.Store(0)
		return append([]byte(nil), b...), nil
	case n < cap(b)-cap(b)/4: // b would waste a quarter of its memory
		c.size.Store(roomFor(n))
		return append([]byte(nil), b...), nil
	case cap(b) != size: // it had to grow, maybe only for what could have followed at its end
		c.size.Store(max(roomFor(n), int64(size+size/64)))
	}
	return b, nil
}

// roomFor returns the capacity for results of about n bytes.
func roomFor(n int) int64 { return int64(n + n/64 + 2*jsonwire.Pad) }

// MarshalMethod is the body of a generated method MarshalJSON. It does not escape <, > and &:
// encoding/json does so in the result, unless SetEscapeHTML forbids it. Its errors do not come from
// encoding/json, which would call the method again.
func (c *Code[T]) MarshalMethod(v *T) ([]byte, error) {
	if !c.fits() {
		return MarshalWith(reflect.ValueOf(c.Shadow(v)).Elem().Interface(), 0)
	}
	e := newEnc(PlainHTML)
	e.limit = methodDepth
	b := c.Encode(e, nil, v)
	if e.Done() {
		return b, nil
	}
	if e.err != nil {
		return nil, e.err
	}
	return nil, fmt.Errorf("fxjson: marshal %v: a number is not finite, values nest too deep or without end, or a method failed", c.typ())
}

// UnmarshalMethod is the body of a generated method UnmarshalJSON, which encoding/json calls with a
// valid document. Its errors for values of the wrong type do not come from encoding/json.
func (c *Code[T]) UnmarshalMethod(b []byte, v *T) error {
	if !c.fits() {
		return UnmarshalWith(b, c.stdTarget(v), 0)
	}
	d := decPool.Get().(*Dec)
	d.load(b, c.textsOf(), 0)
	if !jsonwire.Valid(d.doc, d.n) { // the caller is not encoding/json
		d.free()
		return json.Unmarshal(b, c.stdTarget(v))
	}
	d.merge = true
	c.Decode(d, 0, v)
	err := d.err
	d.free()
	return located(err, b)
}

// shadow returns v, a T or *T, as the type without methods: a pointer if v is a pointer, else a
// value.
func (c *Code[T]) shadow(v any) any {
	if p, ok := v.(*T); ok {
		return c.Shadow(p)
	}
	x := v.(T)
	return reflect.ValueOf(c.Shadow(&x)).Elem().Interface()
}

// unmarshal decodes b into v, a *T. For nil, or for a T, the error is that of encoding/json.
func (c *Code[T]) unmarshal(b []byte, v any, opt Options) error {
	if p, ok := v.(*T); ok && p != nil {
		return c.unmarshalWith(b, p, opt)
	}
	return unmarshalStd(b, v, opt)
}

// NewEnc is the function [NewEnc] for generated methods, which programs call without package
// fxjson. If the code does not fit the program's types, the returned Enc has already failed, and
// [Code.AppendStd] encodes the value by a plan.
func (c *Code[T]) NewEnc(addressable bool) *Enc {
	e := NewEnc(addressable)
	if c.state.Load() != good { // saves the call of fits
		e.failed = !c.fits()
	}
	return e
}

// AppendStd appends v after the generated code has failed; the error comes from encoding/json. v is
// a T or a *T, perhaps converted to the type without methods.
func (c *Code[T]) AppendStd(b []byte, v any) ([]byte, error) {
	if !c.fits() {
		return planned(b, v)
	}
	return NewEnc(false).rescue(b, v)
}

// codes keeps the result of find for each type: a code, or nil. recent is a small cache in front of
// codes. Each type has one place in it, which it may share with other types. Without recent,
// look-ups took a twentieth of the time of marshaling an event (BenchmarkMarshal).
var (
	codes  sync.Map
	recent [64]atomic.Pointer[known]
)

type known struct {
	id uintptr // of the type
	c  code
}

// lookup returns the generated code of v's type or of the type that v points to, nil if there is
// none. Methods that an embedded field promotes do not count: they know the embedded type only.
func lookup(v any) code {
	id := typeID(v)
	place := &recent[id>>5%uintptr(len(recent))]
	if k := place.Load(); k != nil && k.id == id {
		return k.c
	}
	k := &known{id, lookupSlow(reflect.TypeOf(v))}
	place.Store(k)
	return k.c
}

func lookupSlow(t reflect.Type) code {
	if c, ok := codes.Load(t); ok {
		c, _ := c.(code)
		return c
	}
	c := find(t)
	codes.Store(t, c)
	return c
}

// find returns the generated code of t, or of the type that t points to, if there is any that fits
// the program's types; else nil.
func find(t reflect.Type) code {
	if t.Kind() == reflect.Pointer {
		if t.Name() != "" {
			return nil // a named pointer type is not *T
		}
		t = t.Elem()
	}
	if c := findAny(t); c != nil && c.fits() {
		return c
	}
	return nil
}

// findAny returns the generated code of t, whether it fits or not, or nil. It does not follow
// pointers.
func findAny(t reflect.Type) (c code) {
	p, ok := reflect.New(t).Interface().(Coder)
	if !ok {
		return nil
	}
	// The method JSONCode panics if it is promoted from an embedded interface that is nil.
	defer func() {
		if recover() != nil {
			c = nil
		}
	}()
	if c, ok := p.JSONCode().(code); ok && c.typ() == t {
		return c
	}
	return nil
}

// stdTarget returns what encoding/json decodes into in place of v, so that it calls no generated
// method.
func (c *Code[T]) stdTarget(v *T) any {
	if c.Shadow != nil {
		return c.Shadow(v)
	}
	return v
}
