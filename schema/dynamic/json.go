package dynamic

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
)

// NOTE: The printer goes through the tree and the schema at once. The schema has the names of
// fields and says which values are of type any; the tree has the values. Method plain
// (json_scalar.go) writes values that have the same form whether or not they are in a value of type
// any. Method any (json_any.go) adds the marks of the lossless form.

// MaxJSON is the largest size of JSON output in bytes. Messages need no names but JSON does, and a
// name may be much longer than its value. So a limit of the message's size is not enough.
const MaxJSON = 64 << 20

// JSONOptions selects the form of the JSON.
//
// The plain form is what encoding/json writes for the Go type, with all fields. It is read as
// encoding/json reads it, except that unknown and duplicate names are errors. A schema does not
// contain omitempty. Nor does it say that a type has methods if messages carry the content of the
// type: a value of an integer type with MarshalText is written as its number. A union is an object
// with one member, named after the arm; encoding/json writes the arm alone and cannot read it.
// Values that JSON cannot express are strings: "NaN", "+Inf", complex numbers, integers of more
// than 131,072 bits (in hexadecimal), raw JSON that is not valid JSON (in base64). So a value of
// type any may change its type: a time becomes a string, and 1.0 becomes 1.
//
// The lossless form preserves every message, byte for byte. It differs from the plain form only
// where that loses something. Values of type any for which JSON has no type are {"$time":"…"},
// {"$bytes":"…"} and so on. Floats in values of type any have a fraction or an exponent. Fields
// without a name in JSON have their Go names, and embedded structs are members like others. Content
// that the schema does not know is under "$unknown" and "$reserved".
type JSONOptions struct {
	Lossless bool
	// DropUnknown makes ParseJSON skip members that the schema does not have.
	DropUnknown bool
}

// JSON reads a message with the default limits and returns it as plain JSON.
func (c *Codec) JSON(msg []byte) ([]byte, error) {
	s, err := c.Decode(msg)
	if err != nil {
		return nil, err
	}
	return c.AppendJSON(nil, s, JSONOptions{})
}

// AppendJSON appends the tree s as JSON to dst. On error it returns dst unchanged.
func (c *Codec) AppendJSON(dst []byte, s *Struct, o JSONOptions) ([]byte, error) {
	p := printer{c: c, b: dst, start: len(dst), lossless: o.Lossless}
	p.object(0, s)
	if p.err != nil {
		return dst, p.err
	}
	return p.b, nil
}

// MarshalJSON returns s as plain JSON. A Codec must have made s.
func (s *Struct) MarshalJSON() ([]byte, error) {
	if s.names == nil {
		return nil, errors.New("zmy: dynamic: JSON of a struct that no Codec has made; use Codec.AppendJSON")
	}
	p := printer{c: s.names.c}
	p.object(s.names.t, s)
	return p.b, p.err
}

// printer writes a tree as JSON. Its methods return nothing: the first error is kept in err, and
// what was written is dropped in the end. A tree that someone else has made may hold a nil pointer,
// slice or map of the right type, so each method writes null for that.
type printer struct {
	c        *Codec
	b        []byte
	start    int
	lossless bool
	err      error
}

// ok reports whether n more bytes may be written. The methods value and any call it with n = 32,
// which no scalar exceeds. Methods that write longer texts call it with the text's length. Brackets
// and commas are written without a call.
func (p *printer) ok(n int) bool {
	if p.err == nil && len(p.b)-p.start+n > MaxJSON {
		p.err = fmt.Errorf("zmy: dynamic: JSON: %w: more than %d bytes", zmy.ErrTooLarge, MaxJSON)
	}
	return p.err == nil
}

func (p *printer) wrong(v any, want string) {
	if p.err == nil {
		p.err = fmt.Errorf("zmy: dynamic: JSON: %T where %s belongs", v, want)
	}
}

func (p *printer) write(s string) { p.b = append(p.b, s...) }

func (p *printer) object(t uint32, s *Struct) {
	p.b = append(p.b, '{')
	first := p.fields(t, s, p.c.namesOf(int(t)), true)
	if p.lossless {
		p.unknown(s, first)
	}
	p.b = append(p.b, '}')
}

// fields writes the fields of s, whose type is t, with the names n. first says that no member has
// been written yet; the result says the same afterwards.
func (p *printer) fields(t uint32, s *Struct, n *names, first bool) bool {
	fields := p.c.s.Types[t].Fields
	for i := range s.Fields {
		f := s.Fields[i].Field
		if f == nil || f.Number >= uint32(len(fields)) {
			p.wrong(s.Fields[i].Value, "a field of the schema")
			return first
		}
		name := n.plain[f.Number]
		if inner := n.inner[f.Number]; inner != nil && !p.lossless {
			if in, ok := s.Fields[i].Value.(*Struct); ok && in != nil {
				first = p.fields(inner.t, in, inner, first)
			}
			continue
		}
		if p.lossless {
			name = n.lossless[f.Number]
		}
		if name == "" || !p.ok(len(name)) {
			continue
		}
		p.member(name, first)
		first = false
		p.value(fields[f.Number].Type, s.Fields[i].Value)
	}
	return first
}

