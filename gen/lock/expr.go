package lock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// A lock file has types as expressions, in the language of canonical texts: kinds (int32,
// time:zone), []T, [16]T, map[K]V and ?T for what may be nil. That language has no names, since
// names do not matter to readers. In a lock file, structs, unions and integers with values are
// written as their names, so that a change of one type changes one paragraph only.

// none is the type of a set's values: a struct without a name and fields.
const none = "{}"

// kindOf returns the kind with that name in canonical texts, or 0.
func kindOf(name string) schema.Kind {
	for k := schema.Bool; k < schema.Reserved; k++ {
		switch k {
		case schema.List, schema.Array, schema.Map, schema.Opt, schema.Struct, schema.Union:
		default:
			if k.String() == name {
				return k
			}
		}
	}
	return 0
}

// ref returns the name of a type for use in an expression. A name that is also a kind gets a dot.
func ref(name string) string {
	if kindOf(name) != 0 {
		return "." + name
	}
	return name
}

// expr writes a type in the language of canonical texts, with names for structs, unions and
// integers with values.
func expr(s *schema.Schema, i uint32, name func(i uint32) string) string {
	t := &s.Types[i]
	sub := func(i uint32) string { return expr(s, i, name) }
	switch t.Kind {
	case schema.List:
		return "[]" + sub(t.Elem)
	case schema.Array:
		return fmt.Sprintf("[%d]%s", t.Len, sub(t.Elem))
	case schema.Map:
		return "map[" + sub(t.Key) + "]" + sub(t.Elem)
	case schema.Opt:
		return "?" + sub(t.Elem)
	case schema.Reserved:
		return t.Name
	}
	if n := name(i); n != "" {
		return ref(n)
	}
	if t.Kind == schema.Struct {
		return none
	}
	return t.Kind.String()
}

// leaves replaces the names in an expression by what f returns for them: kinds, none, and names of
// types as ref spells them.
func leaves(text string, f func(leaf string) string) string {
	switch {
	case strings.HasPrefix(text, "?"):
		return "?" + leaves(text[1:], f)
	case strings.HasPrefix(text, "map["):
		key, elem, _ := cutMap(text)
		return "map[" + leaves(key, f) + "]" + leaves(elem, f)
	case strings.HasPrefix(text, "["):
		length, elem, _ := strings.Cut(text, "]")
		return length + "]" + leaves(elem, f)
	}
	return f(text)
}

// names lists the types that an expression names, in order.
func names(text string) (out []string) {
	leaves(text, func(leaf string) string {
		if leaf != none && kindOf(leaf) == 0 {
			out = append(out, strings.TrimPrefix(leaf, "."))
		}
		return leaf
	})
	return out
}

// rename replaces the name of a type in an expression.
func rename(text, from, to string) string {
	return leaves(text, func(leaf string) string {
		if leaf == ref(from) {
			return ref(to)
		}
		return leaf
	})
}

// cutMap splits map[K]V into K and V.
func cutMap(text string) (key, elem string, ok bool) {
	depth := 0
	for i := len("map["); i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth == 0 {
				return text[len("map["):i], text[i+1:], true
			}
			depth--
		}
	}
	return "", "", false
}

// schema describes t and all types that it reaches. A struct is type 0. Any other type is type 1:
// it is the only field of a message without a name.
func (f *File) schema(t *Type) (*schema.Schema, error) {
	b := builder{f: f, s: &schema.Schema{Limits: t.Limits}, seen: map[string]uint32{}}
	if t.Kind != schema.Struct {
		b.s.Types = []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1, Name: t.Name}}}}
	}
	if _, err := b.typ(ref(t.Name)); err != nil {
		return nil, err
	}
	return b.s, nil
}

type builder struct {
	f    *File
	s    *schema.Schema
	seen map[string]uint32 // by expression; for inline structs by "inline " and the expression
}

func (b *builder) add(t schema.Type) uint32 {
	b.s.Types = append(b.s.Types, t)
	return uint32(len(b.s.Types)) - 1
}

