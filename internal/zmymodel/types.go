package zmymodel

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Kind is the kind of a type.
type Kind string

// The kinds. The kind of a scalar is its name in a schema text: see scalars.
const (
	String   Kind = "string"
	Bytes    Kind = "bytes"
	JSON     Kind = "bytes:json"
	Any      Kind = "any"
	BigInt   Kind = "bigint"
	BigFloat Kind = "bigfloat"
	OwnZMY   Kind = "zmy" // bytes that the type's own methods write, as in the next two kinds
	OwnBytes Kind = "binary"
	OwnText  Kind = "text"
	List     Kind = "list"
	Array    Kind = "array"
	Map      Kind = "map"
	Opt      Kind = "?" // a pointer, or a slice or map with the option nilable
	Struct   Kind = "struct"
	Union    Kind = "union"
	Inline   Kind = "inline" // a struct inside the scalars of another
)

// Type is a type of FORMAT.md, sections 2 to 15.
type Type struct {
	Kind   Kind
	Name   string // of a struct or a union
	Elem   *Type  // of List, Array, Map, Opt
	Key    *Type  // of Map
	Len    int    // of Array
	Fields []Field
	Sparse bool
	Keeps  bool // unknown parts are kept and written back
}

// Field is a field of a struct, whose number is its index, or an arm of a union.
type Field struct {
	Name     string
	Disc     int // discriminator of an arm
	Type     *Type
	Reserved bool
}

// scalars has the size in bytes of each scalar (FORMAT.md, section 3).
var scalars = map[Kind]int{
	"bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
	"float32": 4, "float64": 8, "complex64": 8, "complex128": 16,
	"time": 12, "time:zone": 16, "time:unixnano": 8, "duration": 8,
}

// Types has types by their names.
type Types map[string]*Type

// Parse reads a schema text. A type begins with a line "struct Name", "sparse Name" or "union
// Name", and the word "keeps" may follow the name. Each line after it is a field: number, name,
// type. A reserved field has the name "-". Empty lines and lines that start with # are skipped.
func Parse(r io.Reader) (Types, error) {
	p := parser{types: Types{}}
	var at *Type
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		var err error
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			continue
		case words[0] == "struct" || words[0] == "sparse" || words[0] == "union":
			at, err = p.begin(words)
		case at == nil || len(words) != 3:
			err = fmt.Errorf("want: number, name, type")
		default:
			err = p.field(at, words)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	for name, t := range p.types {
		if t.Kind == "" {
			return nil, fmt.Errorf("type %s is not described", name)
		}
	}
	return p.types, lines.Err()
}

type parser struct{ types Types }

// named returns the type called name. The text may describe it later.
func (p parser) named(name string) *Type {
	if p.types[name] == nil {
		p.types[name] = &Type{Name: name}
	}
	return p.types[name]
}

func (p parser) begin(words []string) (*Type, error) {
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "keeps" {
		return nil, fmt.Errorf("want: struct Name [keeps]")
	}
	t := p.named(words[1])
	if t.Kind != "" {
		return nil, fmt.Errorf("%s is described twice", words[1])
	}
	t.Kind, t.Sparse, t.Keeps = Struct, words[0] == "sparse", len(words) == 3
	if words[0] == "union" {
		t.Kind = Union
	}
	return t, nil
}

func (p parser) field(t *Type, words []string) error {
	number, err := strconv.Atoi(words[0])
	if err != nil || t.Kind == Struct && number != len(t.Fields) {
		return fmt.Errorf("number %q where %d is next", words[0], len(t.Fields))
	}
	f := Field{Name: words[1], Reserved: words[1] == "-"}
	if t.Kind == Union {
		f.Disc = number
	}
	f.Type, err = p.typ(words[2])
	t.Fields = append(t.Fields, f)
	return err
}

// typ parses a type in the notation of canonical texts, with names in place of structs and unions.
func (p parser) typ(s string) (*Type, error) {
	elem := func(kind Kind, rest string) (*Type, error) {
		e, err := p.typ(rest)
		return &Type{Kind: kind, Elem: e}, err
	}
	switch {
	case scalars[Kind(s)] > 0:
		return &Type{Kind: Kind(s)}, nil
	case strings.HasPrefix(s, "?"):
		return elem(Opt, s[1:])
	case strings.HasPrefix(s, "inline:"):
		return &Type{Kind: Inline, Elem: p.named(s[len("inline:"):])}, nil
	case strings.HasPrefix(s, "[]"):
		return elem(List, s[2:])
	case strings.HasPrefix(s, "["):
		size, rest, _ := strings.Cut(s[1:], "]")
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("array %q", s)
		}
		t, err := elem(Array, rest)
		t.Len = n
		return t, err
	case strings.HasPrefix(s, "map["):
		key, rest, ok := cutKey(s[len("map["):])
		if !ok {
			return nil, fmt.Errorf("map %q", s)
		}
		k, err := p.typ(key)
		if err != nil {
			return nil, err
		}
		t, err := elem(Map, rest)
		t.Key = k
		return t, err
	}
	switch k := Kind(s); k {
	case String, Bytes, JSON, Any, BigInt, BigFloat, OwnZMY, OwnBytes, OwnText:
		return &Type{Kind: k}, nil
	}
	if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return nil, fmt.Errorf("no type %q", s)
	}
	return p.named(s), nil
}

// cutKey splits the text of a map type after the key: "[4]uint8]string" is a key and its value.
func cutKey(s string) (key, rest string, ok bool) {
	depth := 0
	for i, c := range s {
		switch c {
		case '[':
			depth++
		case ']':
			if depth == 0 {
				return s[:i], s[i+1:], true
			}
			depth--
		}
	}
	return "", "", false
}
