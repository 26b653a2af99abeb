package dynamic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// NOTE: The parser is the inverse of the printer in json*.go, by recursive descent: object, union
// and foreign here, other values in parse_value.go, values of type any with their marks in
// parse_any.go. In the plain form, members of embedded structs are mixed with those of the struct
// around them. So field builds the embedded structs as their members arrive, and settle puts all
// fields into the order of their numbers at the end, where duplicates are neighbours.

// JSONError says which part of a JSON text is not a value of the schema's type.
type JSONError struct {
	Type   string // name of the message's type
	Path   string // path of the value inside the message; "" is the message itself
	Offset int64  // bytes from the start of the text
	Err    error
}

// Error returns one line that says what failed, where and why.
func (e *JSONError) Error() string {
	path := e.Type
	if e.Path != "" && e.Path[0] != '[' {
		path += "."
	}
	return fmt.Sprintf("zmy: dynamic: JSON of %s%s: %v at offset %d", path, e.Path, e.Err, e.Offset)
}

// Unwrap returns e.Err.
func (e *JSONError) Unwrap() error { return e.Err }

// ParseJSON reads a JSON text, in the form that o selects, as the tree of a message. Missing
// members and null are zero. It does not limit the size of text; encoding the tree limits the size
// of the message.
func (c *Codec) ParseJSON(text []byte, o JSONOptions) (*Struct, error) {
	name := c.s.Types[0].Name
	if !json.Valid(text) { // the rest of the parser relies on it
		out := &JSONError{Type: name, Err: json.Unmarshal(text, new(json.RawMessage))}
		if s := (*json.SyntaxError)(nil); errors.As(out.Err, &s) {
			out.Offset = s.Offset
		}
		return nil, out
	}
	p := parser{c: c, b: text, o: o}
	p.space()
	v, err := p.object(0)
	if err != nil {
		return nil, &JSONError{name, err.Path, int64(err.Offset), err.Cause}
	}
	return v, nil
}

// parser reads a text that is valid JSON. So the first byte of a value says what it is, quotes and
// brackets match, and indices are not checked. Its methods for values expect that white space
// before the value has been skipped. Errors are of type *wire.Error, which collects the path. Their
// Offset already counts from the start of the text, so callers add 0 to it.
type parser struct {
	c *Codec
	b []byte
	i int
	o JSONOptions
}

// fail returns an error at an offset of the text. Callers add its path.
func (p *parser) fail(at int, format string, args ...any) *wire.Error {
	return &wire.Error{Code: wire.ErrDomain, Offset: at, Cause: fmt.Errorf(format, args...)}
}

// wants returns the error for a value of another JSON type than wanted.
func (p *parser) wants(want string) *wire.Error {
	what := "a number"
	switch p.b[p.i] {
	case '{':
		what = "an object"
	case '[':
		what = "an array"
	case '"':
		what = "a string"
	case 't', 'f':
		what = "a bool"
	case 'n':
		what = "null"
	}
	return p.fail(p.i, "%s where %s belongs", what, want)
}

func (p *parser) space() {
	for p.i < len(p.b) && p.b[p.i] <= ' ' {
		p.i++
	}
}

// token skips one byte and the white space around it.
func (p *parser) token() {
	p.space()
	p.i++
	p.space()
}

// members calls f for each member of the object at p.i. f reads the member's value; at is the
// offset of its name.
func (p *parser) members(f func(name string, at int) *wire.Error) *wire.Error {
	for p.token(); p.b[p.i] != '}'; {
		at := p.i
		name := p.text()
		p.token()
		if err := f(name, at); err != nil {
			return err
		}
		if p.space(); p.b[p.i] == ',' {
			p.token()
		}
	}
	p.i++
	return nil
}

// elements calls f for each element of the array at p.i. f reads the element.
func (p *parser) elements(f func(i int) *wire.Error) *wire.Error {
	p.token()
	for i := 0; p.b[p.i] != ']'; i++ {
		if err := f(i); err != nil {
			return err.At(i, 0)
		}
		if p.space(); p.b[p.i] == ',' {
			p.token()
		}
	}
	p.i++
	return nil
}

// text reads the string at p.i.
func (p *parser) text() string {
	literal := p.raw()
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1]) // encoding the message refuses a string that is not UTF-8
	}
	var s string
	_ = json.Unmarshal(literal, &s)
	return s
}

