package lock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// Parse reads the content of a lock file. The error is an ir.Problems whose positions have the
// file's name without a folder.
func Parse(text []byte) (*File, error) {
	p := parser{f: &File{}}
	for i, line := range strings.Split(string(text), "\n") {
		p.line = i + 1
		if err := p.one(strings.TrimRight(line, " \t\r")); err != nil {
			return nil, broken(ir.Pos{File: Name, Line: p.line}, "%v", err)
		}
	}
	if !p.begun {
		return nil, broken(ir.Pos{File: Name}, "it has no line %q; if it is none, remove it and run zmy lock", version)
	}
	for _, t := range p.f.Types {
		if _, err := p.f.schema(t); err != nil {
			return nil, broken(t.Pos, "%s: %v", t.Name, err)
		}
	}
	p.f.sort()
	return p.f, nil
}

func broken(at ir.Pos, format string, args ...any) error {
	return ir.Problems{{Pos: at, Msg: fmt.Sprintf(format, args...)}}
}

type parser struct {
	f     *File
	begun bool
	line  int
	t     *Type
}

func (p *parser) one(line string) error {
	switch {
	case line == "" || strings.HasPrefix(line, "#"):
		return nil
	case strings.HasPrefix(line, "<<<<<<<"), strings.HasPrefix(line, "======="), strings.HasPrefix(line, ">>>>>>>"):
		return fmt.Errorf("a merge conflict; keep the lines of both sides, numbers of fields must differ")
	case !p.begun:
		if line != version {
			return fmt.Errorf("it begins with %.40q, not %q: this zmy cannot read it", line, version)
		}
		p.begun = true
		return nil
	}
	words, err := split(strings.TrimLeft(line, " \t"))
	if err != nil {
		return err
	}
	if line[0] == '\t' || line[0] == ' ' {
		return p.member(words)
	}
	return p.head(words)
}

// split splits a line into words. A word, or the value of json=, may be quoted.
func split(line string) (words []string, err error) {
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		end := strings.IndexAny(line, " \t\"")
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		line = line[end:]
		if strings.HasPrefix(line, `"`) {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("a quotation mark is missing")
			}
			line = line[len(q):]
			text, _ := strconv.Unquote(q)
			word += text
		}
		words = append(words, word)
	}
	return words, nil
}

func (p *parser) head(words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("a type without name")
	}
	t := &Type{Name: words[1], Pos: ir.Pos{File: Name, Line: p.line, Col: 1}}
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
func (p *parser) member(words []string) error {
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
	f := Field{Number: uint32(n), Name: words[1], Pos: ir.Pos{File: Name, Line: p.line, Col: 2}}
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
