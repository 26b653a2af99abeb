// Package fory is the contender github.com/apache/fory/go/fory.
package fory

import (
	"cmp"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// tag is the struct tag by which fields are left out.
const tag = "fory"

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "fory", Family: "binary",
	Text:  "Apache Fory between programs in Go with the same types (WithXlang(false), WithCompatible(false))",
	Extra: true,
	Adopt: &run.Adopt{Import: "github.com/apache/fory/go/fory",
		Imports: []string{"reflect", "sync", "time", "github.com/apache/fory/go/fory/threadsafe"}, Code: code,
		Marshal: "marshalFory(&v)", Unmarshal: "unmarshalFory(b, &v)"},
	Abilities: contender.Binary.But(contender.Abilities{
		Evolution:  "no; option WithCompatible, not measured",
		Languages:  "no; option WithXlang, not measured",
		Any:        "no; maps of interfaces make it panic",
		Validation: "no; flipped bits make it panic",
		Streaming:  "yes; SerializeTo and DeserializeFromReader",
		Licence:    "Apache-2.0",
		Released:   "2026-07-16",
	}),
	Plan: plan,
}, tag)

func plan(t *contender.Target) *run.Why {
	return contender.Refusals(t, func(v contender.Visit) *run.Why {
		if reason := refuse(t, v.Type); reason != "" {
			return v.Refuse(t, reason, `leave it out with struct tag `+tag+`:"-"`)
		}
		return nil
	}, tag)
}

var plain = gosrc.Plain{Dynamic: "what an interface holds has to be registered, and maps of interfaces make Fory panic",
	Lacks: "Fory has no form for", Knows: "Fory"}

// refuse says why Fory cannot carry type x of the target, or returns "".
func refuse(t *contender.Target, x *ir.Type) string {
	if reason := cmp.Or(plain.Refuse(t, x), plain.RefusePointer(x)); reason != "" {
		return reason
	}
	switch x.Kind {
	case ir.String, ir.Bool, ir.Float32, ir.Float64:
		if gosrc.Named(x) {
			return "Fory takes no named strings, booleans and floats"
		}
	case ir.Struct:
		if x.Name == nil {
			return "Fory registers structs that have a name only"
		}
	default:
		if x == t.Root {
			return "Fory takes pointers to structs, not to other types"
		}
	}
	return ""
}

// code is what a program writes to use Fory. The adapter has the same functions.
const code = `
// forys has an instance pool for each type of message.
var forys sync.Map // reflect.Type to *threadsafe.Fory

func marshalFory[T any](v *T) ([]byte, error) {
	f, err := foryFor(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return threadsafe.Serialize(f, v)
}

func unmarshalFory[T any](b []byte, v *T) error {
	f, err := foryFor(reflect.TypeFor[T]())
	if err != nil {
		return err
	}
	return threadsafe.Deserialize(f, b, v)
}

// foryFor returns the pool for messages of type t.
func foryFor(t reflect.Type) (*threadsafe.Fory, error) {
	if f, ok := forys.Load(t); ok {
		return f.(*threadsafe.Fory), nil
	}
	if _, err := newFory(t); err != nil {
		return nil, err
	}
	f, _ := forys.LoadOrStore(t, threadsafe.NewWithFactory(func() *fory.Fory {
		f, _ := newFory(t) // has succeeded before
		return f
	}))
	return f.(*threadsafe.Fory), nil
}

// newFory returns an instance for messages of type t. Both ends must have the same types.
func newFory(t reflect.Type) (*fory.Fory, error) {
	f := fory.New(fory.WithXlang(false), fory.WithCompatible(false), fory.WithMaxDepth(1000))
	return f, registerFory(f, t, map[reflect.Type]bool{})
}

// registerFory gives numbers to the types that t refers to, in the order in which they are met.
func registerFory(f *fory.Fory, t reflect.Type, seen map[reflect.Type]bool) error {
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if t.PkgPath() == "" || seen[t] {
			return nil
		}
		seen[t] = true
		return f.RegisterEnum(t, uint32(len(seen)))
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return registerFory(f, t.Elem(), seen)
	case reflect.Map:
		if err := registerFory(f, t.Key(), seen); err != nil {
			return err
		}
		return registerFory(f, t.Elem(), seen)
	case reflect.Struct:
		if seen[t] || t == reflect.TypeFor[time.Time]() {
			return nil
		}
		seen[t] = true
		if err := f.RegisterStruct(t, uint32(len(seen))); err != nil {
			return err
		}
		for i := range t.NumField() {
			if field := t.Field(i); field.IsExported() {
				if err := registerFory(f, field.Type, seen); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
`
