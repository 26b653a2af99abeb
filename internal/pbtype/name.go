package pbtype

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names are the names of a field in a .proto file and in JSON.
type Names struct {
	Proto string // lower_snake_case, unless a tag says otherwise
	JSON  string // what protobuf's JSON mapping writes
}

// NamesOf returns the names of the Go field called name. The name in .proto files is that of the
// option name: of struct tag proto, that of name= in struct tag protobuf, or the Go name in snake
// case. The JSON name is that of json= in struct tag protobuf if it has a name=, that of struct tag
// json, or the one that protobuf derives from the name in .proto files.
func NamesOf(name string, tag reflect.StructTag) Names {
	out := Names{Proto: Snake(name)}
	if text, ok := tag.Lookup("proto"); ok {
		for word := range strings.SplitSeq(text, ",") {
			if given, ok := strings.CutPrefix(word, "name:"); ok {
				out.Proto = given
			}
		}
	} else {
		out.legacy(tag.Get("protobuf"))
	}
	if json, _, _ := strings.Cut(tag.Get("json"), ","); out.JSON == "" && json != "-" && isJSONName(json) {
		out.JSON = json
	}
	if out.JSON == "" {
		out.JSON = JSONName(out.Proto)
	}
	return out
}

// Names returns the names of an arm of an interface: those of the field that has its value, or of its
// struct, whose Go name is given.
func (a *Arm[T, F]) Names(goType string) Names {
	if a.Inner != nil {
		return NamesOf(a.Inner.Name, a.Inner.Tag)
	}
	return NamesOf(goType, "")
}

// legacy reads the names in a struct tag protobuf. Its struct tag json has the name in .proto files.
func (n *Names) legacy(text string) {
	for word := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case key == "def":
			return // the rest is the text of a default value
		case key == "name" && isName(value):
			n.Proto, n.JSON = value, JSONName(value)
		case key == "json" && value != "":
			n.JSON = value
		}
	}
}

// isJSONName reports whether a .proto file can give the name to a field in JSON.
func isJSONName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "[]\x00") && strings.ToValidUTF8(s, "") == s
}

// JSONName returns the name in JSON that protobuf gives to a field: unit_price becomes unitPrice.
func JSONName(name string) string {
	var b strings.Builder
	up := false
	for _, c := range []byte(name) {
		switch {
		case c == '_':
			up = true
			continue
		case up && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		up = false
		b.WriteByte(c)
	}
	return b.String()
}

// Snake turns a Go identifier into a name in a .proto file: UserID becomes user_id. Letters that are
// not ASCII become u and their number in hexadecimal.
func Snake(s string) string {
	var b strings.Builder
	r := []rune(s)
	for i, c := range r {
		starts := i > 0 && unicode.IsUpper(c) && r[i-1] != '_' &&
			(!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1]))
		if starts {
			b.WriteByte('_')
		}
		if c > unicode.MaxASCII {
			b.WriteString("u" + strconv.FormatInt(int64(c), 16))
			continue
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// named applies the option name: of a struct tag proto.
func (t *Tag) named(name string) *refusal {
	switch {
	case !isName(name):
		return &refusal{fmt.Sprintf("bad name %q of a field", name), "use a name of letters, digits and _, as in name:unit_price"}
	case t.Name != "":
		return &refusal{"struct tag proto has two names", "remove one"}
	}
	t.Name = name
	return nil
}

// EnumValue returns the name in a .proto file of a constant of a Go type. It is the constant's name in
// capitals, without the name of the type, and behind the name of the enum, since the values of all
// enums share a scope: StatusPaid of Status becomes STATUS_PAID.
func EnumValue(enum, goType, constant string) string {
	return strings.ToUpper(Snake(enum) + "_" + Snake(word(constant, goType)))
}

// word returns the name of a constant without the name of its type, which it may begin with.
func word(name, goType string) string {
	rest := strings.TrimLeft(name, "_")
	if len(rest) > len(goType) && strings.EqualFold(rest[:len(goType)], goType) {
		after := strings.TrimLeft(rest[len(goType):], "_")
		if r, _ := utf8.DecodeRuneInString(after); after != "" && !unicode.IsLower(r) {
			return after
		}
	}
	return rest
}
