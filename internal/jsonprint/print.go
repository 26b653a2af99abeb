// Package jsonprint computes fingerprints of Go types as JSON sees them. Generated code contains
// the fingerprint that the generator computed from the source of a type. The runtime computes it
// again by reflection. If the two differ, the generated code is for another type and is not used.
//
// A fingerprint covers a type and every type that encoding/json reaches from it: kinds, names and
// struct tags of fields that JSON sees, and methods that matter to JSON. It does not depend on the
// names of types or on their memory layout.
package jsonprint

import (
	"reflect"

	"github.com/zmylab/zmy/internal/jsontag"
)

// Hooks is the set of a type's methods that matter to JSON.
type Hooks uint16

// The hooks. Those with Ptr are methods of the pointer to the type.
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

// JSON is the set of hooks that marshal or unmarshal a type in place of its parts.
const JSON = IsZero - 1

// Methods has the names of the hooks' methods. Each name is for two hooks: of the type and of the
// pointer.
var Methods = [...]string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero"}

// Head describes a type without the types that it is made of.
type Head struct {
	Kind  string // "int", "struct"; "time", "raw" and "number" are types of the standard library whose parts do not matter
	Hooks Hooks
	Len   int // length of an array
}

// Field is a field of a struct.
type Field[T any] struct {
	Name               string
	Tag                reflect.StructTag
	Embedded, Exported bool
	Type               T
}

// Source describes types. Fields and Elems are called only for types whose parts matter. Elems
// returns the element type of a pointer, slice, array or map; for a map the type of its keys comes
// first.
type Source[T comparable] interface {
	Head(T) Head
	Elems(T) []T
	NumField(T) int
	Field(T, int) Field[T]
}

// Of returns the fingerprint of root. It is never 0.
func Of[T comparable](src Source[T], root T) uint64 {
	p := printer[T]{Hash: NewHash(), number: map[T]int{root: 0}, queue: []T{root}}
	for i := 0; i < len(p.queue); i++ {
		p.add(src, p.queue[i])
	}
	return p.Sum()
}

// printer hashes types in the order in which they are first met. A type that is met again is hashed
// as its number in that order.
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
	if h.Hooks&out != 0 && h.Hooks&in != 0 { // its methods do everything
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

// ref hashes the number of a type. If the type is new, ref queues it.
func (p *printer[T]) ref(t T) {
	n, ok := p.number[t]
	if !ok {
		n = len(p.queue)
		p.number[t] = n
		p.queue = append(p.queue, t)
	}
	p.Num(uint64(n))
}

// Hash is FNV-1a over words and bytes, for fingerprints.
type Hash uint64

const prime = 1099511628211

// NewHash returns the hash of no data.
func NewHash() Hash { return 14695981039346656037 }

// Sum returns the fingerprint, which is never 0.
func (h *Hash) Sum() uint64 { return max(uint64(*h), 1) }

// Num adds a number.
func (h *Hash) Num(x uint64) {
	*h = (*h ^ Hash(x)) * prime
	*h ^= *h >> 29 // multiplying alone moves no bit to a lower position
}

// Text adds a string and its length.
func (h *Hash) Text(s string) {
	sum := *h
	for i := range len(s) {
		sum = (sum ^ Hash(s[i])) * prime
	}
	*h = sum
	h.Num(uint64(len(s)))
}

// Flags adds bools.
func (h *Hash) Flags(flags ...bool) {
	x := uint64(0)
	for _, f := range flags {
		x <<= 1
		if f {
			x |= 1
		}
	}
	h.Num(x)
}
