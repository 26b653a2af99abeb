package fxprototest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbtype"
)

// filler fills values at random. It makes only values that come back unchanged, so that they can be
// compared with reflect.DeepEqual: no NaN, and nil in place of what is empty and has no presence.
type filler struct{ *rand.Rand }

func newFiller(seed uint64) filler { return filler{rand.New(rand.NewPCG(seed, 1))} }

var numbers = []uint64{0, 1, 2, 127, 128, 255, 1 << 14, 1<<21 - 1, 1 << 28, math.MaxInt32, 1 << 31, math.MaxUint32, 1 << 35, 1 << 42,
	1 << 49, 1 << 56, math.MaxInt64, 1 << 63, math.MaxUint64, math.MaxUint64 - 1}

func (r filler) bits() uint64 {
	if r.IntN(2) == 0 {
		return numbers[r.IntN(len(numbers))]
	}
	return r.Uint64() >> r.IntN(64)
}

var texts = []string{"", "a", "sku-1", "żółć 世界 🦀", "longer than one hundred and twenty-eight bytes: " +
	"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"}

// message fills the struct v. depth limits recursion.
func (r filler) message(m *plannedMessage, v reflect.Value, depth int) {
	arms := map[int]int{}
	for i := range m.Fields {
		f := &m.Fields[i]
		x := v.Field(f.Of.Index)
		switch {
		case f.Oneof >= 0:
			arms[f.Oneof]++
			if r.IntN(arms[f.Oneof]) == 0 { // each arm with the same probability
				for k := range m.Fields {
					if m.Fields[k].Oneof == f.Oneof {
						v.Field(m.Fields[k].Of.Index).SetZero()
					}
				}
				if f.Arm != nil {
					r.arm(f, x, depth)
					break
				}
				r.single(f, x, depth)
			}
		case r.IntN(3) == 0:
		case f.Shape == pbtype.Single:
			r.single(f, x, depth)
		case f.Shape == pbtype.List:
			for range r.count(depth) {
				x.Set(reflect.Append(x, r.value(&f.Value, x.Type().Elem(), depth)))
			}
		default:
			for range r.count(depth) {
				if x.IsNil() {
					x.Set(reflect.MakeMap(x.Type()))
				}
				x.SetMapIndex(r.value(&f.Key, x.Type().Key(), depth), r.value(&f.Value, x.Type().Elem(), depth))
			}
		}
	}
	if m.Unknown != nil && r.IntN(2) == 0 {
		b := protowire.AppendTag(nil, protowire.Number(100000+r.IntN(100)), protowire.BytesType)
		v.Field(m.Unknown.Of.Index).SetBytes(protowire.AppendString(b, texts[r.IntN(len(texts))]))
	}
}

// count returns the number of elements of a list or a map.
func (r filler) count(depth int) int {
	if depth <= 0 {
		return 0
	}
	return []int{0, 1, 2, 5, 40}[r.IntN(min(5, depth+2))]
}

func (r filler) single(f *plannedField, x reflect.Value, depth int) {
	if depth <= 0 && f.Value.Pointer {
		return
	}
	y := r.value(&f.Value, x.Type(), depth)
	if f.Presence == pbtype.Implicit && f.Value.Kind == pbtype.Bytes && f.Value.Len == 0 && y.Len() == 0 {
		return
	}
	x.Set(y)
}

// arm sets an interface to an arm, as decoders do.
func (r filler) arm(f *plannedField, x reflect.Value, depth int) {
	v := reflect.New(f.Arm.Type)
	if f.Arm.Inner == nil {
		v.Elem().Set(r.plain(&f.Value, depth))
	} else {
		inner := v.Elem().Field(f.Arm.Inner.Of.Index)
		inner.Set(r.value(&f.Value, inner.Type(), depth))
	}
	if f.Arm.Value {
		v = v.Elem()
	}
	x.Set(v)
}

// value returns a value of the Go type t.
func (r filler) value(p *plannedValue, t reflect.Type, depth int) reflect.Value {
	if p.Pointer {
		v := reflect.New(p.Type)
		v.Elem().Set(r.plain(p, depth))
		return v
	}
	v := reflect.New(t).Elem()
	v.Set(r.plain(p, depth))
	return v
}

