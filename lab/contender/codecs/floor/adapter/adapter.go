//go:build ignore

// Package adapter measures what no codec can avoid. It knows every value
// beforehand and is no codec: its messages say which value they stand for, and
// hold as many bytes as the value has content, without any framing.
package adapter

import (
	"encoding/binary"
	"errors"

	"github.com/zmylab/zmy/lab/worker"
)

// Code is what is generated for T. M is the generated list of its maps.
type Code[T, M any] struct {
	// Text appends the text of v, which is all strings and byte slices, and adds
	// the pairs of its maps to m in the order of that text.
	Text func(m *M, b []byte, v *T) []byte
	// Own gives v, a shallow copy of a value, slices, maps and pointers of its
	// own, and text from s.
	Own func(m *M, s []byte, v *T) []byte
}

// value is one value that is known beforehand.
type value[T, M any] struct {
	v       *T
	maps    M
	text    []byte
	message []byte
}

// index is how many bytes of a message say which value it is.
const index = 4

var errUnknown = errors.New("floor: not a message of a value that was announced")

// known are all values.
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

// find returns the value that a message stands for.
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

func (k *known[T, M]) contender(name string, decode func() func([]byte, *T) error) worker.Contender[T] {
	encode := worker.Stateless(func(dst []byte, v *T) ([]byte, error) {
		i := position(k.vals, v)
		if i < 0 {
			return nil, errUnknown
		}
		return append(dst, k.all[i].message...), nil
	})
	return worker.Contender[T]{
		Name: name, Family: "floor",
		Setup:    k.setup,
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode}},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: decode}},
	}
}

// NewMemcpy copies the message once in each direction. Its decoder hands out the
// known value and the copy stays unused.
func NewMemcpy[T, M any](code Code[T, M]) worker.Contender[T] {
	k := &known[T, M]{code: code}
	return k.contender("floor-memcpy", func() func([]byte, *T) error {
		var kept []byte
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

// NewSlab encodes as NewMemcpy does. Its decoder makes a value that shares
// nothing: one copy of all text, of which strings and byte slices are parts, and
// the slices, maps and pointers themselves.
func NewSlab[T, M any](code Code[T, M]) worker.Contender[T] {
	k := &known[T, M]{code: code}
	return k.contender("floor-slab", func() func([]byte, *T) error {
		var maps M // here, or it would cost an allocation a call
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
