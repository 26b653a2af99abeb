package dynamic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/zmylab/zmy"
)

// MaxJSON is how long JSON may get, in bytes: names may be longer than the values
// that they stand before.
const MaxJSON = 64 << 20

// JSON reads a message under the default limits and returns it as JSON: as
// encoding/json writes the Go type, with all fields. What JSON has no form for is text:
// "NaN", "+Inf", complex numbers, integers of more than 131,072 bits (in hexadecimal), raw
// JSON that is none (in base64).
func (c *Codec) JSON(msg []byte) ([]byte, error) {
	s, err := c.Decode(msg)
	if err != nil {
		return nil, err
	}
	return s.MarshalJSON()
}

// MarshalJSON returns the struct as JSON.
func (s *Struct) MarshalJSON() ([]byte, error) {
	p := printer{}
	p.object(s)
	if p.err != nil {
		return nil, p.err
	}
	return p.b, nil
}

type printer struct {
	b   []byte
	err error
}

// ok reports whether n more bytes may come.
func (p *printer) ok(n int) bool {
	if p.err == nil && len(p.b)+n > MaxJSON {
		p.err = fmt.Errorf("zmy: dynamic: JSON: %w: more than %d bytes", zmy.ErrTooLarge, MaxJSON)
	}
	return p.err == nil
}

func (p *printer) object(s *Struct) {
	p.b = append(p.b, '{')
	p.fields(s, true)
	p.b = append(p.b, '}')
}

func (p *printer) fields(s *Struct, first bool) bool {
	for i := range s.Fields {
		f := &s.Fields[i]
		name := f.JSONName()
		if in, ok := f.Value.(*Struct); ok && f.Embedded && in != nil {
			first = p.fields(in, first)
			continue
		}
		if name == "" || !p.ok(len(name)) {
			continue
		}
		if !first {
			p.b = append(p.b, ',')
		}
		first = false
		p.text(name)
		p.b = append(p.b, ':')
		p.value(f.Value)
	}
	return first
}

func (p *printer) text(s string) {
	if p.ok(len(s)) {
		t, _ := json.Marshal(s) // a string always has a form
		p.b = append(p.b, t...)
	}
}

func (p *printer) base64(b []byte) {
	if p.ok(base64.StdEncoding.EncodedLen(len(b))) {
		p.b = append(base64.StdEncoding.AppendEncode(append(p.b, '"'), b), '"')
	}
}

func (p *printer) value(v any) {
	if !p.ok(32) {
		return
	}
	switch v := v.(type) {
	case nil:
		p.b = append(p.b, "null"...)
	case bool:
		p.b = strconv.AppendBool(p.b, v)
	case string:
		p.text(v)
	case float64:
		p.float(v, 64)
	case float32:
		p.float(float64(v), 32)
	case complex64:
		p.text(strconv.FormatComplex(complex128(v), 'g', -1, 64))
	case complex128:
		p.text(strconv.FormatComplex(v, 'g', -1, 128))
	case time.Time:
		p.text(v.Format(time.RFC3339Nano))
	case []byte:
		if v == nil {
			p.b = append(p.b, "null"...)
		} else {
			p.base64(v)
		}
	case json.RawMessage:
		p.raw(v)
	case json.Number:
		p.raw([]byte(v))
	case *big.Int:
		p.int(v)
	case *big.Float:
		t, _ := v.MarshalText() // nil has a form too
		p.text(string(t))
	case zmy.Decimal:
		n := v.Unscaled // of at most 4,096 bytes
		if n == nil {
			n = new(big.Int)
		}
		p.b = strconv.AppendInt(append(n.Append(p.b, 10), 'e'), -int64(v.Scale), 10)
	case zmy.RawStruct:
		p.b = fmt.Appendf(p.b, `{"lineage":"%016x","data":`, v.ID)
		p.base64(v.Data)
		p.b = append(p.b, '}')
	case zmy.RawAny:
		p.b = fmt.Appendf(p.b, `{"kind":%d,"data":`, v.Kind)
		p.base64(v.Data)
		p.b = append(p.b, '}')
	case *Struct:
		p.object(v)
	case Map:
		p.mapping(v)
	default:
		p.other(reflect.ValueOf(v))
	}
}

// int writes a number in decimal, or as text in hexadecimal where decimal digits
// would cost a hostile message's reader seconds.
func (p *printer) int(x *big.Int) {
	switch {
	case !p.ok(x.BitLen() / 3):
	case x.BitLen() > 1<<17:
		p.text(fmt.Sprintf("%#x", x))
	default:
		p.b = x.Append(p.b, 10)
	}
}

func (p *printer) float(f float64, bits int) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		p.text(strconv.FormatFloat(f, 'g', -1, 64))
	case bits == 32:
		t, _ := json.Marshal(float32(f))
		p.b = append(p.b, t...)
	default:
		t, _ := json.Marshal(f)
		p.b = append(p.b, t...)
	}
}

// raw writes JSON text as it is, if it is some.
func (p *printer) raw(b []byte) {
	switch {
	case len(b) == 0:
		p.b = append(p.b, "null"...)
	case json.Valid(b) && p.ok(len(b)):
		t, _ := json.Marshal(json.RawMessage(b)) // compact
		p.b = append(p.b, t...)
	default:
		p.base64(b)
	}
}

func (p *printer) mapping(m Map) {
	if m == nil {
		p.b = append(p.b, "null"...)
		return
	}
	p.b = append(p.b, '{')
	for i := range m {
		if i > 0 {
			p.b = append(p.b, ',')
		}
		switch k := m[i].Key.(type) {
		case string:
			p.text(k)
		case time.Duration:
			p.text(strconv.FormatInt(int64(k), 10))
		case []any:
			p.text(hex(k))
		default:
			p.text(fmt.Sprint(k))
		}
		p.b = append(p.b, ':')
		p.value(m[i].Value)
		if p.err != nil {
			return
		}
	}
	p.b = append(p.b, '}')
}

// hex spells a key that is an array of bytes.
func hex(k []any) string {
	s := make([]byte, 0, 2*len(k))
	for _, x := range k {
		s = fmt.Appendf(s, "%02x", x)
	}
	return string(s)
}

// other writes integers, lists, and maps inside any.
func (p *printer) other(v reflect.Value) {
	switch {
	case v.CanInt():
		p.b = strconv.AppendInt(p.b, v.Int(), 10)
	case v.CanUint():
		p.b = strconv.AppendUint(p.b, v.Uint(), 10)
	case v.Kind() == reflect.Slice && v.IsNil(), v.Kind() == reflect.Map && v.IsNil():
		p.b = append(p.b, "null"...)
	case v.Kind() == reflect.Slice:
		p.b = append(p.b, '[')
		for i := range v.Len() {
			if i > 0 {
				p.b = append(p.b, ',')
			}
			if p.value(v.Index(i).Interface()); p.err != nil {
				return
			}
		}
		p.b = append(p.b, ']')
	case v.Kind() == reflect.Map:
		keys := make([]string, 0, v.Len())
		for _, k := range v.MapKeys() {
			keys = append(keys, k.String())
		}
		slices.Sort(keys)
		m := make(Map, len(keys))
		for i, k := range keys {
			m[i] = Pair{k, v.MapIndex(reflect.ValueOf(k)).Interface()}
		}
		p.mapping(m)
	default:
		p.err = fmt.Errorf("zmy: dynamic: JSON: no form for %v", v.Type())
	}
}
