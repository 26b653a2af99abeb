package experiment

import (
	"math"
	"reflect"
	"unsafe"
)

// reader sums up the value of one type at address p, with the same result as reflectWalk.
type reader func(p unsafe.Pointer, depth int) uint64

// offsetWalk returns a function that sums up values of type t by the offsets of their fields, which
// are computed once. Maps and the contents of interfaces have no offsets; they are read by package
// reflect.
func offsetWalk[N any](vals []N, t reflect.Type) func(i int) uint64 {
	read := readers{}.of(t)
	return func(i int) uint64 {
		// SAFETY: p is the address of a live N, and read was made for its type: it reads fields at
		// the offsets that reflect reports, elements within lengths, and the targets of non-nil
		// pointers.
		return read(unsafe.Pointer(&vals[i]), 0)
	}
}

// readers holds the readers of types that were met, so that make ends for types that contain
// themselves.
type readers map[reflect.Type]*reader

func (m readers) of(t reflect.Type) reader {
	if r := m[t]; r != nil {
		return func(p unsafe.Pointer, depth int) uint64 { return (*r)(p, depth) } // r may not be complete yet
	}
	r := new(reader)
	m[t] = r
	*r = m.make(t)
	return *r
}

// field is a field of a struct.
type field struct {
	offset uintptr
	read   reader
}

func (m readers) make(t reflect.Type) reader {
	switch k := t.Kind(); k {
	case reflect.Bool:
		return func(p unsafe.Pointer, _ int) uint64 {
			if *(*bool)(p) {
				return 1
			}
			return 0
		}
	case reflect.Int:
		return integer[int]
	case reflect.Int8:
		return integer[int8]
	case reflect.Int16:
		return integer[int16]
	case reflect.Int32:
		return integer[int32]
	case reflect.Int64:
		return integer[int64]
	case reflect.Uint:
		return integer[uint]
	case reflect.Uint8:
		return integer[uint8]
	case reflect.Uint16:
		return integer[uint16]
	case reflect.Uint32:
		return integer[uint32]
	case reflect.Uint64, reflect.Float64:
		return integer[uint64]
	case reflect.Uintptr:
		return integer[uintptr]
	case reflect.Float32:
		return func(p unsafe.Pointer, _ int) uint64 { return math.Float64bits(float64(*(*float32)(p))) }
	case reflect.String:
		return func(p unsafe.Pointer, _ int) uint64 { return uint64(len(*(*string)(p))) }
	case reflect.Slice:
		return m.list(t)
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			break
		}
		elem, n, size := m.of(t.Elem()), t.Len(), t.Elem().Size()
		return func(p unsafe.Pointer, depth int) uint64 {
			return elements(elem, p, n, size, depth)
		}
	case reflect.Struct:
		return m.structure(t)
	case reflect.Pointer:
		elem := m.of(t.Elem())
		return func(p unsafe.Pointer, depth int) uint64 {
			if p = *(*unsafe.Pointer)(p); p == nil {
				return 0
			}
			if depth >= deepestWalk {
				return 1
			}
			return 1 + elem(p, depth+1)
		}
	case reflect.Map, reflect.Interface:
		return func(p unsafe.Pointer, depth int) uint64 { return reflectWalk(reflect.NewAt(t, p).Elem(), depth) }
	}
	return func(unsafe.Pointer, int) uint64 { return 0 }
}

// integer reads an integer, or the bits of one.
func integer[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr](p unsafe.Pointer, _ int) uint64 {
	return uint64(*(*T)(p))
}

// list returns the reader of a slice type.
func (m readers) list(t reflect.Type) reader {
	if t.Elem().Kind() == reflect.Uint8 {
		return func(p unsafe.Pointer, _ int) uint64 { return uint64(len(*(*[]byte)(p))) }
	}
	elem, size := m.of(t.Elem()), t.Elem().Size()
	return func(p unsafe.Pointer, depth int) uint64 {
		s := *(*[]struct{})(p) // SAFETY: any slice has this header, and elements are read by their own size
		return uint64(len(s)) + elements(elem, unsafe.Pointer(unsafe.SliceData(s)), len(s), size, depth)
	}
}

func elements(elem reader, p unsafe.Pointer, n int, size uintptr, depth int) (sum uint64) {
	if depth >= deepestWalk {
		return 0
	}
	for i := range n {
		sum += elem(unsafe.Add(p, uintptr(i)*size), depth+1)
	}
	return sum
}

// structure returns the reader of a struct type. A nested struct counts as a level, because it does
// so for reflectWalk.
func (m readers) structure(t reflect.Type) reader {
	if t == timeType {
		return func(p unsafe.Pointer, _ int) uint64 { return *(*uint64)(p) }
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		fields = append(fields, field{f.Offset, m.of(f.Type)})
	}
	return func(p unsafe.Pointer, depth int) (sum uint64) {
		if depth >= deepestWalk {
			return 0
		}
		for i := range fields {
			f := &fields[i]
			sum += f.read(unsafe.Add(p, f.offset), depth+1)
		}
		return sum
	}
}
