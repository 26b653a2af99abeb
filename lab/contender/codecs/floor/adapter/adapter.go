//go:build ignore

// Package adapter measures the work that no codec can avoid. It is not a codec: it knows every
// value beforehand. Its messages contain the number of the value, and as many bytes as the value
// has content, without any framing.
package adapter

import (
	"encoding/binary"
	"errors"
	"reflect"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Code is the code that is generated for T. M is the generated type that records the maps of a
// value.
type Code[T, M any] struct {
	// Text appends the text of v, which is all its strings and byte slices. It adds the pairs of
	// v's maps to m, in the order in which it appends their text.
	Text func(m *M, b []byte, v *T) []byte
	// Own turns v, a shallow copy of a value, into one that shares nothing with the original. It
	// copies what slices, maps and pointers refer to, takes strings and bytes from the start of s,
	// and returns the rest of s.
	Own func(m *M, s []byte, v *T) []byte
}

// value is a value that is known beforehand.
type value[T, M any] struct {
	v       *T
	maps    M
	text    []byte
	message []byte
}

// index is the number of bytes at the start of a message that contain the value's number.
const index = 4

var errUnknown = errors.New("floor: not a message of a value that was announced")

// known has all values.
type known[T, M any] struct {
	code Code[T, M]
	vals []T
	all  []value[T, M]
}

func (k *known[T, M]) setup(vals []T) error {
	k.vals = vals
	k.all = make([]value[T, M], len(vals))
	for i := range vals {
		x := &k.all[i]
		x.v = &vals[i]
		x.text = k.code.Text(&x.maps, nil, x.v)
		x.message = content(binary.LittleEndian.AppendUint32(nil, uint32(i)), x.v)
	}
	return nil
}

// find returns the value that a message represents.
func (k *known[T, M]) find(b []byte) (*value[T, M], error) {
	if len(b) < index {
		return nil, errUnknown
	}
	i := int(binary.LittleEndian.Uint32(b))
	if i >= len(k.all) || len(b) != len(k.all[i].message) {
		return nil, errUnknown
	}
	return &k.all[i], nil
}

func (k *known[T, M]) contender(decode func() func([]byte, *T) error) worker.Contender[T] {
	encode := worker.Stateless(func(dst []byte, v *T) ([]byte, error) {
		i := position(k.vals, v)
		if i < 0 {
			return nil, errUnknown
		}
		return append(dst, k.all[i].message...), nil
	})
	return worker.Contender[T]{
		Setup:    k.setup,
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode}},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: decode}},
	}
}

// NewMemcpy returns a floor that copies the message once in each direction. The decoder returns the
// known value and does not use the copy.
func NewMemcpy[T, M any](code Code[T, M]) worker.Contender[T] {
	k := &known[T, M]{code: code}
	return k.contender(func() func([]byte, *T) error {
		var kept []byte // outlives the call, so the compiler cannot leave out the copy or keep it on the stack
		return func(b []byte, v *T) error {
			x, err := k.find(b)
			if err != nil {
				return err
			}
			kept = append([]byte(nil), b...)
			_ = kept
			*v = *x.v
			return nil
		}
	})
}

// NewSlab returns a floor that encodes like NewMemcpy. Its decoder makes a value that shares
// nothing. It copies all text once and makes strings and byte slices parts of this copy; slices,
// maps and pointers are allocated.
func NewSlab[T, M any](code Code[T, M]) worker.Contender[T] {
	k := &known[T, M]{code: code}
	return k.contender(func() func([]byte, *T) error {
		var maps M // not in the inner function, where it would cost an allocation per call
		return func(b []byte, v *T) error {
			x, err := k.find(b)
			if err != nil {
				return err
			}
			maps = x.maps
			*v = *x.v
			k.code.Own(&maps, append([]byte(nil), x.text...), v)
			return nil
		}
	})
}

// content appends everything that v contains: scalars with their width in memory, times in 12
// bytes, text as it is. There are no lengths, keys or tags.
func content(b []byte, v any) []byte { return walk(b, reflect.ValueOf(v).Elem()) }

var timeType = reflect.TypeFor[time.Time]()

func walk(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(b, v.String()...)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			b = walk(b, v.Index(i))
		}
	case reflect.Map:
		for k, x := range v.Seq2() {
			b = walk(walk(b, k), x)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			b = walk(b, v.Elem())
		}
	case reflect.Struct:
		if v.Type() == timeType {
			return append(b, make([]byte, 12)...)
		}
		for i := range v.NumField() {
			b = walk(b, v.Field(i))
		}
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
	default:
		n := int(v.Type().Size())
		b = append(b, make([]byte, n)...)
		put(b[len(b)-n:], v)
	}
	return b
}

// put stores an integer in b. It stores nothing for other scalars, since only their width matters.
func put(b []byte, v reflect.Value) {
	var n uint64
	switch {
	case v.CanInt():
		n = uint64(v.Int())
	case v.CanUint():
		n = v.Uint()
	}
	copy(b, binary.LittleEndian.AppendUint64(nil, n))
}
