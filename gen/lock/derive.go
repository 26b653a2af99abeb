package lock

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// Recorded returns the numbers that the fields of a struct were given before, for
// check.ZMYOptions. pkg is the import path of the file's package.
func (f *File) Recorded(pkg string) func(*ir.Type) []ir.ZMYRecord {
	return func(t *ir.Type) (out []ir.ZMYRecord) {
		r := f.Type(TypeName(t, pkg))
		if r == nil || r.Kind != schema.Struct {
			return nil
		}
		for i := range r.Fields {
			field := &r.Fields[i]
			out = append(out, ir.ZMYRecord{Number: int(field.Number), Name: field.Name, Words: f.words(field), Size: f.size(field)})
		}
		return out
	}
}

// size is how many bytes a field of a struct takes among the scalars, 0 for a tail.
func (f *File) size(field *Field) int {
	alone := *field
	alone.Number = 0
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