func (p *printer) member(name string, first bool) {
	if !first {
		p.b = append(p.b, ',')
	}
	p.text(name)
	p.b = append(p.b, ':')
}

// text writes a string with the escapes of encoding/json.
func (p *printer) text(s string) {
	if !p.ok(len(s)) {
		return
	}
	if plainText(s) {
		p.b = append(append(append(p.b, '"'), s...), '"')
		return
	}
	t, _ := json.Marshal(s) // json.Marshal of a string cannot fail
	p.b = append(p.b, t...)
}

// plainText reports whether s needs no escapes. For such strings a copy is several times faster
// than json.Marshal.
func plainText(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c == '"', c == '\\', c == '<', c == '>', c == '&', c == 0xE2: // first byte of U+2028
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s)
}

func (p *printer) base64(b []byte) {
	if p.ok(base64.StdEncoding.EncodedLen(len(b))) {
		p.b = append(base64.StdEncoding.AppendEncode(append(p.b, '"'), b), '"')
	}
}

// value writes the value v of type t.
func (p *printer) value(t uint32, v any) {
	if !p.ok(32) {
		return
	}
	if v == nil {
		p.write("null")
		return
	}
	switch k := p.c.s.Types[t].Kind; k {
	case schema.Any:
		p.any(v)
	case schema.Opt:
		p.value(p.c.s.Types[t].Elem, v)
	case schema.Struct:
		if s, ok := v.(*Struct); !ok {
			p.wrong(v, "a struct")
		} else if s == nil {
			p.write("null")
		} else {
			p.object(t, s)
		}
	case schema.Union:
		p.union(t, v)
	case schema.List, schema.Array:
		p.list(p.c.s.Types[t].Elem, v)
	case schema.Map:
		p.mapping(t, v)
	default:
		if !p.plain(v) {
			p.wrong(v, k.String())
		}
	}
}

func (p *printer) list(elem uint32, v any) {
	switch v := v.(type) {
	case []byte:
		p.bytes(v)
	case []any:
		if v == nil {
			p.write("null")
			return
		}
		p.array(len(v), func(i int) { p.value(elem, v[i]) })
	default:
		p.wrong(v, "a list")
	}
}

// array writes an array of n elements by calls of element, until one of them fails.
func (p *printer) array(n int, element func(i int)) {
	p.b = append(p.b, '[')
	for i := 0; i < n && p.err == nil; i++ {
		if i > 0 {
			p.b = append(p.b, ',')
		}
		element(i)
	}
	p.b = append(p.b, ']')
}

func (p *printer) bytes(b []byte) {
	if b == nil {
		p.write("null")
		return
	}
	p.base64(b)
}

func (p *printer) mapping(t uint32, v any) {
	m, ok := v.(Map)
	switch {
	case !ok:
		p.wrong(v, "a map")
		return
	case m == nil:
		p.write("null")
		return
	}
	elem := p.c.s.Types[t].Elem
	p.b = append(p.b, '{')
	for i := range m {
		p.member(keyText(m[i].Key), i == 0)
		if m[i].Value == nil && p.c.s.Types[elem].Kind == schema.Struct { // a value of a set, in a tree that no Codec made
			p.write("{}")
		} else if p.value(elem, m[i].Value); p.err != nil {
			return
		}
	}
	p.b = append(p.b, '}')
}

// union writes an object with one member. Its name is the name of the arm, or # and the arm's
// number if it has no name. The value of an arm that the schema does not have is its slot in
// base64.
func (p *printer) union(t uint32, v any) {
	u, ok := v.(*Union)
	if !ok {
		p.wrong(v, "a union")
		return
	}
	if u == nil {
		p.write("null")
		return
	}
	p.b = append(p.b, '{')
	f := armOf(&p.c.s.Types[t], u.Number)
	p.member(armName(f, u.Number), true)
	switch {
	case f == nil:
		p.base64(u.Raw)
	case u.Value == nil:
		p.write("{}")
	default:
		p.object(f.Type, u.Value)
	}
	p.b = append(p.b, '}')
}

func armName(f *schema.Field, number uint16) string {
	if f == nil || f.Name == "" {
		return "#" + itoa(int(number))
	}
	return f.Name
}

// unknown writes the content of s that the schema does not know.
func (p *printer) unknown(s *Struct, first bool) {
	if s.Unknown.IsZero() {
		return
	}
	scalars, tails, bits := s.Unknown.Parts()
	if len(scalars)+len(tails)+len(bits) > 0 {
		p.member(unknownName, first)
		first = false
		p.write(`{"scalars":`)
		p.base64(scalars)
		p.write(`,"tails":`)
		p.array(len(tails), func(i int) { p.base64(tails[i]) })
		if len(bits) > 0 {
			p.write(`,"bitmap":`)
			p.base64(bits)
		}
		p.write("}")
	}
	if s.names == nil {
		return
	}
	some := false
	for i, f := range p.c.s.Types[s.names.t].Fields {
		if kept := s.Unknown.Kept(i); f.Reserved && kept != nil {
			if !some {
				p.member(reservedName, first)
				p.write("{")
			}
			p.member(itoa(i), !some)
			p.base64(kept)
			some = true
		}
	}
	if some {
		p.write("}")
	}
}
