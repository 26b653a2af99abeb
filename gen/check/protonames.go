package check

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// protoNames is a set of names of a .proto file that are taken.
type protoNames map[string]bool

// take returns want, or want with a number if it is taken.
func (n protoNames) take(want string) string {
	got := ir.Fresh(want, "", func(name string) bool { return n[name] })
	n[got] = true
	return got
}

// protoSpelling makes the name of a message or an enum: Page[Order] is PageOrder.
var protoSpelling = ir.Spelling{
	Base: func(t *ir.Type) string {
		if t.Name != nil && t.Name.Pkg != "" {
			return camel(t.Name.Name)
		}
		return ir.Title(t.Said())
	},
	Slice: "{}List", Array: "{}Array{n}", Map: "{key}{}Map", Pointer: "Optional{}",
}

// camel turns a Go identifier into the name of a message: order becomes Order, a_b becomes AB.
// Letters that are not ASCII become U and their number in hexadecimal.
func camel(s string) string {
	var b strings.Builder
	up := true
	for _, c := range s {
		switch {
		case c == '_':
			up = true
			continue
		case c > unicode.MaxASCII:
			b.WriteString("U" + strconv.FormatInt(int64(c), 16))
		case up:
			b.WriteRune(unicode.ToUpper(c))
		default:
			b.WriteRune(c)
		}
		up = false
	}
	if out := b.String(); out != "" && unicode.IsLetter(rune(out[0])) {
		return out
	}
	return "M" + b.String()
}

// enum declares the enum of a type that has constants, and returns nil for a type without. The name
// of a value is that of the constant in capitals, behind the name of the enum: StatusPaid of Status
// becomes STATUS_PAID.
func (c *schemaCheck) enum(t *ir.Type) *ir.ProtoEnum {
	if e, ok := c.enums[t]; ok || len(t.Values) == 0 {
		return e
	}
	e := &ir.ProtoEnum{Name: c.names.take(protoSpelling.Word(t)), Doc: t.Name.Doc, Deprecated: describe.Deprecated(t.Name.Doc)}
	e.Reserved = c.reserved(t)
	c.enums[t] = e
	c.file.Enums = append(c.file.Enums, e)
	prefix := strings.ToUpper(pbtype.Snake(e.Name)) + "_"
	var zeros, others []ir.Value
	seen := map[int64]bool{}
	for _, v := range t.Values {
		name := strings.ToUpper(pbtype.Snake(constantWord(v.Name, t.Name.Name)))
		if name == "" {
			name = strings.ToUpper(pbtype.Snake(v.Name))
		}
		v.Name = c.values.take(prefix + name)
		e.Alias = e.Alias || seen[v.Number]
		seen[v.Number] = true
		if v.Number == 0 {
			zeros = append(zeros, v)
			continue
		}
		others = append(others, v)
	}
	if len(zeros) == 0 {
		zeros = []ir.Value{{Name: c.values.take(prefix + "UNSPECIFIED")}}
	}
	e.Values = append(zeros, others...)
	return e
}

// constantWord returns the name of a constant without the name of its type, which it may begin with.
func constantWord(name, typ string) string {
	for _, prefix := range []string{typ, ir.Title(typ)} {
		rest, ok := strings.CutPrefix(name, prefix)
		rest = strings.TrimLeft(rest, "_")
		if r, _ := utf8.DecodeRuneInString(rest); ok && rest != "" && !unicode.IsLower(r) {
			return rest
		}
	}
	return strings.TrimLeft(name, "_")
}

// protoString returns s as a string literal of a .proto file.
func protoString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			b.WriteString(`\x` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