// once adds the type that describe returns to the schema, once for each key, and returns its index.
// The index is known before describe is called, since types may be recursive.
func (b *builder) once(key string, describe func() (schema.Type, error)) (uint32, error) {
	if i, ok := b.seen[key]; ok {
		return i, nil
	}
	i := b.add(schema.Type{})
	b.seen[key] = i
	t, err := describe()
	b.s.Types[i] = t
	return i, err
}

// typ adds the type of an expression. Equal expressions share one.
func (b *builder) typ(text string) (uint32, error) {
	return b.once(text, func() (schema.Type, error) { return b.parts(text) })
}

func (b *builder) parts(text string) (t schema.Type, err error) {
	elem := ""
	switch {
	case strings.HasPrefix(text, "?"):
		t.Kind, elem = schema.Opt, text[1:]
	case strings.HasPrefix(text, "[]"):
		t.Kind, elem = schema.List, text[2:]
	case strings.HasPrefix(text, "map["):
		key, value, ok := cutMap(text)
		if !ok {
			return t, fmt.Errorf("type %q is cut short", text)
		}
		t.Kind, elem = schema.Map, value
		if t.Key, err = b.typ(key); err != nil {
			return t, err
		}
	case strings.HasPrefix(text, "["):
		length, rest, _ := strings.Cut(text[1:], "]")
		n, err := strconv.ParseUint(length, 10, 31)
		if err != nil {
			return t, fmt.Errorf("bad length in type %q", text)
		}
		t.Kind, t.Len, elem = schema.Array, uint32(n), rest
	case text == none:
		return schema.Type{Kind: schema.Struct}, nil
	case kindOf(text) != 0:
		return schema.Type{Kind: kindOf(text)}, nil
	default:
		return b.named(strings.TrimPrefix(text, "."))
	}
	t.Elem, err = b.typ(elem)
	return t, err
}

// named describes a type of the lock file.
func (b *builder) named(name string) (schema.Type, error) {
	t := b.f.Type(name)
	if t == nil {
		return schema.Type{}, fmt.Errorf("type %q stands nowhere in the file", name)
	}
	out := schema.Type{
		Kind: t.Kind, Name: plain(name), Sparse: t.Sparse, Deprecated: t.Deprecated, Lineage: t.Lineage, Values: t.Values,
	}
	for i := range t.Fields {
		if t.goneArm(&t.Fields[i]) {
			continue
		}
		f, err := b.field(t, &t.Fields[i])
		if err != nil {
			return out, err
		}
		out.Fields = append(out.Fields, f)
	}
	return out, nil
}

func (b *builder) field(t *Type, f *Field) (out schema.Field, err error) {
	out = schema.Field{
		Number: f.Number, Deprecated: f.Deprecated, Reserved: f.Reserved, Inline: f.Inline, Embedded: f.Embedded, Name: f.Name, JSON: f.JSON,
	}
	switch {
	case f.Words:
		out.Type = b.add(schema.Type{Kind: schema.Reserved, Name: f.Type, Len: f.Size})
	case t.Kind == schema.Union:
		out.Type, err = b.typ(ref(f.Name))
	case f.Inline:
		name := strings.TrimPrefix(f.Type, ".")
		out.Type, err = b.once("inline "+name, func() (schema.Type, error) { return b.named(name) })
	default:
		out.Type, err = b.typ(f.Type)
	}
	return out, err
}

// Schema describes the messages of a recorded struct, for programs that read messages without the
// Go type.
func (f *File) Schema(name string) (*schema.Schema, error) {
	t := f.Type(name)
	if t == nil || t.Kind != schema.Struct {
		var names []string
		for _, t := range f.Types {
			if t.Kind == schema.Struct && !foreign(t.Name) && !strings.Contains(t.Name, ":") {
				names = append(names, t.Name)
			}
		}
		return nil, fmt.Errorf("it has no struct %s; it has %s", name, strings.Join(names, ", "))
	}
	s, err := f.schema(t)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}
