//go:build !purego && (amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package zmyreflect

import (
	"math/big"
	"reflect"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// ref is a variable of a type known to the plan.
//
// SAFETY: for the whole file. A ref is made from a pointer that the caller of
// package zmy passed in, or from memory that package reflect allocated for the
// very type; fields and elements are reached by the offsets and sizes that
// reflect gives for that type, never past a length. Each access converts to a
// pointer to the type that the plan says is there, or to one of the same
// underlying type, which has the same layout (unsafe.Pointer, rule 1). Pointers
// are stored through typed pointers, so that the garbage collector sees them.
// The build tags name little-endian machines of 64 bits, where the memory of
// numbers is the bytes of the wire, int and uint included. BenchmarkReflect
// shows why: ref_purego.go, the twin and reference, takes several times as long. All
// tests run against both (-tags purego).
type ref struct{ p unsafe.Pointer }

// canRun says that numbers side by side may be copied at once.
const canRun = true

// typeAddr is where t's description stands, which is a number for each type.
// Types that are made while the program runs stay where they are as well.
func typeAddr(t reflect.Type) uintptr { return (*[2]uintptr)(unsafe.Pointer(&t))[1] }

// pointee is what v, a pointer, points to.
func pointee(v any) ref { return ref{reflect.ValueOf(v).UnsafePointer()} }

// value is v, or what it points to. An interface holds a pointer to a value that
// is larger than one, and nothing changes it while it is only read, which
// methods of the value might not keep to: they get a copy.
func (p *Plan) value(v any) ref {
	switch {
	case reflect.TypeOf(v) != p.root.rt:
		return pointee(v)
	case p.boxed || p.root.rt.Size() <= unsafe.Sizeof(v)/2:
		n := reflect.New(p.root.rt)
		n.Elem().Set(reflect.ValueOf(v))
		return ref{n.UnsafePointer()}
	}
	return ref{(*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1]}
}

func (r ref) field(f *field) ref { return ref{unsafe.Add(r.p, f.offset)} }

// refTo is the variable v.
func refTo(v reflect.Value) ref { return ref{v.Addr().UnsafePointer()} }

// index is element i of an array.
func (r ref) index(t *typ, i int) ref { return ref{unsafe.Add(r.p, uintptr(i)*t.stride)} }

func (r ref) str() string            { return *(*string)(r.p) }
func (r ref) setStr(s string)        { *(*string)(r.p) = s }
func (r ref) bytes() []byte          { return *(*[]byte)(r.p) }
func (r ref) setBytes(b []byte)      { *(*[]byte)(r.p) = b }
func (r ref) any() any               { return *(*any)(r.p) }
func (r ref) setAny(v any)           { *(*any)(r.p) = v }
func (r ref) time() *time.Time       { return (*time.Time)(r.p) }
func (r ref) bigInt() *big.Int       { return (*big.Int)(r.p) }
func (r ref) bigFloat() *big.Float   { return (*big.Float)(r.p) }
func (r ref) unknown() *wire.Unknown { return (*wire.Unknown)(r.p) }

// value is the variable for package reflect.
func (r ref) value(t *typ) reflect.Value { return reflect.NewAt(t.rt, r.p).Elem() }

// pointer is a pointer to the variable, which has its methods.
func (r ref) pointer(t *typ) any { return reflect.NewAt(t.rt, r.p).Interface() }

func (r ref) setZero(t *typ) { reflect.NewAt(t.rt, r.p).Elem().SetZero() }

// deref is what a pointer points to, false for nil.
func (r ref) deref() (ref, bool) {
	p := *(*unsafe.Pointer)(r.p)
	return ref{p}, p != nil
}

// point makes a pointer point to a variable.
func (r ref) point(to ref) { *(*unsafe.Pointer)(r.p) = to.p }

func newOf(t *typ) ref { return ref{reflect.New(t.rt).UnsafePointer()} }

// slice is the memory of a slice.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// list is the elements of a slice or array.
type list struct {
	p      unsafe.Pointer
	stride uintptr
}

func (l list) at(i int) ref { return ref{unsafe.Add(l.p, uintptr(i)*l.stride)} }

// slice is the elements of a slice and their number.
func (r ref) slice(t *typ) (list, int) {
	s := (*slice)(r.p)
	return list{s.data, t.stride}, s.len
}

// array is the elements of an array.
func (r ref) array(t *typ) list { return list{r.p, t.stride} }

// isNil reports a slice or map that is nil: their first word is a pointer.
func (r ref) isNil() bool { return *(*unsafe.Pointer)(r.p) == nil }

// makeSlice gives a slice n elements: those that it has, if their memory may be
// used again, else new ones.
func (r ref) makeSlice(d *wire.Decoder, t *typ, n int) list {
	s := (*slice)(r.p)
	if d.Reuse && n <= s.cap {
		s.len = n
	} else {
		*s = slice{} // so that Grow has nothing to move
		r.value(t).Grow(n)
		s.len, s.cap = n, n
	}
	return list{s.data, t.stride}
}

// makeAll returns n new elements for a list of pointers.
func makeAll(t *typ, n int) list {
	e := t.elem.rt
	return list{reflect.MakeSlice(reflect.SliceOf(e), n, n).UnsafePointer(), e.Size()}
}

// putPlain sets x to the bytes of a number, a bool or an array of them.
func (r ref) putPlain(_ *typ, x []byte) { r.putRun(x, 0) }

// getPlain sets them; bools must be 0 or 1.
func (r ref) getPlain(_ *typ, x []byte) { r.getRun(x, 0) }

// putRun sets x to the memory that stands from bytes inside the variable.
func (r ref) putRun(x []byte, from uintptr) {
	p := unsafe.Add(r.p, from)
	switch len(x) {
	case 1:
		x[0] = *(*byte)(p)
	case 2:
		wire.PutU16(x, *(*uint16)(p))
	case 4:
		wire.PutU32(x, *(*uint32)(p))
	case 8:
		wire.PutU64(x, *(*uint64)(p))
	default:
		copy(x, unsafe.Slice((*byte)(p), len(x)))
	}
}

// getRun sets that memory to x.
func (r ref) getRun(x []byte, from uintptr) {
	p := unsafe.Add(r.p, from)
	switch len(x) {
	case 1:
		*(*byte)(p) = x[0]
	case 2:
		*(*uint16)(p) = wire.U16(x)
	case 4:
		*(*uint32)(p) = wire.U32(x)
	case 8:
		*(*uint64)(p) = wire.U64(x)
	default:
		copy(unsafe.Slice((*byte)(p), len(x)), x)
	}
}

// appendPlain appends the elements of a slice of plain values.
func (r ref) appendPlain(b []byte, t *typ) []byte {
	s := (*slice)(r.p)
	return append(b, unsafe.Slice((*byte)(s.data), s.len*t.elem.size)...)
}

// decodePlain sets a slice of plain values to n elements, checked already. New
// memory is that of bytes: it has no pointers in it, and an object of bytes is
// aligned for any number whose size divides its own.
func (r ref) decodePlain(d *wire.Decoder, t *typ, y []byte, n int) {
	s := (*slice)(r.p)
	if d.Reuse && n <= s.cap {
		s.len = n
		copy(unsafe.Slice((*byte)(s.data), len(y)), y)
		return
	}
	m := append([]byte(nil), y...)
	*s = slice{unsafe.Pointer(unsafe.SliceData(m)), n, n}
}

// appendHelped appends a list or map that package wire has a function for.
func (r ref) appendHelped(e *wire.Encoder, b []byte, t *typ, left int) ([]byte, *wire.Error) {
	switch {
	case t.shape == zmytype.ShapeMap && t.plain:
		return wire.AppendAnyMap(e, b, *(*map[string]any)(r.p), left-1)
	case t.shape == zmytype.ShapeMap:
		return wire.AppendStringMap(e, b, *(*map[string]string)(r.p))
	case t.plain:
		return wire.AppendAnyList(e, b, *(*[]any)(r.p), left-1)
	case t.elem.shape == zmytype.ShapeString:
		return wire.AppendStrings(b, *(*[]string)(r.p))
	case t.elem.shape == zmytype.ShapeBytes:
		return wire.AppendBytesList(b, *(*[][]byte)(r.p)), nil
	}
	return wire.AppendTimes(b, *(*[]time.Time)(r.p))
}

// decodeHelped is its inverse.
func (r ref) decodeHelped(d *wire.Decoder, y []byte, t *typ, left int) *wire.Error {
	switch {
	case t.shape == zmytype.ShapeMap && t.plain:
		return wire.DecodeAnyMap(d, y, (*map[string]any)(r.p), left-1)
	case t.shape == zmytype.ShapeMap:
		return wire.DecodeStringMap(d, y, (*map[string]string)(r.p))
	case t.plain:
		return wire.DecodeAnyList(d, y, (*[]any)(r.p), left-1)
	case t.elem.shape == zmytype.ShapeString:
		return wire.DecodeStrings(d, y, (*[]string)(r.p))
	case t.elem.shape == zmytype.ShapeBytes:
		return wire.DecodeBytesList(d, y, (*[][]byte)(r.p))
	}
	return wire.DecodeTimes(d, y, (*[]time.Time)(r.p))
}

// canHelp says that lists and maps of named types can be handed to package wire.
const canHelp = true
