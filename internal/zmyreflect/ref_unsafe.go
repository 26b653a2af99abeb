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

// ref is a variable of a type in the plan.
//
// SAFETY: for the whole file. A ref is made from a pointer that the caller of package zmy passed
// in, or from memory that package reflect allocated for that type. Fields and elements are reached
// with the offsets and sizes that reflect reports for the type, never beyond a length. Each access
// converts to a pointer to the type that the plan says is there, or to one with the same underlying
// type, which has the same layout (unsafe.Pointer, rule 1). Pointers are stored through typed
// pointers, so that the garbage collector sees them. The build tags name little-endian machines of
// 64 bits, on which numbers have the same bytes in memory as in messages, int and uint included.
// BenchmarkReflect shows the reason for this file: ref_purego.go, the twin and reference, takes
// several times as long. All tests run with both (-tags purego).
type ref struct{ p unsafe.Pointer }

// canRun says whether neighbouring numbers may be copied together.
const canRun = true

// typeAddr returns the address of t's description, which is different for each type. Types that the
// running program makes do not move either.
func typeAddr(t reflect.Type) uintptr { return (*[2]uintptr)(unsafe.Pointer(&t))[1] }

// pointee returns the variable that the pointer v points to.
func pointee(v any) ref { return ref{reflect.ValueOf(v).UnsafePointer()} }

// value returns v, or the variable it points to. If v is larger than a pointer, the interface holds
// a pointer to it. Marshalling only reads, so it uses that memory. Methods of the type might write
// to it, so they get a copy.
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

// refTo returns the variable v as a ref.
func refTo(v reflect.Value) ref { return ref{v.Addr().UnsafePointer()} }

// index returns element i of an array.
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

// value returns the variable as a reflect.Value.
func (r ref) value(t *typ) reflect.Value { return reflect.NewAt(t.rt, r.p).Elem() }

// pointer returns a pointer to the variable, for calling methods.
func (r ref) pointer(t *typ) any { return reflect.NewAt(t.rt, r.p).Interface() }

func (r ref) setZero(t *typ) { reflect.NewAt(t.rt, r.p).Elem().SetZero() }

// deref returns the variable that a pointer points to. It returns false for nil.
func (r ref) deref() (ref, bool) {
	p := *(*unsafe.Pointer)(r.p)
	return ref{p}, p != nil
}

// point sets a pointer to the address of the variable to.
func (r ref) point(to ref) { *(*unsafe.Pointer)(r.p) = to.p }

func newOf(t *typ) ref { return ref{reflect.New(t.rt).UnsafePointer()} }

// slice is the layout of a slice in memory.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// list is the elements of a slice or an array.
type list struct {
	p      unsafe.Pointer
	stride uintptr
}

func (l list) at(i int) ref { return ref{unsafe.Add(l.p, uintptr(i)*l.stride)} }

// slice returns the elements of a slice and their number.
func (r ref) slice(t *typ) (list, int) {
	s := (*slice)(r.p)
	return list{s.data, t.stride}, s.len
}

// array returns the elements of an array.
func (r ref) array(t *typ) list { return list{r.p, t.stride} }

// isNil reports whether a slice or map is nil. The first word of either is a pointer.
func (r ref) isNil() bool { return *(*unsafe.Pointer)(r.p) == nil }

// makeSlice sets the length of a slice to n and returns its elements. It allocates new ones unless
// the old ones may be reused.
func (r ref) makeSlice(d *wire.Decoder, t *typ, n int) list {
	s := (*slice)(r.p)
	if d.Reuse && n <= s.cap {
		s.len = n
	} else {
		*s = slice{} // so that Grow copies nothing
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

// putPlain sets x to the encoding of a number, a bool or an array of them.
func (r ref) putPlain(_ *typ, x []byte) { r.putRun(x, 0) }

// getPlain sets a number, a bool or an array of them from x. The bytes of bools must be 0 or 1.
func (r ref) getPlain(_ *typ, x []byte) { r.getRun(x, 0) }

// putRun sets x to the memory at offset from of the variable.
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

// getRun sets the memory at offset from of the variable to x.
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

// appendPlain appends the elements of a slice of numbers, of bools, or of arrays of them.
func (r ref) appendPlain(b []byte, t *typ) []byte {
	s := (*slice)(r.p)
	return append(b, unsafe.Slice((*byte)(s.data), s.len*t.elem.size)...)
}

// decodePlain sets a slice to n plain values from y. The caller has checked y. New memory is
// allocated as bytes: plain values contain no pointers, and memory for bytes is aligned for any
// number whose size divides the size of the memory.
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

// appendHelped appends a list or map with a function of package wire.
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

// decodeHelped sets a list or map with a function of package wire.
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

// canHelp says whether package wire's functions may be called for lists and maps of named types.
const canHelp = true
