package lock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/internal/locktext"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

var format = locktext.Format{
	Name: Name, Version: version, Write: "zmy lock", Merge: ", numbers of fields must differ",
}

// Parse reads the content of a lock file. The error is an ir.Problems whose positions have the
// file's name without a folder.
func Parse(text []byte) (*File, error) {
	p := parser{f: &File{}}
	if err := format.Read(text, p.head, p.member); err != nil {
		return nil, err
	}
	for _, t := range p.f.Types {
		if _, err := p.f.schema(t); err != nil {
			return nil, locktext.Broken(t.Pos, "%s: %v", t.Name, err)
		}
	}
	p.f.sort()
	return p.f, nil
}

type parser struct {
	f *File
	t *Type
}

func (p *parser) head(at ir.Pos, words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("a type without name")
	}
	t := &Type{Name: words[1], Pos: at}
	rest := words[2:]
	switch words[0] {
	case "struct", "sparse":
		t.Kind, t.Sparse = schema.Struct, words[0] == "sparse"
	case "union":
		t.Kind = schema.Union
	case "enum":
		if len(rest) > 0 {
			t.Kind = kindOf(rest[0])
			rest = rest[1:]
		}
		if t.Kind < schema.Int8 || t.Kind > schema.Uint64 {
			return fmt.Errorf("enum %s has no integer type", t.Name)
		}
	default:
		return fmt.Errorf("%q begins no type; struct, sparse, union and enum do", words[0])
	}
	if p.f.Type(t.Name) != nil {
		return fmt.Errorf("type %s stands here a second time; keep one, with the fields of both", t.Name)
	}
	for _, w := range rest {
		if err := t.option(w); err != nil {
			return err
		}
	}
	p.t = t
	p.f.Types = append(p.f.Types, t)
	return nil
}

func (t *Type) option(word string) error {
	name, value, _ := strings.Cut(word, "=")
	if word == "deprecated" {
		t.Deprecated = true
		return nil
	}
	if name == "lineage" {
		n, err := strconv.ParseUint(value, 16, 64)
		t.Lineage = n
		return wrong(err, word)
	}
	for _, l := range limits(&t.Limits) {
		if l.name == name {
			n, err := strconv.ParseUint(value, 10, 32)
			*l.value = uint32(n)
			return wrong(err, word)
		}
	}
	return fmt.Errorf("unknown word %q", word)
}

func wrong(err error, word string) error {
	if err != nil {
		return fmt.Errorf("bad number in %q", word)
	}
	return nil
}

// member parses a field, an arm or a value.
func (p *parser) member(at ir.Pos, words []string) error {
	switch {
	case p.t == nil:
		return fmt.Errorf("a field before the first type")
	case len(words) < 2:
		return fmt.Errorf("a field without name")
	case p.t.Kind != schema.Struct && p.t.Kind != schema.Union:
		n, err := strconv.ParseInt(words[0], 10, 64)
		p.t.Values = append(p.t.Values, schema.Value{Number: n, Name: words[1]})
		return wrong(err, words[0])
	}
	n, err := strconv.ParseUint(words[0], 10, 16)
	if err != nil {
		return wrong(err, words[0])
	}
	f := Field{Number: uint32(n), Name: words[1], Pos: at}
	if f.Name == "-" {
		f.Name = ""
	}
	if p.t.field(f.Number) != nil {
		return fmt.Errorf("number %d of %s is given twice; a field added last takes the next number", n, p.t.Name)
	}
	rest := words[2:]
	if p.t.Kind == schema.Struct {
		if len(rest) == 0 {
			return fmt.Errorf("field %s without type", f.Name)
		}
		f.Type, rest = rest[0], rest[1:]
	}
	for _, w := range rest {
		if err := f.option(w); err != nil {
			return err
		}
	}
	p.t.Fields = append(p.t.Fields, f)
	return nil
}

func (f *Field) option(word string) error {
	name, value, given := strings.Cut(word, "=")
	flags := map[string]*bool{"inline": &f.Inline, "embedded": &f.Embedded, "deprecated": &f.Deprecated}
	switch {
	case name == "json" && given:
		f.JSON = value
	case flags[word] != nil:
		*flags[word] = true
	case name == "reserved":
		f.Reserved = true
		if given {
			n, err := strconv.ParseUint(value, 10, 32)
			f.Words, f.Size = true, uint32(n)
			return wrong(err, word)
		}
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}
