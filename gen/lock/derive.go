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
		s, err := f.schema(r)
		if err != nil {
			return nil
		}
		l, err := s.Layout()
		if err != nil {
			return nil
		}
		for i := range r.Fields {
			field := &r.Fields[i]
			rec := ir.ZMYRecord{Number: int(field.Number), Name: field.Name, Words: field.Type}
			if d := &l.Table[s.Types[0].Fields[i].Type]; d.Shape == wire.ShapeFixed {
				rec.Size = d.Size
			}
			out = append(out, rec)
		}
		return out
	}
}
