package dynamic

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// value reads a value of type i.
func (p *parser) value(i uint32) (any, *wire.Error) {
	t := &p.c.s.Types[i]
	if t.Kind == schema.Any {
		return p.any()
	}
	if p.null() {
		return nil, nil
	}
	switch k := t.Kind; k {
	case schema.Opt:
		return p.opt(t)
	case schema.Struct:
		return p.object(i)
	case schema.Union:
		return p.union(t)
	case schema.List, schema.Array:
		return p.list(t)
	case schema.Map:
		return p.mapping(t)
	case schema.String, schema.OwnText:
		if c := p.b[p.i]; c == '-' || '0' <= c && c <= '9' { // a json.Number is a string in the schema
			return string(p.raw()), nil
		}
		return p.string()
	case schema.Bytes, schema.OwnZMY, schema.OwnBinary:
		return p.bytes()
	case schema.JSON:
		return p.rawJSON()
	default:
		return p.scalar(k)
	}
}

// opt reads an optional value that is not null. Empty bytes are not nil here.
func (p *parser) opt(t *schema.Type) (any, *wire.Error) {
	v, err := p.value(t.Elem)
	if b, ok := v.([]byte); ok && b == nil {
		v = []byte{}
	}
	return v, err
}

func (p *parser) string() (string, *wire.Error) {
	if p.b[p.i] != '"' {
		return "", p.wants("a string")
	}
	return p.text(), nil
}

// bytes reads a base64 string; "" is nil.
func (p *parser) bytes() ([]byte, *wire.Error) {
	at := p.i
	s, err := p.string()
	if err != nil || s == "" {
		return nil, err
	}
	b, bad := base64.StdEncoding.DecodeString(s)
	if bad != nil {
		return nil, p.fail(at, "%v", bad)
	}
	return b, nil
}

// rawJSON reads any value as JSON text.
func (p *parser) rawJSON() (json.RawMessage, *wire.Error) {
	if p.o.Lossless && p.b[p.i] == '{' {
		start := p.i
		p.token()
		mark := ""
		if p.b[p.i] == '"' {
			mark = p.text()
		}
		if p.i = start; mark == "$json" || mark == "$rawjson" {
			_, v, err := p.marked()
			raw, _ := v.(json.RawMessage)
			return raw, err
		}
	}
	return append(json.RawMessage{}, p.raw()...), nil
}

func (p *parser) scalar(k schema.Kind) (any, *wire.Error) {
	at, c := p.i, p.b[p.i]
	if k == schema.Bool {
		if c != 't' && c != 'f' {
			return nil, p.wants("a bool")
		}
		p.raw()
		return c == 't', nil
	}
	if k == schema.Complex64 || k == schema.Complex128 {
		return p.complex(k)
	}
	if c == '{' || c == '[' || c == 't' || c == 'f' || isTime(k) && c != '"' {
		return nil, p.wants(wanted(k))
	}
	var s string
	if c == '"' {
		s = p.text()
	} else {
		s = string(p.raw())
	}
	v, ok := parseScalar(k, s)
	if !ok {
		return nil, p.fail(at, "%.60q is no %s", s, wanted(k))
	}
	return v, nil
}

func isTime(k schema.Kind) bool {
	return k == schema.Time || k == schema.TimeZone || k == schema.TimeUnixNano
}

func wanted(k schema.Kind) string {
	if isTime(k) {
		return "time (as 2006-01-02T15:04:05Z)"
	}
	return k.String()
}

// parseScalar reads a scalar or a big number from its text. The text may come from a string, as the
// option "string" of struct tag json writes numbers.
func parseScalar(k schema.Kind, s string) (any, bool) {
	switch {
	case schema.Int8 <= k && k <= schema.Int64:
		v, err := strconv.ParseInt(s, 10, 8<<(k-schema.Int8))
		return v, err == nil && s[0] != '+'
	case schema.Uint8 <= k && k <= schema.Uint64:
		v, err := strconv.ParseUint(s, 10, 8<<(k-schema.Uint8))
		return v, err == nil
	}
	switch k {
	case schema.Duration:
		v, err := strconv.ParseInt(s, 10, 64)
		return time.Duration(v), err == nil && s[0] != '+'
	case schema.Float32:
		bits, ok := parseFloat(s, 32)
		return math.Float32frombits(uint32(bits)), ok
	case schema.Float64:
		bits, ok := parseFloat(s, 64)
		return math.Float64frombits(bits), ok
	case schema.Time, schema.TimeZone, schema.TimeUnixNano:
		v, ok := parseTime(s)
		return v, ok
	case schema.BigInt:
		v, ok := parseBigInt(s)
		return v, ok
	case schema.BigFloat:
		v, ok := parseBigFloat(s)
		return v, ok
	}
	return nil, false
}

