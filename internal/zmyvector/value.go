package zmyvector

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

var le = binary.LittleEndian

// Values of Go types are converted without calls of package wire, because tests compare the result
// with the model, and a fault in wire must not affect both sides. So this file has its own code
// that encodes numbers and times.

// Value returns the value of the Go struct that v points to as a value of the model, without the
// content of fields of type zmy.Unknown.
func (r Reader) Value(v Message) *zmymodel.Rec { return record(r.Type, reflect.ValueOf(v).Elem()) }

func record(t *zmymodel.Type, v reflect.Value) *zmymodel.Rec {
	out := t.Zero()
	for i, f := range t.Fields {
		if f.Reserved {
			continue
		}
		out.Fields[i] = value(f.Type, v.FieldByName(f.Name))
	}
	return out
}

// value returns a field or an element as a value of the model, nil for an empty slot.
func value(t *zmymodel.Type, v reflect.Value) zmymodel.Value {
	if t.IsFixed() {
		if t.Kind == zmymodel.Inline {
			return record(t.Elem, v)
		}
		return fixed(t, v)
	}
	switch t.Kind {
	case zmymodel.Any:
		return anyValue(v.Interface())
	case zmymodel.Struct:
		if r := record(t, v); !r.IsZero() {
			return r
		}
		return nil
	case zmymodel.Opt:
		return optional(t.Elem, v)
	case zmymodel.Union:
		return union(t, v)
	case zmymodel.BigInt:
		x := v.Interface().(big.Int)
		if x.Sign() == 0 {
			return nil
		}
		return bigInt(&x)
	case zmymodel.BigFloat:
		x := v.Interface().(big.Float)
		if raw := bigFloat(&x); strings.Trim(string(raw), "\x00") != "" {
			return raw
		}
		return nil
	case zmymodel.Array:
		if t.IsLong() {
			if x := fixed(t, v); strings.Trim(string(x), "\x00") != "" {
				return x
			}
			return nil
		}
		if v.IsZero() {
			return nil
		}
		return elems(t.Element(), v)
	}
	if v.Len() == 0 {
		return nil
	}
	switch t.Kind {
	case zmymodel.List:
		return elems(t.Element(), v)
	case zmymodel.Map:
		return pairs(t, v)
	case zmymodel.String:
		return zmymodel.Raw(v.String())
	}
	return zmymodel.Raw(v.Bytes())
}

