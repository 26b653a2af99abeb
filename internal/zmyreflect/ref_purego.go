//go:build purego || !(amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package zmyreflect

import (
	"math/big"
	"reflect"
	"time"

	"github.com/zmylab/zmy/wire"
)

// ref is a variable of a type in the plan. It can be set.
type ref struct{ v reflect.Value }

// canRun says whether neighbouring numbers may be copied together.
const canRun = false

// typeAddr returns the address of t's description, which is different for each type.
func typeAddr(t reflect.Type) uintptr { return reflect.ValueOf(t).Pointer() }

// pointee returns the variable that the pointer v points to.
func pointee(v any) ref { return ref{reflect.ValueOf(v).Elem()} }

// value returns v, or the variable it points to. A value in an interface must not change, so value
// copies it: methods and users of the ref may set the copy.
func (p *Plan) value(v any) ref {
	if reflect.TypeOf(v) != p.root.rt {
		return pointee(v)
	}
	n := reflect.New(p.root.rt).Elem()
	n.Set(reflect.ValueOf(v))
	return ref{n}
}

// field returns a field of a struct. Package reflect refuses to set an unexported field. So field
// makes a new variable of the field's type at the same address.
func (r ref) field(f *field) ref {
	v := r.v.Field(f.index)
	if !f.exported {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return ref{v}
}

// refTo returns the variable v as a ref.
func refTo(v reflect.Value) ref { return ref{v} }

// index returns element i of an array.
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

// as returns a pointer to the variable v as a *T. v's type and T must have the same underlying
// type.
func as[T any](v reflect.Value) *T { return v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T) }

// value returns the variable as a reflect.Value.
func (r ref) value(*typ) reflect.Value { return r.v }

// pointer returns a pointer to the variable, for calling methods.
func (r ref) pointer(*typ) any { return r.v.Addr().Interface() }

func (r ref) setZero(*typ) { r.v.SetZero() }

// deref returns the variable that a pointer points to. It returns false for nil.
func (r ref) deref() (ref, bool) { return ref{r.v.Elem()}, !r.v.IsNil() }

// point sets a pointer to the address of the variable to. Addr returns an unnamed pointer type,
// which can be assigned to a named one.
func (r ref) point(to ref) { r.v.Set(to.v.Addr()) }

func newOf(t *typ) ref { return ref{reflect.New(t.rt).Elem()} }

// list is the elements of a slice or an array.
type list struct{ v reflect.Value }

func (l list) at(i int) ref { return ref{l.v.Index(i)} }

// slice returns the elements of a slice and their number.
func (r ref) slice(*typ) (list, int) { return list{r.v}, r.v.Len() }

// array returns the elements of an array.
func (r ref) array(*typ) list { return list{r.v} }

// isNil reports whether a slice or map is nil.
func (r ref) isNil() bool { return r.v.IsNil() }

// makeSlice sets the length of a slice to n and returns its elements. It allocates new ones unless
// the old ones may be reused.
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

// putPlain sets x to the encoding of a number, a bool or an array of them.
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
		wire.PutF32(x, *as[float32](r.v)) // v.Float would change NaNs, as would v.Complex
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

// getPlain sets a number, a bool or an array of them from x. The bytes of bools must be 0 or 1.
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

// putRun and getRun are never called, since canRun is false.
func (r ref) putRun([]byte, uintptr) { panic("zmyreflect: no runs") }
func (r ref) getRun([]byte, uintptr) { panic("zmyreflect: no runs") }

// appendPlain appends the elements of a slice of numbers, of bools, or of arrays of them.
func (r ref) appendPlain(b []byte, t *typ) []byte {
	at := len(b)
	b = wire.Extend(b, r.v.Len()*t.elem.size)
	for i := range r.v.Len() {
		ref{r.v.Index(i)}.putPlain(t.elem, b[at+i*t.elem.size:])
	}
	return b
}

// decodePlain sets a slice to n plain values from y. The caller has checked y.
func (r ref) decodePlain(d *wire.Decoder, t *typ, y []byte, n int) {
	l := r.makeSlice(d, t, n)
	for i := range n {
		l.at(i).getPlain(t.elem, y[i*t.elem.size:])
	}
}

// canHelp says whether package wire's functions may be called for lists and maps of named types.
const canHelp = false

// appendHelped and decodeHelped are never called, since canHelp is false.

func (r ref) appendHelped(*wire.Encoder, []byte, *typ, int) ([]byte, *wire.Error) {
	panic("zmyreflect: no help")
}

func (r ref) decodeHelped(*wire.Decoder, []byte, *typ, int) *wire.Error {
	panic("zmyreflect: no help")
}
