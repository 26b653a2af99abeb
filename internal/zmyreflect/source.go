package zmyreflect

import (
	"encoding/json"
	"math/big"
	"reflect"
	"time"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// The types of the standard library with a form of their own in messages.
var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	intType      = reflect.TypeFor[big.Int]()
	floatType    = reflect.TypeFor[big.Float]()
	ratType      = reflect.TypeFor[big.Rat]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	numberType   = reflect.TypeFor[json.Number]()
	anyType      = reflect.TypeFor[any]()
	unknownType  = reflect.TypeFor[wire.Unknown]()
)

// known returns the kind of a type of the standard library with a form of its own, Invalid for
// other types.
func known(t reflect.Type) zmytype.Kind {
	switch t {
	case timeType:
		return zmytype.Time
	case durationType:
		return zmytype.Duration
	case intType:
		return zmytype.BigInt
	case floatType:
		return zmytype.BigFloat
	case ratType:
		return zmytype.BigRat
	case rawType:
		return zmytype.RawJSON
	case numberType:
		return zmytype.Number
	}
	return zmytype.Invalid
}

// source describes the types of the running program to package zmytype. gen/check/zmy_source.go
// does the same for source code.
type source struct {
	pkg       string // package of the root
	generated func(reflect.Type) bool
	methods   map[reflect.Type]zmytype.Methods
}

func newSource(root reflect.Type, generated func(reflect.Type) bool) source {
	return source{root.PkgPath(), generated, map[reflect.Type]zmytype.Methods{}}
}

func (source) Kind(t reflect.Type) zmytype.Kind {
	if named(t) {
		if k := known(t); k != zmytype.Invalid {
			return k
		}
	}
	switch k := t.Kind(); k {
	case reflect.String:
		return zmytype.String
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return zmytype.Bytes
		}
		return zmytype.Slice
	case reflect.Array:
		return zmytype.Array
	case reflect.Map:
		return zmytype.Map
	case reflect.Pointer:
		return zmytype.Pointer
	case reflect.Struct:
		return zmytype.Struct
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return zmytype.Any
		}
		return zmytype.Interface
	case reflect.Chan:
		return zmytype.Chan
	case reflect.Func:
		return zmytype.Func
	case reflect.UnsafePointer:
		return zmytype.Unsafe
	default: // numbers: both packages list their kinds in the same order
		return zmytype.Kind(k)
	}
}

// named reports whether a type is declared in a package.
func named(t reflect.Type) bool { return t.PkgPath() != "" }

func (source) Elem(t reflect.Type) reflect.Type              { return t.Elem() }
func (source) Key(t reflect.Type) reflect.Type               { return t.Key() }
func (source) Len(t reflect.Type) int64                      { return int64(t.Len()) }
func (source) Size(t reflect.Type) int64                     { return int64(t.Size()) }
func (source) Named(t reflect.Type) bool                     { return named(t) }
func (s source) Local(t reflect.Type) bool                   { return named(t) && t.PkgPath() == s.pkg }
func (source) Arms(reflect.Type) []zmytype.Arm[reflect.Type] { return nil }
func (source) Implementers(reflect.Type) ([]zmytype.Arm[reflect.Type], string) {
	return nil, ""
}
func (source) Directives(reflect.Type) []string { return nil }
func (source) Name(t reflect.Type) string       { return t.String() }

func (source) Fields(t reflect.Type) []zmytype.Field[*reflect.StructField, reflect.Type] {
	n := t.NumField()
	fields, out := make([]reflect.StructField, n), make([]zmytype.Field[*reflect.StructField, reflect.Type], n)
	for i := range n {
		fields[i] = t.Field(i)
		f := &fields[i]
		out[i] = zmytype.Field[*reflect.StructField, reflect.Type]{
			Of: f, Name: f.Name, Type: f.Type, Tag: f.Tag, Embedded: f.Anonymous, Exported: f.IsExported(),
			Usable: true, Unknown: f.Type == unknownType,
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
	add := func(bit zmytype.Methods, method reflect.Type, name string) {
		if declares(t, method, name) {
			m |= bit
		}
	}
	add(zmytype.AfterUnmarshalZMY, afterType, "AfterUnmarshalZMY")
	if !s.generated(t) {
		add(zmytype.AppendZMY, appendZMY, "AppendZMY")
		add(zmytype.UnmarshalZMY, unmarshalZMY, "UnmarshalZMY")
	}
	if t.Kind() != reflect.Struct {
		return m
	}
	add(zmytype.AppendBinary, appendBinary, "AppendBinary")
	add(zmytype.MarshalBinary, marshalBinary, "MarshalBinary")
	add(zmytype.UnmarshalBinary, unmarshalBinary, "UnmarshalBinary")
	add(zmytype.AppendText, appendText, "AppendText")
	add(zmytype.MarshalText, marshalText, "MarshalText")
	add(zmytype.UnmarshalText, unmarshalText, "UnmarshalText")
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