// parseFloat returns the bit pattern of a float: converting a NaN between float types would change
// it.
func parseFloat(s string, size int) (bits uint64, ok bool) {
	if bits, ok := parseSpecial(s, size); ok {
		return bits, true
	}
	if strings.ContainsAny(s, "xXpP_nN") { // strconv.ParseFloat accepts these, but JSON does not
		return 0, false
	}
	f, err := strconv.ParseFloat(s, size)
	return floatBits(f, size), err == nil
}

func parseBigInt(s string) (*big.Int, bool) {
	base := 10
	digits := strings.TrimPrefix(s, "-")
	if rest, ok := strings.CutPrefix(digits, "0x"); ok {
		base, digits = 16, rest
	}
	if digits == "" || digits[0] == '+' || digits[0] == '-' {
		return nil, false
	}
	x, ok := new(big.Int).SetString(digits, base)
	if ok && s[0] == '-' {
		x.Neg(x)
	}
	return x, ok
}

// parseBigFloat reads the lossless text of a big.Float, or a number that encoding/json would read
// into a new big.Float.
func parseBigFloat(s string) (*big.Float, bool) {
	if strings.Contains(s, "@") {
		return parseExactFloat(s)
	}
	if len(s) > 1<<16 {
		return nil, false
	}
	x := new(big.Float)
	return x, x.UnmarshalText([]byte(s)) == nil
}

// complex reads "(1+2i)", or an array of two floats.
func (p *parser) complex(k schema.Kind) (any, *wire.Error) {
	at, size, part := p.i, 64, schema.Float64
	if k == schema.Complex64 {
		size, part = 32, schema.Float32
	}
	if p.b[p.i] == '[' {
		var parts []any
		err := p.elements(func(int) *wire.Error {
			v, err := p.scalar(part)
			parts = append(parts, v)
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case len(parts) != 2:
			return nil, p.fail(at, "a complex number has two parts")
		case size == 32:
			return complex(parts[0].(float32), parts[1].(float32)), nil
		}
		return complex(parts[0].(float64), parts[1].(float64)), nil
	}
	s, err := p.string()
	if err != nil {
		return nil, err
	}
	v, bad := strconv.ParseComplex(s, 2*size)
	if bad != nil {
		return nil, p.fail(at, "%.60q is no complex number", s)
	}
	if size == 32 {
		return complex64(v), nil
	}
	return v, nil
}

func (p *parser) list(t *schema.Type) (any, *wire.Error) {
	if t.Kind == schema.List && p.c.s.Types[t.Elem].Kind == schema.Uint8 && p.b[p.i] == '"' {
		return p.bytes()
	}
	if p.b[p.i] != '[' {
		return nil, p.wants("an array")
	}
	out, at := []any{}, p.i
	err := p.elements(func(i int) *wire.Error {
		if t.Kind == schema.Array && i == int(t.Len) {
			return p.fail(at, "more than %d elements", t.Len)
		}
		v, err := p.value(t.Elem)
		out = append(out, v)
		return err
	})
	return out, err
}

func (p *parser) mapping(t *schema.Type) (any, *wire.Error) {
	if p.b[p.i] != '{' {
		return nil, p.wants("an object")
	}
	out := Map{}
	seen := map[string]bool{}
	err := p.members(func(name string, at int) *wire.Error {
		key, ok := p.key(&p.c.s.Types[t.Key], name)
		if !ok {
			return p.fail(at, "%.60q is no key of type %s", name, p.c.s.Types[t.Key].Kind)
		}
		if name = keyText(key); seen[name] {
			return p.fail(at, "key %.60q stands there twice", name)
		}
		seen[name] = true
		v, err := p.value(t.Elem)
		out = append(out, Pair{key, v})
		return in(err, keyStep(name))
	})
	return out, err
}

// key reads a key from the name of a member.
func (p *parser) key(t *schema.Type, name string) (any, bool) {
	switch t.Kind {
	case schema.String:
		return name, true
	case schema.Bool:
		return name == "true", name == "true" || name == "false"
	case schema.Array:
		b, err := hex.DecodeString(name)
		if err != nil || len(b) != int(t.Len) {
			return nil, false
		}
		key := make([]any, len(b))
		for i := range b {
			key[i] = uint64(b[i])
		}
		return key, true
	}
	return parseScalar(t.Kind, name)
}
