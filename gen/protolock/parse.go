package protolock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/internal/locktext"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

var format = locktext.Format{Name: Name, Version: version, Write: "zmy lock",
	Merge: ", numbers of fields must differ"}

// Is reports whether text is that of a zmy.proto.lock, of any version.
func Is(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return strings.HasPrefix(line, "zmyproto ")
		}
	}
	return false
}

// Parse reads the content of a lock file. The error is an ir.Problems whose positions have the
// file's name without a folder.
func Parse(text []byte) (*File, error) {
	p := parser{f: &File{}}
	if err := format.Read(text, p.head, p.member); err != nil {
		return nil, err
	}
	p.f.sort()
	return p.f, nil
}

type parser struct {
	f *File
	t *Type
}

func (p *parser) head(at ir.Pos, words []string) error {
	switch kind := Kind(words[0]); {
	case kind != Message && kind != Enum:
		return fmt.Errorf("%q begins no type; message and enum do", words[0])
	case len(words) != 2 || words[1] == "":
		return fmt.Errorf("a %s has a name and nothing else in its line", words[0])
	case p.f.Type(words[1]) != nil:
		return fmt.Errorf("type %s stands here a second time; keep one, with the members of both", words[1])
	}
	p.t = &Type{Kind: Kind(words[0]), Name: words[1], Pos: at}
	p.f.Types = append(p.f.Types, p.t)
	return nil
}

// member parses a field, a value or a line of reserved numbers or names.
func (p *parser) member(at ir.Pos, words []string) error {
	switch {
	case p.t == nil:
		return fmt.Errorf("a field before the first type")
	case words[0] == "reserved":
		return p.reserved(words[1:])
	}
	n, err := strconv.ParseInt(words[0], 10, 32)
	switch {
	case err != nil || p.t.Kind == Message && (n < 1 || n > pbtype.MaxField):
		return fmt.Errorf("bad number %q", words[0])
	case len(words) < 2 || words[1] == "":
		return fmt.Errorf("number %d of %s has no name", n, p.t.Name)
	case p.t.Kind == Enum:
		return p.value(int32(n), words)
	}
	return p.field(at, int32(n), words)
}

func (p *parser) reserved(words []string) error {
	text := strings.Join(words, " ")
	if numbers, _, ok := pbtype.ParseReserved(text, p.t.last()); ok && numbers != nil {
		p.t.Reserved = p.t.Reserved.Union(numbers)
		return nil
	}
	if _, names, ok := pbtype.ParseReserved(strconv.Quote(text), 0); ok { // locktext has removed the quotation marks
		p.t.Names = append(p.t.Names, names...)
		return nil
	}
	return fmt.Errorf("%q is neither a range of numbers nor a name", text)
}

func (p *parser) value(n int32, words []string) error {
	v := Value{Number: n, Name: words[1], Reserved: len(words) == 3 && words[2] == "reserved"}
	if len(words) > 3 || len(words) == 3 && !v.Reserved {
		return fmt.Errorf("unknown word %q", words[2])
	}
	for _, w := range p.t.Values {
		if w.Name == v.Name && w.Number == v.Number {
			return fmt.Errorf("value %s of %s stands here a second time; keep one", v.Name, p.t.Name)
		}
	}
	p.t.Values = append(p.t.Values, v)
	return nil
}

func (p *parser) field(at ir.Pos, n int32, words []string) error {
	f := Field{Number: n, Name: words[1], JSON: pbtype.JSONName(words[1]), Pos: at}
	if p.t.field(n) != nil || p.t.gone(n) != nil {
		return fmt.Errorf("number %d of %s is given twice; give one of the fields another number in the source", n, p.t.Name)
	}
	words = words[2:]
	for len(words) > 1 && labels[words[0]] {
		f.Repeated, f.Optional = f.Repeated || words[0] == "repeated", f.Optional || words[0] == "optional"
		words = words[1:]
	}
	if len(words) == 0 {
		return fmt.Errorf("field %s without a type", f.Name)
	}
	if err := f.parseType(words[0]); err != nil {
		return err
	}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		switch {
		case w == "unpacked":
			f.Unpacked = true
		case w == "group":
			f.Group = true
		case w == "reserved":
			f.Reserved = true
		case name == "oneof" && value != "":
			f.Oneof = value
		case name == "json" && value != "":
			f.JSON = value
		default:
			return fmt.Errorf("unknown word %q", w)
		}
	}
	p.t.Fields = append(p.t.Fields, f)
	return nil
}
