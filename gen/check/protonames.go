package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// enum declares the enum of a type that has constants, and returns its name, or "" for a type without.
// The name of a value is that of the constant in capitals, behind the name of the enum: StatusPaid of
// Status becomes STATUS_PAID.
func (c *schemaCheck) enum(t *ir.Type) string {
	if name, ok := c.enums[t]; ok || len(t.Values) == 0 {
		return name
	}
	e := &ir.ProtoEnum{Doc: t.Name.Doc, Deprecated: describe.Deprecated(t.Name.Doc)}
	goName := protoSpelling.Word(t)
	e.Name = ir.Fresh(goName, "", func(name string) bool { return c.names[name] })
	given := c.valueNames(t)
	var zeros, others []ir.Value
	seen := map[int64]bool{}
	for _, v := range t.Values {
		v.Name = cmp.Or(given[v.Name], pbtype.EnumValue(e.Name, t.Name.Name, v.Name))
		e.Alias = e.Alias || seen[v.Number]
		seen[v.Number] = true
		if v.Number == 0 {
			zeros = append(zeros, v)
			continue
		}
		others = append(others, v)
	}
	if len(zeros) == 0 {
		zeros = []ir.Value{{Name: pbtype.EnumValue(e.Name, "", "Unspecified")}}
	}
	e.Values = append(zeros, others...)
	var used Reserved
	for _, v := range e.Values {
		used.Numbers = append(used.Numbers, pbtype.Range{From: int32(v.Number), To: int32(v.Number)})
		used.Names = append(used.Names, v.Name)
	}
	e.Reserved = c.reserved(t, used)
	c.enums[t] = c.place(t, e, goName)
	return c.enums[t]
}

// place adds an enum to the file and returns its name. If one of its values has the name of another
// enum's, the enum is declared within the message whose name its own begins with: OrderState within
// Order. That is where fxproto -from found such enums.
func (c *schemaCheck) place(t *ir.Type, e *ir.ProtoEnum, goName string) string {
	clash := slices.IndexFunc(e.Values, func(v ir.Value) bool { return c.values[v.Name] })
	if clash < 0 {
		c.names[e.Name] = true
		for _, v := range e.Values {
			c.values[v.Name] = true
		}
		c.file.Enums = append(c.file.Enums, e)
		return e.Name
	}
	var within *message
	for _, m := range c.messages {
		if m.ProtoMessageDecl == nil { // google.protobuf.Any
			continue
		}
		rest, ok := strings.CutPrefix(goName, m.Name)
		if ok && rest != "" && unicode.IsUpper(rune(rest[0])) && (within == nil || len(m.Name) > len(within.Name)) &&
			!slices.ContainsFunc(m.Enums, func(other *ir.ProtoEnum) bool { return clashes(e, other) }) {
			within = m
		}
	}
	if within == nil {
		c.problems = append(c.problems, ir.Problem{Pos: t.Pos, Path: c.src.Name(t),
			Msg:  "its value " + e.Values[clash].Name + " has the name of another enum's, with which it shares a scope",
			Hint: "rename it by a directive //zmy:proto-value, or rename the type so that it begins with the name of a message"})
		return e.Name
	}
	e.Name = c.names.take(strings.TrimPrefix(goName, within.Name))
	within.Enums = append(within.Enums, e)
	return within.full + "." + e.Name
}

// clashes reports whether two enums have values with one name.
func clashes(a, b *ir.ProtoEnum) bool {
	return slices.ContainsFunc(a.Values, func(v ir.Value) bool {
		return slices.ContainsFunc(b.Values, func(w ir.Value) bool { return v.Name == w.Name })
	})
}

// valueDirective gives a constant another name in the .proto file: //zmy:proto-value StatusPaid PAID.
const valueDirective = "zmy:proto-value "

// valueNames returns the names that directives give to constants.
func (c *schemaCheck) valueNames(t *ir.Type) map[string]string {
	out := map[string]string{}
	for _, d := range t.Name.Dirs {
		text, ok := strings.CutPrefix(d, valueDirective)
		if !ok {
			continue
		}
		words := strings.Fields(text)
		if len(words) != 2 || !packageForm.MatchString(words[1]) || strings.Contains(words[1], ".") {
			c.problems = append(c.problems, ir.Problem{Pos: t.Pos, Path: c.src.Name(t), Msg: fmt.Sprintf("bad directive //%s", d),
				Hint: "write //zmy:proto-value StatusPaid STATUS_PAID"})
			continue
		}
		out[words[0]] = words[1]
	}
	return out
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
