package jsonrt

import (
	"reflect"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/jsonprint"
	"github.com/zmylab/zmy/internal/stale"
)

// NOTE: Generated code fits types as they were when it was generated. The compiler does not notice
// that a struct of another module has another field or struct tag, or that a type has gained a
// method. So each Code, at its first use, compares Code.Print, the fingerprint that the generator
// made, with the types of the program. If they have changed, the Code is not used, and a plan takes
// its place. The check takes 1 to 3 µs a type (BenchmarkPrint); later calls cost 16 instructions in
// AppendJSON, 5 in DecodeJSON and none in Marshal. Tests in gen/internal/drawn change types on
// purpose.

// States of a Code, set at its first use.
const (
	unjudged  uint32 = iota
	good             // its types have not changed
	goodOwn          // good, and a type has a form that encoding/json does not know
	unfitting        // its types have changed, or encoding/json does the work: see [foreign]
)

// fits reports whether the code is used. It is not if its types have changed since it was
// generated, or if encoding/json does the work: see [foreign].
func (c *Code[T]) fits() bool {
	state := c.state.Load()
	return state == good || state == goodOwn || state == unjudged && c.judge()
}

// judge compares the fingerprints, sets the state, and reports whether the code fits.
func (c *Code[T]) judge() bool {
	t := c.typ()
	fits := !jsonwire.StdV2 || !foreign(t)
	if fits && jsonprint.Of[reflect.Type](printSource{}, t) != c.Print {
		fits = false
		staleTypes.Add(t)
	}
	state := unfitting
	if fits {
		state = good
		if ownForm(t) {
			state = goodOwn
		}
	}
	c.state.Store(state)
	return fits
}

// staleTypes are the types whose generated code is out of date.
var staleTypes stale.Types

// StaleTypes returns the types met so far whose generated code is not used, because they, or types
// that they contain, have changed.
func StaleTypes() []reflect.Type { return staleTypes.List() }

// OnStale sets f to be called with each such type, including those met before, each time on a
// goroutine of its own. It replaces the function set before.
func OnStale(f func(reflect.Type)) { staleTypes.On(f) }

// printSource describes the types of the program for their fingerprint.
type printSource struct{}

var (
	coderType = reflect.TypeFor[Coder]()
	hookTypes = [...]reflect.Type{marshalerType, unmarshalerType, textType, untextType, zeroerType} // in the order of jsonprint.Methods
)

func (printSource) Head(t reflect.Type) jsonprint.Head {
	switch t {
	case timeType:
		return jsonprint.Head{Kind: "time"}
	case rawType:
		return jsonprint.Head{Kind: "raw"}
	case numberType:
		return jsonprint.Head{Kind: "number"}
	}
	h := jsonprint.Head{Kind: t.Kind().String()}
	switch t.Kind() {
	case reflect.Array:
		h.Len = t.Len()
	case reflect.Interface:
		if t.NumMethod() == 0 {
			h.Kind = "any"
		}
	case reflect.Pointer:
		if t.Name() == "" {
			return h // its methods are those of its element, which is described separately
		}
	}
	h.Hooks = hooksOf(t)
	return h
}

// hooksOf returns which of the methods in hookTypes t and *t have. Generated methods do not count.
func hooksOf(t reflect.Type) (h jsonprint.Hooks) {
	if t.Name() == "" && t.Kind() != reflect.Struct && t.Kind() != reflect.Interface {
		return 0
	}
	ptr := t
	if t.Name() != "" && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		ptr = reflect.PointerTo(t) // it has all methods of t
	}
	if ptr.NumMethod() == 0 {
		return 0
	}
	for i, iface := range hookTypes {
		if !ptr.Implements(iface) {
			continue
		}
		h |= jsonprint.MarshalJSONPtr << (2 * i)
		if ptr == t || t.Implements(iface) {
			h |= jsonprint.MarshalJSON << (2 * i)
		}
	}
	const own = jsonprint.MarshalJSON | jsonprint.MarshalJSONPtr | jsonprint.UnmarshalJSON | jsonprint.UnmarshalJSONPtr
	if h&own != 0 && ptr.Implements(coderType) {
		if c := findAny(t); c != nil && c.standsIn() {
			h &^= own
		}
	}
	return h
}

func (printSource) Elems(t reflect.Type) []reflect.Type {
	switch t.Kind() {
	case reflect.Map:
		return []reflect.Type{t.Key(), t.Elem()}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return []reflect.Type{t.Elem()}
	}
	return nil
}

func (printSource) NumField(t reflect.Type) int { return t.NumField() }

func (printSource) Field(t reflect.Type, i int) jsonprint.Field[reflect.Type] {
	f := t.Field(i)
	return jsonprint.Field[reflect.Type]{Name: f.Name, Tag: f.Tag, Embedded: f.Anonymous, Exported: f.IsExported(), Type: f.Type}
}

// standsIn reports whether the type's methods MarshalJSON and UnmarshalJSON are generated.
func (c *Code[T]) standsIn() bool { return c.Shadow != nil }

// planned appends v by a plan, in place of generated code that does not fit.
func planned(b []byte, v any) ([]byte, error) {
	e, n := NewEnc(false), len(b)
	return e.end(e.reflective(b, v), n, v)
}
