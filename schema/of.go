package schema

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmyreflect"
	"github.com/zmylab/zmy/internal/zmytype"
)

// For returns the schema of the type T: see Of.
func For[T any]() (*Schema, error) { return Of(reflect.TypeFor[T]()) }

// Of returns the schema of t, a struct type. It numbers fields as the generator does: by struct
// tags zmy, or in order of declaration if the struct has none. It takes time, so keep the result.
// Of cannot see comments: directives count if they are struct tags of blank fields, as in _
// struct{} `zmy:"sparse"`. Only the generator describes unions, named values and deprecated types.
func Of(t reflect.Type) (*Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("schema: a message is a struct, not %v", t)
	}
	plan, err := zmyreflect.Types(t, isGenerated, true)
	if err != nil {
		return nil, fmt.Errorf("schema: %v: %w", t, err)
	}
	s, _ := Describe(plan.Roots, func(out *Type, t *zmytype.Type[reflect.Type, *reflect.StructField]) {
		if out.Kind == Struct {
			out.Name, _, _ = strings.Cut(t.Type.Name(), "[") // without type arguments
		}
	})
	s.Limits = Limits(plan.Roots[0].Limits)
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}

var (
	marshalerType   = reflect.TypeFor[zmy.Marshaler]()
	unmarshalerType = reflect.TypeFor[zmy.Unmarshaler]()
)

// isGenerated reports whether t is a struct with generated code of its own.
func isGenerated(t reflect.Type) bool {
	return t.Kind() == reflect.Struct &&
		zmyreflect.Declares(t, marshalerType, "AppendZMYOptions") && zmyreflect.Declares(t, unmarshalerType, "UnmarshalZMYOptions")
}

// Describe returns a schema for the types that package zmytype has planned: a table of types, roots
// first. A type that several roots share is listed once. from has the planned type of each type in
// the table. Describe calls more for each type, to add what only the source of the type knows. It
// is for the generator and for [Of].
func Describe[T, F comparable](roots []*zmytype.Type[T, F], more func(*Type, *zmytype.Type[T, F])) (s *Schema, from []*zmytype.Type[T, F]) {
	d := describer[T, F]{s: &Schema{}, more: more, seen: map[*zmytype.Type[T, F]]uint32{}}
	for _, r := range roots {
		d.typ(r)
	}
	return d.s, d.from
}

type describer[T, F comparable] struct {
	s    *Schema
	from []*zmytype.Type[T, F]
	more func(*Type, *zmytype.Type[T, F])
	seen map[*zmytype.Type[T, F]]uint32
}

func (d *describer[T, F]) typ(t *zmytype.Type[T, F]) uint32 {
	if i, ok := d.seen[t]; ok {
		return i
	}
	i := uint32(len(d.s.Types))
	d.seen[t] = i
	d.s.Types, d.from = append(d.s.Types, Type{}), append(d.from, t)
	out := Type{Kind: kindOf(t)} // copied into the table at the end: the table grows meanwhile
	if t.Key != nil {
		out.Key = d.typ(t.Key)
	}
	if t.Elem != nil {
		out.Elem = d.typ(t.Elem)
	}
	switch out.Kind {
	case Reserved:
		out.Name = t.Words
		if t.Shape == zmytype.ShapeFixed {
			out.Len = uint32(t.Size)
		}
	case Array:
		out.Len = uint32(t.Len)
	}
	if out.Kind != Reserved {
		out.Sparse = t.Shape == zmytype.ShapeSparse
		d.more(&out, t)
	}
	for _, f := range t.Fields {
		out.Fields = append(out.Fields, d.field(f))
	}
	for _, a := range t.Arms {
		arm := Field{Number: uint32(a.Disc), Type: d.typ(a.Type)}
		arm.Name = d.s.Types[arm.Type].Name
		out.Fields = append(out.Fields, arm)
	}
	d.s.Types[i] = out
	return i
}

func (d *describer[T, F]) field(f *zmytype.Place[T, F]) Field {
	out := Field{Number: uint32(f.Number), Type: d.typ(f.Type), Deprecated: f.Deprecated, Reserved: f.Reserved()}
	if out.Reserved {
		return out
	}
	out.Name, out.JSON, out.Embedded = f.Source.Name, f.JSONName(), f.Promotes()
	out.Inline = f.Type.Shape == zmytype.ShapeFixed && f.Type.Kind == zmytype.Struct
	return out
}

func kindOf[T, F comparable](t *zmytype.Type[T, F]) Kind {
	switch {
	case t.Words != "":
		return Reserved
	case t.Shape == zmytype.ShapeMethods:
		return [...]Kind{zmytype.ViaZMY: OwnZMY, zmytype.ViaBinary: OwnBinary, zmytype.ViaText: OwnText, zmytype.ViaJSON: JSON}[t.Via]
	case t.Kind == zmytype.RawJSON && t.Shape == zmytype.ShapeBytes:
		return JSON
	case t.Shape != zmytype.ShapeFixed:
		return shapeKinds[t.Shape]
	case t.Kind == zmytype.Array:
		return Array
	case t.Kind == zmytype.Struct:
		return Struct // inline
	case t.Time == zmytype.Zone:
		return TimeZone
	case t.Time == zmytype.UnixNano:
		return TimeUnixNano
	}
	return scalarKinds[t.Kind]
}

var shapeKinds = [...]Kind{
	zmytype.ShapeString: String, zmytype.ShapeBytes: Bytes, zmytype.ShapePacked: List, zmytype.ShapeList: List, zmytype.ShapeDense: List,
	zmytype.ShapeFixedTail: Array, zmytype.ShapeArray: Array, zmytype.ShapeMap: Map, zmytype.ShapeStruct: Struct,
	zmytype.ShapeSparse:    Struct,
	zmytype.ShapePtrStruct: Opt, zmytype.ShapePtrFixed: Opt, zmytype.ShapeOpt: Opt, zmytype.ShapePtrBigInt: Opt,
	zmytype.ShapePtrBigFloat: Opt,
	zmytype.ShapeAny:         Any, zmytype.ShapeBigInt: BigInt, zmytype.ShapeBigFloat: BigFloat, zmytype.ShapeUnion: Union,
}

var scalarKinds = [...]Kind{
	zmytype.Bool: Bool, zmytype.Int8: Int8, zmytype.Int16: Int16, zmytype.Int32: Int32, zmytype.Int64: Int64, zmytype.Int: Int64,
	zmytype.Uint8: Uint8, zmytype.Uint16: Uint16, zmytype.Uint32: Uint32, zmytype.Uint64: Uint64, zmytype.Uint: Uint64,
	zmytype.Uintptr: Uint64,
	zmytype.Float32: Float32, zmytype.Float64: Float64, zmytype.Complex64: Complex64, zmytype.Complex128: Complex128,
	zmytype.Time: Time, zmytype.Duration: Duration,
}
