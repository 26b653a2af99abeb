//go:build purego || !(amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package zmyreflect

import (
	"math/big"
	"reflect"
	"time"

	"github.com/zmylab/zmy/wire"
)

// ref is a variable of a type known to the plan: it can be set.
type ref struct{ v reflect.Value }

// canRun says that numbers side by side may be copied at once.
const canRun = false

// typeAddr is where t's description stands, which is a number for each type.
func typeAddr(t reflect.Type) uintptr { return reflect.ValueOf(t).Pointer() }

// pointee is what v, a pointer, points to.
func pointee(v any) ref { return ref{reflect.ValueOf(v).Elem()} }

// value is v, or what it points to. An interface holds values that nobody may
// change, so that methods and ref get a copy.
func (p *Plan) value(v any) ref {
	if reflect.TypeOf(v) != p.root.rt {
		return pointee(v)
	}
	n := reflect.New(p.root.rt).Elem()
	n.Set(reflect.ValueOf(v))
	return ref{n}
}

// field is a field. One that is not exported is reached by its address, since
// reflect does not set it; it is of the type that it says.
func (r ref) field(f *field) ref {
	v := r.v.Field(f.index)
	if !f.exported {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return ref{v}
}

// refTo is the variable v.
func refTo(v reflect.Value) ref { return ref{v} }

// index is element i of an array.
func (r ref) index(_ *typ, i int) ref { return ref{r.v.Index(i)} }

func (r ref) str() string            { return r.v.String() }
func (r ref) setStr(s string)        { r.v.SetString(s) }
func (r ref) bytes() []byte          { return r.v.Bytes() }
func (r ref) setBytes(b []byte)      { r.v.SetBytes(b) }
func (r ref) any() any               { return *as[any](r.v) }
func (r ref) setAny(v any)           { *as[any](r.v) = v }
func (r ref) time() *time.Time       { return as[time.Time](r.v) }
func (r ref) bigInt() *big.Int       { return as[big.Int](r.v) }
func (r ref) bigFloat() *big.Float   { return as[big.Float](r.v) }
func (r ref) unknown() *wire.Unknown { return as[wire.Unknown](r.v) }

// as is the variable v, whose type has the underlying type of T.
func as[T any](v reflect.Value) *T { return v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T) }

// value is the variable for package reflect.
func (r ref) value(*typ) reflect.Value { return r.v }

// pointer is a pointer to the variable, which has its methods.
func (r ref) pointer(*typ) any { return r.v.Addr().Interface() }

func (r ref) setZero(*typ) { r.v.SetZero() }

// deref is what a pointer points to, false for nil.
func (r ref) deref() (ref, bool) { return ref{r.v.Elem()}, !r.v.IsNil() }

// point makes a pointer point to a variable. A named pointer type takes the
// unnamed one that Addr returns.
func (r ref) point(to ref) { r.v.Set(to.v.Addr()) }

func newOf(t *typ) ref { return ref{reflect.New(t.rt).Elem()} }

// list is the elements of a slice or array.
type list struct{ v reflect.Value }

func (l list) at(i int) ref { return ref{l.v.Index(i)} }

// slice is the elements of a slice and their number.
func (r ref) slice(*typ) (list, int) { return list{r.v}, r.v.Len() }

// array is the elements of an array.
func (r ref) array(*typ) list { return list{r.v} }

// isNil reports a slice or map that is nil.
func (r ref) isNil() bool { return r.v.IsNil() }

// makeSlice gives a slice n elements: those that it has, if their memory may be
// used again, else new ones.
func (r ref) makeSlice(d *wire.Decoder, t *typ, n int) list {
	if d.Reuse && n <= r.v.Cap() {
		r.v.SetLen(n)
	} else {
		r.v.Set(reflect.MakeSlice(t.rt, n, n))
	}
	return list{r.v}
}

// makeAll returns n new elements for a list of pointers.
func makeAll(t *typ, n int) list {
	return list{reflect.MakeSlice(reflect.SliceOf(t.elem.rt), n, n)}
}

// putPlain sets x to the bytes of a number, a bool or an array of them.
func (r ref) putPlain(t *typ, x []byte) {
	switch k := t.rt.Kind(); {
	case k == reflect.Array:
		for i := range t.rt.Len() {
			r.index(t, i).putPlain(t.elem, x[i*t.elem.size:])
		}
	case r.v.CanInt():
		putUint(x[:t.size], uint64(r.v.Int()))
	case r.v.CanUint():
		putUint(x[:t.size], r.v.Uint())
	case k == reflect.Float32:
		wire.PutF32(x, *as[float32](r.v)) // Float would change NaNs, Complex likewise
	case k == reflect.Float64:
		wire.PutF64(x, r.v.Float())
	case k == reflect.Complex64:
		wire.PutC64(x, *as[complex64](r.v))
	case k == reflect.Complex128:
		wire.PutC128(x, r.v.Complex())
	default:
		wire.PutBool(x, r.v.Bool())
	}
}

// getPlain sets them; bools must be 0 or 1.
func (r ref) getPlain(t *typ, x []byte) {
	switch k := t.rt.Kind(); {
	case k == reflect.Array:
		for i := range t.rt.Len() {
			r.index(t, i).getPlain(t.elem, x[i*t.elem.size:])
		}
	case r.v.CanInt():
		shift := 64 - 8*t.size
		r.v.SetInt(int64(getUint(x[:t.size])<<shift) >> shift)
	case r.v.CanUint():
		r.v.SetUint(getUint(x[:t.size]))
	case k == reflect.Float32:
		*as[float32](r.v) = wire.F32(x)
	case k == reflect.Float64:
		r.v.SetFloat(wire.F64(x))
	case k == reflect.Complex64:
		*as[complex64](r.v) = wire.C64(x)
	case k == reflect.Complex128:
		r.v.SetComplex(wire.C128(x))
	default:
		r.v.SetBool(x[0] != 0)
	}
}

func putUint(x []byte, u uint64) {
	for i := range x {
		x[i] = byte(u)
		u >>= 8
	}
}

func getUint(x []byte) (u uint64) {
	for i := len(x) - 1; i >= 0; i-- {
		u = u<<8 | uint64(x[i])
	}
	return u
}

// There are no runs, as canRun says.
func (r ref) putRun([]byte, uintptr) { panic("zmyreflect: no runs") }
func (r ref) getRun([]byte, uintptr) { panic("zmyreflect: no runs") }

// appendPlain appends the elements of a slice of plain values.
func (r ref) appendPlain(b []byte, t *typ) []byte {
	at := len(b)
	b = wire.Extend(b, r.v.Len()*t.elem.size)
	for i := range r.v.Len() {
		ref{r.v.Index(i)}.putPlain(t.elem, b[at+i*t.elem.size:])
	}
	return b
}

// decodePlain sets a slice of plain values to n elements, checked already.
func (r ref) decodePlain(d *wire.Decoder, t *typ, y []byte, n int) {
	l := r.makeSlice(d, t, n)
	for i := range n {
		l.at(i).getPlain(t.elem, y[i*t.elem.size:])
	}
}

// canHelp says that lists and maps of named types can be handed to package wire.
const canHelp = false

// There is no help, as canHelp says.

func (r ref) appendHelped(*wire.Encoder, []byte, *typ, int) ([]byte, *wire.Error) {
	panic("zmyreflect: no help")
}

func (r ref) decodeHelped(*wire.Decoder, []byte, *typ, int) *wire.Error {
	panic("zmyreflect: no help")
}
