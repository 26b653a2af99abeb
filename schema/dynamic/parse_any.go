package dynamic

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// any reads a value of type any. A number without fraction and exponent is an integer of any size.
func (p *parser) any() (any, *wire.Error) {
	switch p.b[p.i] {
	case 'n':
		p.null()
		return nil, nil
	case 't', 'f':
		return p.raw()[0] == 't', nil
	case '"':
		return p.text(), nil
	case '[':
		out := []any{}
		err := p.elements(func(int) *wire.Error {
			v, err := p.any()
			out = append(out, v)
			return err
		})
		return out, err
	case '{':
		if p.o.Lossless { // look for a mark; if there is none, start again
			back := p.i
			if mark, v, err := p.marked(); mark != "" || err != nil {
				return v, err
			}
			p.i = back
		}
		return p.anyMap()
	}
	return p.number()
}

func (p *parser) anyMap() (any, *wire.Error) {
	return parseMap(p, p.any)
}

// parseMap reads the object at p.i as a map. It calls read for each value.
func parseMap[V any](p *parser, read func() (V, *wire.Error)) (any, *wire.Error) {
	if p.b[p.i] != '{' {
		return nil, p.wants("an object")
	}
	out := map[string]V{}
	err := p.members(func(name string, at int) *wire.Error {
		if _, twice := out[name]; twice {
			return p.fail(at, "member %.60q stands there twice", name)
		}
		v, err := read()
		out[name] = v
		return in(err, keyStep(name))
	})
	return out, err
}

func (p *parser) number() (any, *wire.Error) {
	at := p.i
	s := string(p.raw())
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, p.fail(at, "%.60s is no float64", s)
		}
		return f, nil
	}
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		if int64(int(v)) == v {
			return int(v), nil
		}
		return v, nil
	}
	if v, err := strconv.ParseUint(s, 10, 64); err == nil {
		return v, nil
	}
	x, ok := parseBigInt(s)
	if !ok {
		return nil, p.fail(at, "%.60s is no integer", s)
	}
	return x, nil
}

// marked reads an object whose only member is a mark of lossless JSON. For any other object it
// returns mark == "" and leaves p.i inside the object.
func (p *parser) marked() (mark string, v any, err *wire.Error) {
	if p.token(); p.b[p.i] != '"' {
		return "", nil, nil
	}
	at := p.i
	if mark = p.text(); !strings.HasPrefix(mark, "$") {
		return "", nil, nil
	}
	p.token()
	v, ok, err := p.markedValue(mark)
	if !ok && err == nil {
		return "", nil, nil
	}
	if err != nil {
		return mark, nil, in(err, mark)
	}
	if p.space(); p.b[p.i] != '}' {
		return "", nil, nil
	}
	p.i++
	if v == nil {
		return mark, nil, p.fail(at, "null under %s", mark)
	}
	return mark, v, nil
}

// markedValue reads the value under a mark. It reports ok == false if mark is not a mark.
func (p *parser) markedValue(mark string) (v any, ok bool, err *wire.Error) {
	if t := markedTypes[mark]; t.kind == schema.Bytes || t.kind != 0 && t.typ.Kind() != reflect.Slice {
		v, err = p.markedScalar(t.kind)
		return v, true, err
	} else if t.kind != 0 {
		v, err = p.markedSlice(t.kind, t.typ)
		return v, true, err
	}
	at := p.i
	switch mark {
	case markMap:
		v, err = p.anyMap()
	case "$stringmap":
		v, err = parseMap(p, p.string)
	case "$json":
		var s string
		s, err = p.string()
		v = json.RawMessage(s)
	case "$rawjson":
		var b []byte
		b, err = p.bytes()
		v = json.RawMessage(b)
	case "$decimal":
		var s string
		if s, err = p.string(); err == nil {
			if v, ok = parseDecimal(s); !ok {
				err = p.fail(at, "%.60q is no decimal", s)
			}
		}
	case markStruct, markRaw:
		v, err = p.opaque(mark)
	default:
		return nil, false, nil
	}
	return v, true, err
}

func (p *parser) markedScalar(k schema.Kind) (any, *wire.Error) {
	switch k {
	case schema.Bytes:
		b, err := p.bytes()
		if b == nil {
			b = []byte{}
		}
		return b, err
	case schema.String:
		s, err := p.string()
		return json.Number(s), err
	}
	return p.scalar(k)
}

func (p *parser) markedSlice(elem schema.Kind, slice reflect.Type) (any, *wire.Error) {
	if p.b[p.i] != '[' {
		return nil, p.wants("an array")
	}
	if elem == schema.Int64 && strconv.IntSize == 64 {
		slice = reflect.TypeFor[[]int]() // zmy.Unmarshal makes an []int too
	}
	out := reflect.MakeSlice(slice, 0, 8)
	err := p.elements(func(int) *wire.Error {
		var v any
		var err *wire.Error
		if elem == schema.String {
			v, err = p.string()
		} else {
			v, err = p.scalar(elem)
		}
		if err == nil {
			out = reflect.Append(out, reflect.ValueOf(v).Convert(slice.Elem()))
		}
		return err
	})
	return out.Interface(), err
}

// opaque reads a struct or a kind that this program does not know.
func (p *parser) opaque(mark string) (any, *wire.Error) {
	if p.b[p.i] != '{' {
		return nil, p.wants("an object")
	}
	start := p.i
	var data []byte
	var number uint64
	n := 0
	err := p.members(func(name string, at int) (err *wire.Error) {
		n++
		var bad error
		switch {
		case name == "data":
			data, err = p.bytes()
			return err
		case mark == markStruct && name == "lineage" && p.b[p.i] == '"':
			number, bad = strconv.ParseUint(p.text(), 16, 64)
		case mark == markRaw && name == "kind":
			number, bad = strconv.ParseUint(string(p.raw()), 10, 8)
		default:
			return p.fail(at, "member %.60q does not belong here", name)
		}
		if bad != nil {
			return p.fail(at, "%v", bad)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case n != 2:
		return nil, p.fail(start, "two members belong here")
	case mark == markStruct:
		return zmy.RawStruct{ID: number, Data: data}, nil
	}
	return zmy.RawAny{Kind: uint8(number), Data: data}, nil
}

// parseDecimal reads "123e-2".
func parseDecimal(s string) (zmy.Decimal, bool) {
	digits, exp, ok := strings.Cut(s, "e")
	scale, err := strconv.ParseInt(exp, 10, 16)
	if !ok || err != nil || scale == math.MinInt16 || len(digits) > 10_000 {
		return zmy.Decimal{}, false
	}
	x, ok := new(big.Int).SetString(digits, 10)
	return zmy.Decimal{Scale: int16(-scale), Unscaled: x}, ok
}
