package zmyreflect

import (
	"encoding/json"
	"math/big"
	"reflect"
	"time"

	"github.com/zmylab/zmy/internal/zmyprint"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

var (
	rawType     = reflect.TypeFor[json.RawMessage]()
	anyType     = reflect.TypeFor[any]()
	unknownType = reflect.TypeFor[wire.Unknown]()
)

// known has the types of the standard library with a form of their own in messages.
var known = [...]struct {
	t    reflect.Type
	kind zmytype.Kind
}{
	{reflect.TypeFor[time.Time](), zmytype.Time}, {reflect.TypeFor[time.Duration](), zmytype.Duration},
	{reflect.TypeFor[big.Int](), zmytype.BigInt}, {reflect.TypeFor[big.Float](), zmytype.BigFloat},
	{reflect.TypeFor[big.Rat](), zmytype.BigRat}, {rawType, zmytype.RawJSON}, {reflect.TypeFor[json.Number](), zmytype.Number},
}

// kinds maps kinds of package reflect to ours where the numbers differ. Kinds of numbers are in the
// same order in both packages.
var kinds = [...]zmytype.Kind{
	reflect.String: zmytype.String, reflect.Slice: zmytype.Slice, reflect.Array: zmytype.Array, reflect.Map: zmytype.Map,
	reflect.Pointer: zmytype.Pointer, reflect.Struct: zmytype.Struct, reflect.Interface: zmytype.Interface,
	reflect.Chan: zmytype.Chan, reflect.Func: zmytype.Func, reflect.UnsafePointer: zmytype.Unsafe,
}

// source describes the types of the running program to the packages zmytype and zmyprint.
// gen/check/zmy.go does the same for source code.
type source struct {
	pkg       string // package of the root
	generated func(reflect.Type) bool
	methods   map[reflect.Type]zmytype.Methods
}

func newSource(root reflect.Type, generated func(reflect.Type) bool) source {
	return source{root.PkgPath(), generated, map[reflect.Type]zmytype.Methods{}}
}

func (source) KindOf(t reflect.Type) zmytype.Kind {
	if named(t) {
		for _, k := range known {
			if k.t == t {
				return k.kind
			}
		}
	}
	switch k := t.Kind(); {
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return zmytype.Bytes
	case k == reflect.Interface && t.NumMethod() == 0:
		return zmytype.Any
	case kinds[k] == zmytype.Invalid:
		return zmytype.Kind(k)
	default:
		return kinds[k]
	}
}

// named reports whether a type is declared in a package.
func named(t reflect.Type) bool { return t.PkgPath() != "" }

func (source) ElemOf(t reflect.Type) reflect.Type            { return t.Elem() }
func (source) KeyOf(t reflect.Type) reflect.Type             { return t.Key() }
func (source) LenOf(t reflect.Type) int64                    { return int64(t.Len()) }
func (source) SizeOf(t reflect.Type) int64                   { return int64(t.Size()) }
func (source) IsNamed(t reflect.Type) bool                   { return named(t) }
func (s source) IsLocal(t reflect.Type) bool                 { return named(t) && t.PkgPath() == s.pkg }
func (source) Arms(reflect.Type) []zmytype.Arm[reflect.Type] { return nil }
func (source) Implementers(reflect.Type) ([]zmytype.Arm[reflect.Type], string) {
	return nil, ""
}
func (source) Directives(reflect.Type) []string { return nil }
func (source) Name(t reflect.Type) string       { return t.String() }
func (source) IsUnknown(t reflect.Type) bool    { return t == unknownType }

func (s source) FieldsOf(t reflect.Type) []zmytype.Field[*reflect.StructField, reflect.Type] {
	n := t.NumField()
	fields, out := make([]reflect.StructField, n), make([]zmytype.Field[*reflect.StructField, reflect.Type], n)
	for i := range n {
		fields[i] = t.Field(i)
		f := &fields[i]
		out[i] = zmytype.Field[*reflect.StructField, reflect.Type]{
			Of: f, Name: f.Name, Type: f.Type, Tag: f.Tag, Embedded: f.Anonymous, Exported: f.IsExported(),
			Usable: true, Unknown: s.IsUnknown(f.Type),
		}
	}
	return out
}

// Own returns the methods that t or *t declares, without generated ones.
func (s source) Own(t reflect.Type) zmytype.Methods {
	m, ok := s.methods[t]
	if !ok {
		m = s.declared(t)
		s.methods[t] = m
	}
	return m
}

func (s source) declared(t reflect.Type) (m zmytype.Methods) {
	if reflect.PointerTo(t).NumMethod() == 0 {
		return 0
	}
	list := methods[:]
	if t.Kind() != reflect.Struct {
		list = list[:ofAll]
	}
	for _, x := range list {
		if Declares(t, x.iface, x.name) {
			m |= x.bit
		}
	}
	if s.generated(t) {
		m &^= zmytype.AppendZMY | zmytype.UnmarshalZMY
	}
	return m
}

// JSON says how methods of t take part in JSON, without methods that fxjson generated.
func (source) JSON(t reflect.Type) (j zmytype.JSON) {
	add := func(way zmytype.JSON, is bool) {
		if is {
			j |= way
		}
	}
	if t.Kind() == reflect.Interface {
		return 0
	}
	generated := has(t, fxGenerated)
	if named(t) && !(generated && declaresJSON(t, fxGenerated, "AppendJSON")) {
		add(zmytype.MarshalJSON, declaresJSON(t, marshalJSON, "MarshalJSON"))
		add(zmytype.UnmarshalJSON, declaresJSON(t, unmarshalJSON, "UnmarshalJSON"))
	}
	text := has(t, marshalText) && has(t, unmarshalText)
	add(zmytype.RoundTripsText, text)
	add(zmytype.RoundTrips, text || j.Has(zmytype.MarshalJSON|zmytype.UnmarshalJSON) ||
		!generated && has(t, marshalJSON) && has(t, unmarshalJSON))
	add(zmytype.ByPointer, (has(t, marshalJSON) && !generated || has(t, marshalText)) &&
		!t.Implements(marshalJSON) && !t.Implements(marshalText))
	return j
}

// OwnJSON knows less than JSON, so that programs which only compare fingerprints do not link the
// methods that byNameJSON names.
func (source) OwnJSON(t reflect.Type) (j zmytype.JSON) {
	own := func(method reflect.Type) bool { return has(t, method) && !promotes(t, method) }
	if own(fxGenerated) {
		return 0
	}
	if own(marshalJSON) {
		j |= zmytype.MarshalJSON
	}
	if own(unmarshalJSON) {
		j |= zmytype.UnmarshalJSON
	}
	return j
}

// Print returns the fingerprint of the program's types: of the root, the arms of its unions, and
// all types within them.
func Print(root reflect.Type, arms []reflect.Type, generated func(reflect.Type) bool) uint64 {
	return zmyprint.Of(newSource(root, generated), root, arms)
}
