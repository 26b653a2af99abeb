package lock

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// Recorded returns a function for check.ZMYOptions. It returns the numbers that the fields of a
// struct, or the arms of a union, have in the lock file. k is the package of the lock file.
func (f *File) Recorded(k *ir.Package) func(*ir.Type) []ir.ZMYRecord {
	nameless := namelessIn(k)
	return func(t *ir.Type) (out []ir.ZMYRecord) {
		r := f.Type(TypeName(t, k.Path))
		for _, name := range nameless[t] {
			if r == nil {
				r = f.Type(name)
			}
		}
		if r == nil || t.Kind == ir.Struct && r.Kind != schema.Struct || t.Kind == ir.Interface && r.Kind != schema.Union {
			return nil
		}
		if r.Kind == schema.Union {
			for _, arm := range r.Fields {
				out = append(out, ir.ZMYRecord{Number: int(arm.Number), Name: arm.Name})
			}
			return out
		}
		for i := range r.Fields {
			field := &r.Fields[i]
			out = append(out, ir.ZMYRecord{Number: int(field.Number), Name: field.Name, Words: f.words(field), Size: f.size(field)})
		}
		return out
	}
}

// namelessIn lists the names in lock files of structs without a Go name: parent:field for each
// field that contains them.
func namelessIn(k *ir.Package) map[*ir.Type][]string {
	names := map[*ir.Type][]string{}
	var add func(parent string, t *ir.Type)
	add = func(parent string, t *ir.Type) {
		for _, f := range t.Fields {
			in := f.Type
			for in.Kind == ir.Pointer || in.Kind == ir.Slice || in.Kind == ir.Array || in.Kind == ir.Map {
				in = in.Elem
			}
			if in.Kind == ir.Struct && in.Name == nil {
				name := parent + ":" + f.Name
				names[in] = append(names[in], name)
				add(name, in) // this ends, because a type without a name cannot contain itself
			}
		}
	}
	for _, t := range k.Types {
		if t.Name != nil {
			add(TypeName(t, k.Path), t)
		}
	}
	return names
}

// size returns how many bytes a field of a struct takes among the scalars. It returns 0 if the
// field has a tail.
func (f *File) size(field *Field) int {
	alone := *field
	alone.Number = 0 // the number in a struct that has only this field
	b := builder{f: f, s: &schema.Schema{Types: make([]schema.Type, 1)}, seen: map[string]uint32{}}
	in, err := b.field(&Type{Kind: schema.Struct}, &alone)
	b.s.Types[0] = schema.Type{Kind: schema.Struct, Fields: []schema.Field{in}}
	if err != nil || b.s.Check() != nil {
		return 0
	}
	l, err := b.s.Layout()
	if err != nil || l.Table[in.Type].Shape != wire.ShapeFixed {
		return 0
	}
	return l.Table[in.Type].Size
}

// words returns a recorded type as a directive //zmy:reserved spells it. The contents of a reserved
// field do not matter, only whether it is a tail, or else its size.
func (f *File) words(field *Field) string {
	if field.Words {
		return field.Type
	}
	if field.Inline {
		return fmt.Sprintf("[%d]byte", f.size(field))
	}
	return f.goWords(field.Type)
}

// goWords maps canonical names to the spelling of Go, where the two differ.
var goWords = map[string]string{
	"time": "time.Time", "time:zone": "time.Time,zone", "time:unixnano": "time.Time,unixnano", "duration": "time.Duration",
	"bytes": "[]byte", "bytes:json": "json.RawMessage", "bigint": "*big.Int", "bigfloat": "*big.Float",
	"zmy": "[]byte", "binary": "[]byte", "text": "string", none: "struct",
}

func (f *File) goWords(text string) string {
	return strings.ReplaceAll(leaves(text, f.goWord), "?", "*") // words have no question mark
}

func (f *File) goWord(text string) string {
	if word := goWords[text]; word != "" {
		return word
	}
	if kindOf(text) != 0 {
		return text
	}
	t := f.Type(strings.TrimPrefix(text, "."))
	switch {
	case t == nil || t.Kind == schema.Struct:
		return "struct"
	case t.Kind == schema.Union:
		return "any"
	}
	return t.Kind.String()
}
