package contract

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/internal/locktext"
	"github.com/zmylab/zmy/gen/ir"
)

var format = locktext.Format{Name: Name, Version: version, Write: "zmy lock -json"}

// Parse reads the content of a lock file. The error is an ir.Problems whose positions have the
// file's name without a folder.
func Parse(text []byte) (*File, error) {
	p := parser{f: &File{}}
	if err := format.Read(text, p.head, p.member); err != nil {
		return nil, err
	}
	for _, t := range p.f.Types {
		if err := t.check(p.f); err != nil {
			return nil, locktext.Broken(t.Pos, "%v", err)
		}
	}
	for _, r := range p.f.Roots {
		if err := p.f.known(r.Form); err != nil {
			return nil, locktext.Broken(ir.Pos{File: Name}, "root %s: %v", r.Name, err)
		}
	}
	p.f.sort()
	return p.f, nil
}

// check parses the forms of a type.
func (t *Type) check(f *File) error {
	var forms []string
	if t.Kind == Alias || t.Kind == Enum {
		forms = append(forms, t.Form)
	}
	if t.Rest != "" {
		forms = append(forms, t.Rest)
	}
	for _, m := range t.Members {
		forms = append(forms, m.Form)
	}
	for _, s := range forms {
		if err := f.known(s); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

// known reports an error if a form cannot be parsed or names a type that the file lacks.
func (f *File) known(s string) error {
	parsed, err := parseForm(s)
	if err != nil {
		return err
	}
	for x := parsed; x != nil; x = x.elem {
		for _, y := range []*form{x, x.key} {
			if y != nil && y.op == "" && !words[y.word] && f.Type(y.word) == nil {
				return fmt.Errorf("there is no type %s in the file", y.word)
			}
		}
	}
	return nil
}

type parser struct {
	f *File
	t *Type
}

func (p *parser) head(at ir.Pos, list []string) error {
	if len(list) < 2 {
		return fmt.Errorf("%q alone in a line", list[0])
	}
	switch list[0] {
	case "surface":
		if p.f.Surface = list[1:]; len(list) == 2 && list[1] == "all" {
			p.f.Surface = nil
		}
		return nil
	case "root":
		if len(list) != 3 {
			return fmt.Errorf("a root has a name and a form")
		}
		p.f.Roots = append(p.f.Roots, Root{list[1], list[2]})
		return nil
	}
	t := &Type{Kind: Kind(list[0]), Name: list[1], Pos: at}
	rest := list[2:]
	switch t.Kind {
	case Object, Methods:
	case Enum, Alias:
		if len(rest) == 0 {
			return fmt.Errorf("%s %s without a form", t.Kind, t.Name)
		}
		t.Form, rest = rest[0], rest[1:]
	default:
		return fmt.Errorf("%q begins no type; object, enum, alias and methods do", list[0])
	}
	if p.f.Type(t.Name) != nil {
		return fmt.Errorf("type %s stands here a second time; keep one, with the members of both", t.Name)
	}
	for _, w := range rest {
		name, value, _ := strings.Cut(w, "=")
		to := map[string]*string{"writes": &t.Writes, "reads": &t.Reads, "of": &t.Of, "rest": &t.Rest}[name]
		if to == nil || value == "" {
			return fmt.Errorf("unknown word %q", w)
		}
		*to = value
	}
	p.t = t
	p.f.Types = append(p.f.Types, t)
	return nil
}

// member parses a member or a constant.
func (p *parser) member(at ir.Pos, list []string) error {
	switch {
	case p.t == nil || p.t.Kind == Alias || p.t.Kind == Methods:
		return fmt.Errorf("a member that belongs to no object")
	case p.t.Kind == Enum:
		v := Value{Text: list[0]}
		if len(list) > 1 {
			v.Name = list[1]
		}
		p.t.Values = append(p.t.Values, v)
		return nil
	case len(list) < 3:
		return fmt.Errorf("a member has a name, a Go field and a form")
	}
	m := Member{Name: list[0], Go: list[1], Form: list[2], Decimals: -1, Pos: at}
	if p.t.member(m.Name) != nil {
		return fmt.Errorf("member %s of %s stands here a second time; keep one", m.Name, p.t.Name)
	}
	for _, w := range list[3:] {
		if err := m.option(w); err != nil {
			return err
		}
	}
	p.t.Members = append(p.t.Members, m)
	return nil
}

func (m *Member) option(word string) error {
	for _, f := range m.flags() {
		if f.name == word {
			*f.on = true
			return nil
		}
	}
	if n, ok := strings.CutPrefix(word, "decimals="); ok {
		v, err := strconv.Atoi(n)
		m.Decimals = v
		if err == nil && v >= 0 {
			return nil
		}
	}
	return fmt.Errorf("unknown word %q", word)
}
