package pbreflect

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"sync"
	"time"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/zmytype"
)

// The result of package pbtype for types of the running program.
type (
	PlannedType  = pbtype.Plan[reflect.Type, Field]
	PlannedField = pbtype.Field[reflect.Type, Field]
	PlannedValue = pbtype.Value[reflect.Type, Field]
	Problem      = pbtype.Problem[reflect.Type, Field]
)

// Arm is a type that an interface may hold.
type Arm = zmytype.Arm[reflect.Type]

// arms has the registered arms of interfaces.
var arms sync.Map // of reflect.Type, []Arm

// RegisterArms says which types an interface may hold. Types that were refused before are planned again.
func RegisterArms(t reflect.Type, all []Arm) {
	if _, known := arms.LoadOrStore(t, all); known {
		return
	}
	plans.Range(func(of, p any) bool {
		if len(p.(*Plan).Problems) > 0 {
			plans.Delete(of)
		}
		return true
	})
}

// oneofWrappers is a method that older versions of protoc-gen-go and gogoproto generate. It returns a nil
// pointer for each arm of the struct's oneofs.
type oneofWrappers interface{ XXX_OneofWrappers() []any }

func (source) ProtoArms(owner, t reflect.Type) (all []Arm, hint string) {
	if known, ok := arms.Load(t); ok {
		return known.([]Arm), ""
	}
	if w, ok := reflect.New(owner).Interface().(oneofWrappers); ok {
		for _, x := range w.XXX_OneofWrappers() {
			if a := reflect.TypeOf(x); a.Kind() == reflect.Pointer && a.Implements(t) {
				all = append(all, Arm{Text: a.Elem().Name(), Type: a.Elem(), Value: a.Elem().Implements(t), Pointer: true})
			}
		}
	}
	return all, "generate code for the struct with the command fxproto, which finds them and registers them for reflection too"
}

// Field identifies a field of a struct.
type Field struct {
	Owner reflect.Type
	Index int
}

// Types plans the struct type t and all structs within it.
func Types(t reflect.Type) (*PlannedType, []Problem) { return pbtype.Compile(source{}, t) }

// known has the types of the standard library that package zmytype knows by name.
var known = map[reflect.Type]zmytype.Kind{
	reflect.TypeFor[time.Time]():       zmytype.Time,
	reflect.TypeFor[time.Duration]():   zmytype.Duration,
	reflect.TypeFor[big.Int]():         zmytype.BigInt,
	reflect.TypeFor[big.Float]():       zmytype.BigFloat,
	reflect.TypeFor[big.Rat]():         zmytype.BigRat,
	reflect.TypeFor[json.RawMessage](): zmytype.RawJSON,
	reflect.TypeFor[json.Number]():     zmytype.Number,
}

// composite has the kinds whose numbers differ from those of package reflect. Kinds of numbers are
// in the same order in both packages.
var composite = map[reflect.Kind]zmytype.Kind{
	reflect.String: zmytype.String, reflect.Slice: zmytype.Slice, reflect.Array: zmytype.Array, reflect.Map: zmytype.Map,
	reflect.Pointer: zmytype.Pointer, reflect.Struct: zmytype.Struct, reflect.Interface: zmytype.Interface,
	reflect.Chan: zmytype.Chan, reflect.Func: zmytype.Func, reflect.UnsafePointer: zmytype.Unsafe,
}

// source describes the types of the running program.
type source struct{}

func (source) KindOf(t reflect.Type) zmytype.Kind {
	if k, ok := known[t]; ok {
		return k
	}
	k, ok := composite[t.Kind()]
	switch {
	case !ok:
		return zmytype.Kind(t.Kind())
	case k == zmytype.Slice && t.Elem().Kind() == reflect.Uint8:
		return zmytype.Bytes
	case k == zmytype.Interface && t.NumMethod() == 0:
		return zmytype.Any
	}
	return k
}

func (source) ElemOf(t reflect.Type) reflect.Type { return t.Elem() }
func (source) KeyOf(t reflect.Type) reflect.Type  { return t.Key() }
func (source) LenOf(t reflect.Type) int64         { return int64(t.Len()) }
func (source) IsNamed(t reflect.Type) bool        { return t.PkgPath() != "" }
func (source) IsProtoUnknown(t reflect.Type) bool {
	return t.Name() == "Unknown" && t.PkgPath() == pbtype.UnknownPkg
}
func (source) Name(t reflect.Type) string { return t.String() }
func (source) HasOwn(t reflect.Type, k pbtype.Kind) bool {
	p := reflect.PointerTo(t)
	if k == pbtype.Text {
		return p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	}
	return p.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) && p.Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]())
}

func (source) FieldsOf(t reflect.Type) []zmytype.Field[Field, reflect.Type] {
	out := make([]zmytype.Field[Field, reflect.Type], t.NumField())
	for i := range out {
		f := t.Field(i)
		out[i] = zmytype.Field[Field, reflect.Type]{
			Of: Field{t, i}, Name: f.Name, Type: f.Type, Tag: f.Tag, Embedded: f.Anonymous, Exported: f.IsExported(), Usable: true,
		}
	}
	return out
}