func (r filler) plain(p *plannedValue, depth int) reflect.Value {
	v := reflect.New(p.Type).Elem()
	if p.Kind == pbtype.Wrapper {
		return r.plain(&plannedValue{Type: p.Type, Kind: p.Wrapped}, depth)
	}
	switch {
	case p.Kind.IsOwn():
		v.Set(r.own(p))
	case p.Kind.IsDynamic():
		if x := r.dynamic(p.Kind, depth+1); x != nil {
			v.Set(reflect.ValueOf(x).Convert(p.Type))
		}
	case p.Type == reflect.TypeFor[fxproto.Any]():
		v.Set(reflect.ValueOf(r.any(depth - 1)))
	case p.Message != nil:
		r.message(p.Message, v, depth-1)
	case p.Kind == pbtype.Timestamp:
		v.Set(reflect.ValueOf(time.Unix(int64(r.bits())>>r.IntN(40), r.Int64N(1e9)).UTC()))
	case p.Kind == pbtype.String:
		v.SetString(texts[r.IntN(len(texts))])
		if p.Raw && r.IntN(2) == 0 {
			v.SetString("\xff\x00\xc0")
		}
	case p.Len > 0:
		for i := range p.Len {
			v.Index(i).SetUint(uint64(r.IntN(3)))
		}
	case p.Kind == pbtype.Bytes:
		v.SetBytes([]byte(texts[r.IntN(len(texts))]))
	case p.Kind == pbtype.Bool:
		v.SetBool(r.IntN(2) == 0)
	case v.CanInt():
		v.SetInt(int64(r.bits()))
	case v.CanUint():
		v.SetUint(r.bits())
	default:
		v.SetFloat([]float64{0, math.Copysign(0, -1), 1.5, -3e30, math.Inf(1), r.NormFloat64()}[r.IntN(6)])
		if p.Kind == pbtype.Float {
			v.SetFloat(float64(float32(v.Float())))
		}
	}
	return v
}

// dynamic returns a value of any content.
func (r filler) dynamic(k pbtype.Kind, depth int) any {
	switch k {
	case pbtype.DynamicStruct:
		m := map[string]any{}
		for range r.count(depth) {
			m[texts[r.IntN(len(texts))]] = r.dynamic(pbtype.DynamicValue, depth-1)
		}
		return m
	case pbtype.DynamicList:
		list := []any{}
		for range min(r.count(depth), 5) {
			list = append(list, r.dynamic(pbtype.DynamicValue, depth-1))
		}
		return list
	}
	switch r.IntN(7) {
	case 0:
		return r.dynamic(pbtype.DynamicStruct, depth-1)
	case 1:
		return r.dynamic(pbtype.DynamicList, depth-1)
	case 2:
		return r.IntN(2) == 0
	case 3:
		return nil
	case 4:
		return texts[r.IntN(len(texts))]
	}
	return []float64{0, math.Copysign(0, -1), 1.5, -3e30, math.Inf(1), r.NormFloat64()}[r.IntN(6)]
}

// mutate damages a message.
func (r filler) mutate(b []byte) []byte {
	b = append([]byte(nil), b...)
	for range 1 + r.IntN(4) {
		switch at := r.IntN(len(b) + 1); r.IntN(7) {
		case 0:
			b = b[:at]
		case 1:
			b = append(b[:at:at], append([]byte{byte(r.Uint32())}, b[at:]...)...)
		case 2:
			if at < len(b) {
				b = append(b[:at:at], b[at+1:]...)
			}
		case 3:
			if at < len(b) {
				b[at] ^= 1 << r.IntN(8)
			}
		case 4:
			if at < len(b) {
				b[at] = byte(numbers[r.IntN(6)])
			}
		case 5: // a piece once more
			end := at + r.IntN(len(b)-at+1)
			b = append(b, b[at:end]...)
		case 6: // a field with a number that is in use, of any wire type
			b = protowire.AppendTag(b, protowire.Number(1+r.IntN(16)), protowire.Type(r.IntN(6)))
			b = protowire.AppendVarint(b, r.bits()>>r.IntN(60))
			b = append(b, "\x08\x01\x12\x03abc\x1c"[:r.IntN(9)]...)
		}
	}
	return b
}
