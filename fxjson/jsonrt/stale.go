package jsonrt

import (
	"reflect"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/jsonprint"
	"github.com/zmylab/zmy/internal/stale"
)

// NOTE: Generated code knows types as they were when it was generated. What the compiler
// does not notice is a struct of another module with another field or struct tag, or a type
// that has gained a method. So Code.Print, the fingerprint that the generator made, is held
// against the types of the program once for each Code, at its first use; a Code whose types
// have changed is not used, and a plan takes its place. BenchmarkPrint measures the check (1
// to 3 µs a type; afterwards 16 instructions in AppendJSON, 5 in DecodeJSON, none in Marshal),
// gen/internal/drawn changes types on purpose.

// States of a Code, set at its first use.
const (
	unjudged  uint32 = iota
	good             // its types are those of the program
	goodOwn          // and something has a form that encoding/json does not know
	unfitting        // they are not, or it is left to encoding/json: see [foreign]
)

// fits reports whether the code is for the types of this program.
func (c *Code[T]) fits() bool {
	state := c.state.Load()
	return state == good || state == goodOwn || state == unjudged && c.judge()
}

// judge is fits at the first use.
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

// staleTypes are the types whose code is not used.
var staleTypes stale.Types

// StaleTypes returns the types met so far whose generated code is not used, since they or
// types that they are made of have changed.
func StaleTypes() []reflect.Type { return staleTypes.List() }

// OnStale has f called with each such type, those met before included, each time on a
// goroutine of its own. It takes the place of the function given before.
func OnStale(f func(reflect.Type)) { staleTypes.On(f) }

// printSource describes the types of the program for their fingerprint.
type printSource struct{}

var (
	coderType = reflect.TypeFor[Coder]()
	hookTypes = [...]reflect.Type{marshalerType, unmarshalerType, textType, untextType, zeroerType} // as jsonprint.Methods
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
			return h // its methods are looked for at its element
		}
	}
	h.Hooks = hooksOf(t)
	return h
}

// hooksOf is which hooks a type has; those that the generator wrote do not count.
func hooksOf(t reflect.Type) (h jsonprint.Hooks) {
	if t.Name() == "" && t.Kind() != reflect.Struct && t.Kind() != reflect.Interface {
		return 0
	}
	ptr := t
	if t.Name() != "" && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		ptr = reflect.PointerTo(t) // whose methods are those of t and more
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

// planned appends v by its plan: what remains to do for code that does not fit.
func planned(b []byte, v any) ([]byte, error) {
	e, n := NewEnc(false), len(b)
	b = e.reflective(b, v)
	if e.Done() {
		return b, nil
	}
	return e.rescue(b[:n], v)
}
