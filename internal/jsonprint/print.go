// Package jsonprint makes fingerprints of types as JSON sees them. Generated code
// carries the fingerprint that the generator made from the source of a type; the
// runtime makes it again by reflection, and does not use code that is for another type.
//
// A fingerprint covers the type and every type that encoding/json reaches from it: kinds,
// the fields that count with their names and struct tags, and the methods by which types
// take part in JSON. It does not depend on the names of types, nor on their memory.
package jsonprint

import (
	"reflect"

	"github.com/zmylab/zmy/internal/jsontag"
)

// Hooks are the methods of a type that count in JSON.
type Hooks uint16

// The hooks: of the type itself, and of the pointer to it.
const (
	MarshalJSON Hooks = 1 << iota
	MarshalJSONPtr
	UnmarshalJSON
	UnmarshalJSONPtr
	MarshalText
	MarshalTextPtr
	UnmarshalText
	UnmarshalTextPtr
	IsZero
	IsZeroPtr
)

// JSON are the hooks that take the place of a type's shape.
const JSON = IsZero - 1

// Methods are the methods behind the hooks, two for each: value and pointer.
var Methods = [...]string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero"}

// Head is a type without the types that it is made of.
type Head struct {
	Kind  string // "int", "struct"; for types known by heart "time", "raw" and "number", which are not looked into
	Hooks Hooks
	Len   int // of an array
}

// Field is a field of a struct.
type Field[T any] struct {
	Name               string
	Tag                reflect.StructTag
	Embedded, Exported bool
	Type               T
}

// Source describes types. Fields and Elems are asked only of the types that are
// looked into: Elems are the element of a pointer, slice, array or map, the key first.
type Source[T comparable] interface {
	Head(T) Head
	Elems(T) []T
	NumField(T) int
	Field(T, int) Field[T]
}

// Of returns the fingerprint of root, which is never 0.
func Of[T comparable](src Source[T], root T) uint64 {
	p := printer[T]{Hash: NewHash(), number: map[T]int{root: 0}, queue: []T{root}}
	for i := 0; i < len(p.queue); i++ {
		p.add(src, p.queue[i])
	}
	return p.Sum()
}

// printer hashes types in the order in which they are met; a type that is met again
// is its number.
type printer[T comparable] struct {
	Hash
	number map[T]int
	queue  []T
}

func (p *printer[T]) add(src Source[T], t T) {
	h := src.Head(t)
	p.Text(h.Kind)
	p.Num(uint64(h.Hooks))
	p.Num(uint64(h.Len))
	switch h.Kind {
	case "time", "raw", "number":
		return
	}
	const out, in = MarshalJSON | MarshalText, UnmarshalJSONPtr | UnmarshalTextPtr
	if h.Hooks&out != 0 && h.Hooks&in != 0 { // it does all by itself
		return
	}
	for _, e := range src.Elems(t) {
		p.ref(e)
	}
	if h.Kind != "struct" {
		return
	}
	for i := range src.NumField(t) {
		f := src.Field(t, i)
		tag, ok := f.Tag.Lookup("json")
		if !f.Exported && !f.Embedded || tag == "-" && jsontag.Skipped(f.Tag) {
			continue
		}
		p.Text(f.Name)
		p.Text(tag)
		p.Text(f.Tag.Get("fxjson"))
		p.Flags(ok, f.Embedded, f.Exported)
		p.ref(f.Type)
	}
}

// ref hashes the number of a type, and takes it up if it is new.
func (p *printer[T]) ref(t T) {
	n, ok := p.number[t]
	if !ok {
		n = len(p.queue)
		p.number[t] = n
		p.queue = append(p.queue, t)
	}
	p.Num(uint64(n))
}