// raw skips the value at p.i and returns its text.
func (p *parser) raw() []byte {
	from := p.i
	switch p.b[p.i] {
	case '"':
		for p.i++; p.b[p.i] != '"'; p.i++ {
			if p.b[p.i] == '\\' {
				p.i++
			}
		}
		p.i++
	case '{', '[':
		for depth := 0; ; {
			switch p.b[p.i] {
			case '"':
				p.raw()
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if p.i++; depth == 0 {
				return p.b[from:p.i]
			}
		}
	default:
		for p.i < len(p.b) && p.b[p.i] > ' ' && p.b[p.i] != ',' && p.b[p.i] != ']' && p.b[p.i] != '}' {
			p.i++
		}
	}
	return p.b[from:p.i]
}

// null skips a null, and reports whether there was one.
func (p *parser) null() bool {
	if p.b[p.i] == 'n' {
		p.i += len("null")
		return true
	}
	return false
}

// object reads an object as a struct of type t.
func (p *parser) object(t uint32) (*Struct, *wire.Error) {
	if p.b[p.i] != '{' {
		return nil, p.wants("an object")
	}
	out, start := p.c.newStruct(int(t)), p.i
	err := p.members(func(name string, at int) *wire.Error {
		path, ok := []int(nil), false
		if p.o.Lossless {
			if name == unknownName || name == reservedName {
				return p.foreign(out, name)
			}
			var one [1]int
			one[0], ok = out.names.numbers[name]
			path = one[:]
		} else {
			path, ok = out.names.paths[name]
		}
		if !ok {
			return p.stranger(out.names, name, at)
		}
		return p.field(out, path)
	})
	if err == nil {
		err = p.settle(out, start)
	}
	return out, err
}

func (p *parser) stranger(n *names, name string, at int) *wire.Error {
	if p.o.DropUnknown {
		p.raw()
		return nil
	}
	t := &p.c.s.Types[n.t]
	hint := ""
	if near := n.didYouMean(name, p.o.Lossless); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return p.fail(at, "%s has no field %.60q%s", nameOr(t, int(n.t)), name, hint)
}

// field reads the value of the field of s to which path leads, through structs that s embeds.
func (p *parser) field(s *Struct, path []int) *wire.Error {
	f := &p.c.s.Types[s.names.t].Fields[path[0]]
	if len(path) == 1 {
		v, err := p.value(f.Type)
		s.Fields = append(s.Fields, Field{f, v})
		return in(err, f.Name)
	}
	for i := range s.Fields { // another of its members may have come before
		if s.Fields[i].Field == f {
			return in(p.field(s.Fields[i].Value.(*Struct), path[1:]), f.Name)
		}
	}
	t, _ := p.c.embedded(f)
	inner := p.c.newStruct(int(t))
	s.Fields = append(s.Fields, Field{f, inner})
	return in(p.field(inner, path[1:]), f.Name)
}

// settle sorts the fields of s by number, and refuses duplicates. start is the offset of the object
// that s was read from.
func (p *parser) settle(s *Struct, start int) *wire.Error {
	byNumber := func(x, y Field) int { return int(x.Number) - int(y.Number) }
	if !slices.IsSortedFunc(s.Fields, byNumber) {
		slices.SortFunc(s.Fields, byNumber)
	}
	for i, f := range s.Fields {
		if i > 0 && f.Field == s.Fields[i-1].Field {
			return p.fail(start, "field %s stands there twice", f.Name)
		}
		if _, ok := p.c.embedded(f.Field); ok && !p.o.Lossless {
			if err := p.settle(f.Value.(*Struct), start); err != nil {
				return err
			}
		}
	}
	return nil
}

// foreign reads a member with content that the schema does not know.
func (p *parser) foreign(s *Struct, name string) *wire.Error {
	if p.b[p.i] != '{' {
		return p.wants("an object").In(name, 0)
	}
	var scalars, bits []byte
	var tails [][]byte
	err := p.members(func(key string, at int) (err *wire.Error) {
		switch {
		case name == reservedName:
			var kept []byte
			if kept, err = p.bytes(); err != nil {
				return err
			}
			return p.reserved(s, key, kept, at)
		case key == "scalars":
			scalars, err = p.bytes()
		case key == "bitmap":
			bits, err = p.bytes()
		case key == "tails" && p.b[p.i] == '[':
			err = p.elements(func(int) *wire.Error {
				tail, err := p.bytes()
				tails = append(tails, tail)
				return err
			})
		default:
			err = p.fail(at, "scalars, tails and bitmap belong here, not %.60q", key)
		}
		return err
	})
	if err != nil {
		return err.In(name, 0)
	}
	if name == unknownName {
		unknown := wire.MakeUnknown(scalars, tails, bits)
		t := &p.c.s.Types[s.names.t]
		for i := range t.Fields { // $reserved may have come before
			if kept := s.Unknown.Kept(i); kept != nil {
				unknown = unknown.WithKept(i, kept)
			}
		}
		s.Unknown = unknown
	}
	return nil
}

func (p *parser) reserved(s *Struct, key string, kept []byte, at int) *wire.Error {
	t := &p.c.s.Types[s.names.t]
	for i := range t.Fields {
		f := &t.Fields[i]
		if !f.Reserved || itoa(i) != key {
			continue
		}
		if size := p.c.l.Table[f.Type].Size; p.c.isFixed(f.Type) && size != len(kept) {
			return p.fail(at, "reserved field %s has %d bytes, not %d", key, size, len(kept))
		}
		s.Unknown = s.Unknown.WithKept(i, kept)
		return nil
	}
	return p.fail(at, "%.60q is the number of no reserved field", key)
}

// union reads an object with one member, whose name is that of the arm.
func (p *parser) union(t *schema.Type) (any, *wire.Error) {
	if p.b[p.i] != '{' {
		return nil, p.wants("an object with one member, the name of the arm")
	}
	start := p.i
	var out *Union
	err := p.members(func(name string, at int) (err *wire.Error) {
		if out != nil {
			return p.fail(at, "a union has one member, the name of the arm")
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if number := uint16(f.Number); armName(f, number) == name {
				out = &Union{Number: number, Name: f.Name}
				if p.null() {
					return nil
				}
				out.Value, err = p.object(f.Type)
				return in(err, name)
			}
		}
		var number uint16
		if _, scanned := fmt.Sscanf(name, "#%d", &number); scanned != nil || number == 0 || armOf(t, number) != nil {
			return p.fail(at, "%s has no arm %.60q", nameOr(t, 0), name)
		}
		out = &Union{Number: number}
		out.Raw, err = p.bytes()
		return in(err, name)
	})
	if err == nil && out == nil {
		err = p.fail(start, "a union has one member, the name of the arm")
	}
	return out, err
}

func in(err *wire.Error, name string) *wire.Error {
	if err != nil {
		err.In(name, 0)
	}
	return err
}

func keyStep(key string) string {
	if !utf8.ValidString(key) || len(key) > 40 {
		return "[…]"
	}
	return fmt.Sprintf("[%q]", key)
}