// optional returns the value of a pointer, or of a slice or map with the option nilable.
func optional(e *zmymodel.Type, v reflect.Value) zmymodel.Value {
	if v.IsNil() {
		return nil
	}
	switch x := v.Interface().(type) {
	case *big.Int:
		return zmymodel.Some{Value: bigInt(x)}
	case *big.Float:
		return zmymodel.Some{Value: bigFloat(x)}
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if e.Kind == zmymodel.Struct {
		return zmymodel.Some{Value: record(e, v)}
	}
	return zmymodel.Some{Value: value(e, v)}
}

func elems(e *zmymodel.Type, v reflect.Value) zmymodel.Value {
	out := make(zmymodel.Elems, v.Len())
	for i := range out {
		out[i] = element(e, v.Index(i))
	}
	return out
}

// element returns an element of a list or a map. Unlike value it returns a struct even if that is
// zero.
func element(e *zmymodel.Type, v reflect.Value) zmymodel.Value {
	if !e.IsDense() {
		return value(e, v)
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return record(e, v)
}

func pairs(t *zmymodel.Type, v reflect.Value) zmymodel.Value {
	var out zmymodel.Pairs
	for _, k := range v.MapKeys() {
		p := zmymodel.Pair{Key: value(t.Key, k)}
		if e := t.Element(); !e.IsEmpty() {
			p.Value = element(e, v.MapIndex(k))
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b zmymodel.Pair) int { return t.Key.Compare(a.Key, b.Key) })
	return out
}

func union(t *zmymodel.Type, v reflect.Value) zmymodel.Value {
	if v.IsNil() {
		return nil
	}
	if v = v.Elem(); v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	for _, f := range t.Fields {
		if f.Name == v.Type().Name() {
			return zmymodel.Arm{Disc: f.Disc, Value: value(f.Type, v)}
		}
	}
	return zmymodel.Arm{Disc: int(v.FieldByName("Disc").Uint()), Value: zmymodel.Raw(v.FieldByName("Raw").Bytes())}
}

// fixed returns the encoding of a scalar or an array of scalars.
func fixed(t *zmymodel.Type, v reflect.Value) zmymodel.Fixed {
	switch x := v.Interface().(type) {
	case time.Time:
		return instant(t, x)
	case float32: // reflect would convert it to float64 and back, which changes a signaling NaN
		return zmymodel.Fixed(le.AppendUint32(nil, math.Float32bits(x)))
	case float64:
		return zmymodel.Fixed(le.AppendUint64(nil, math.Float64bits(x)))
	case complex64:
		return zmymodel.Fixed(le.AppendUint32(le.AppendUint32(nil, math.Float32bits(real(x))), math.Float32bits(imag(x))))
	case complex128:
		return zmymodel.Fixed(le.AppendUint64(le.AppendUint64(nil, math.Float64bits(real(x))), math.Float64bits(imag(x))))
	}
	switch v.Kind() {
	case reflect.Array:
		var s zmymodel.Fixed
		for i := range v.Len() {
			s += fixed(t.Elem, v.Index(i))
		}
		return s
	case reflect.Bool:
		if v.Bool() {
			return "\x01"
		}
		return "\x00"
	}
	u := uint64(0)
	if v.CanInt() {
		u = uint64(v.Int())
	} else {
		u = v.Uint()
	}
	size := v.Type().Bits() / 8
	switch v.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr: // 8 bytes even if Go has 32 bits for them
		size = 8
	}
	return zmymodel.Fixed(le.AppendUint64(nil, u)[:size])
}

func instant(t *zmymodel.Type, x time.Time) zmymodel.Fixed {
	if t.Kind == "time:unixnano" {
		n := x.UnixNano()
		switch {
		case x.IsZero():
			n = 0
		case n == 0:
			n = math.MinInt64
		}
		return zmymodel.Fixed(le.AppendUint64(nil, uint64(n)))
	}
	b := le.AppendUint64(nil, uint64(x.Unix()+62_135_596_800))
	b = le.AppendUint32(b, uint32(x.Nanosecond()))
	if t.Kind == "time:zone" {
		_, east := x.Zone()
		b = le.AppendUint32(b, uint32(int32(east)))
	}
	return zmymodel.Fixed(b)
}

func bigInt(x *big.Int) zmymodel.Raw {
	sign := "\x00"
	if x.Sign() < 0 {
		sign = "\x01"
	}
	return zmymodel.Raw(sign + string(x.Bytes()))
}

// bigFloat returns the encoding of x. It computes the mantissa in another way than package wire.
func bigFloat(x *big.Float) zmymodel.Raw {
	form := byte(x.Mode())
	if x.Signbit() {
		form |= 1 << 5
	}
	exp, mant := 0, []byte(nil)
	switch {
	case x.IsInf():
		form |= 2 << 3
	case x.Sign() != 0:
		form |= 1 << 3
		exp = x.MantExp(nil)
		m := new(big.Float).Abs(x)
		m.SetMantExp(m, int(x.Prec())-exp)
		n, _ := m.Int(nil)
		n.Lsh(n, (8-x.Prec()%8)%8)
		mant = []byte(strings.TrimRight(string(n.Bytes()), "\x00"))
	}
	b := append(le.AppendUint32(nil, uint32(x.Prec())), form)
	return zmymodel.Raw(append(le.AppendUint32(b, uint32(int32(exp))), mant...))
}

// anyValue returns a value of type any as a value of the model.
func anyValue(v any) zmymodel.Value {
	of := func(kind byte) zmymodel.Value {
		return zmymodel.Dyn{Kind: kind, Payload: value(zmymodel.Payload(kind), reflect.ValueOf(v))}
	}
	raw := func(kind byte, s string) zmymodel.Value {
		return zmymodel.Dyn{Kind: kind, Payload: zmymodel.Raw(s)}
	}
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		return zmymodel.Dyn{Kind: map[bool]byte{false: 1, true: 2}[v]}
	case int:
		return integer(int64(v))
	case int64: // if int has 32 bits
		return integer(v)
	case uint64:
		return of(7)
	case float64:
		return of(8)
	case string:
		return raw(9, v)
	case []byte:
		return raw(10, string(v))
	case time.Time:
		return of(11)
	case []any:
		return of(12)
	case map[string]any:
		return of(13)
	case zmy.RawStruct:
		return raw(14, string(le.AppendUint64(nil, v.ID))+string(v.Data))
	case time.Duration:
		return of(15)
	case zmy.Decimal:
		return raw(16, string(le.AppendUint16(nil, uint16(v.Scale)))+string(bigInt(v.Unscaled)))
	case *big.Int:
		return raw(17, string(bigInt(v)))
	case *big.Float:
		return raw(18, string(bigFloat(v)))
	case json.RawMessage:
		return raw(19, string(v))
	case float32:
		return of(20)
	case complex64:
		return of(21)
	case complex128:
		return of(22)
	case json.Number:
		return raw(23, string(v))
	case zmy.RawAny:
		return raw(v.Kind, string(v.Data))
	}
	if _, ok := v.([]int64); ok { // if int has 32 bits
		return of(36)
	}
	for kind, typ := range packedKinds {
		if reflect.TypeOf(v) == typ {
			return of(kind)
		}
	}
	panic(fmt.Sprintf("%T inside any", v))
}

var packedKinds = map[byte]reflect.Type{
	32: reflect.TypeFor[[]bool](), 33: reflect.TypeFor[[]int8](), 34: reflect.TypeFor[[]int16](), 35: reflect.TypeFor[[]int32](),
	36: reflect.TypeFor[[]int](), 37: reflect.TypeFor[[]uint16](), 38: reflect.TypeFor[[]uint32](), 39: reflect.TypeFor[[]uint64](),
	40: reflect.TypeFor[[]float32](), 41: reflect.TypeFor[[]float64](), 42: reflect.TypeFor[[]time.Time](),
	43: reflect.TypeFor[[]time.Duration](),
	44: reflect.TypeFor[[]string](), 45: reflect.TypeFor[map[string]string](),
}

func integer(n int64) zmymodel.Value {
	b := le.AppendUint64(nil, uint64(n))
	for kind, size := range []int{3: 1, 4: 2, 5: 4} {
		if shift := 64 - 8*size; size > 0 && n<<shift>>shift == n {
			return zmymodel.Dyn{Kind: byte(kind), Payload: zmymodel.Fixed(b[:size])}
		}
	}
	return zmymodel.Dyn{Kind: 6, Payload: zmymodel.Fixed(b)}
}
