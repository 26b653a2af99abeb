// Package zmyprint computes fingerprints of Go types as ZMY native sees them. Generated code
// contains the fingerprint that the generator computed from the source of a type. The program
// computes it again by reflection. If the two differ, the generated code is for another type and is
// not used.
//
// A fingerprint covers a type and all types within its messages: kinds, names and struct tags of
// fields that are carried, and methods that matter to messages. It does not depend on the names of
// types, on their memory layout, or on directives in comments, which reflection cannot see. It is
// not the fingerprint of the format (FORMAT.md). That one ignores names of fields, so it stays the
// same if two fields exchange their numbers.
package zmyprint

import (
	"reflect"

	"github.com/zmylab/zmy/internal/jsonprint"
)

// Hooks is the set of a type's methods that matter to messages. They belong to the type or the
// pointer to it. Promoted and generated methods are excluded. A method for JSON counts only if no
// embedded field has a method of the same name.
type Hooks uint16

// The hooks. A method Append… counts like the method Marshal….
const (
	WritesZMY Hooks = 1 << iota
	ReadsZMY
	WritesBinary
	ReadsBinary
	WritesText
	ReadsText
	WritesJSON
	ReadsJSON
	After // AfterUnmarshalZMY
)

const (
	hooksZMY    = WritesZMY | ReadsZMY
	hooksBinary = WritesBinary | ReadsBinary
	hooksText   = WritesText | ReadsText
	hooksJSON   = WritesJSON | ReadsJSON
)

func (h Hooks) has(want Hooks) bool { return h&want == want }

// Head describes a type without the types that it is made of.
type Head struct {
	Kind    string // "int", "struct"; for a Known type "time", "bigint" and so on
	Known   bool   // the type has a form of its own, which does not depend on its parts
	Hooks   Hooks
	Len     int  // length of an array
	Foreign bool // the type is declared in another package than the root
}

// Field is a field of a struct.
type Field[T any] struct {
	Name               string
	Tag                reflect.StructTag
	Embedded, Exported bool
	Sized              bool // its size in memory is not 0
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

// Unknown is the kind of the type zmy.Unknown. Fields of that type have no number.
const Unknown = "unknown"

// Of returns the fingerprint of a root type. arms are the arms of all unions within it. The result
// is never 0.
func Of[T comparable](src Source[T], root T, arms []T) uint64 {
	p := printer[T]{Hash: jsonprint.NewHash(), src: src, number: map[T]int{}}
	p.ref(root)
	for _, arm := range arms {
		p.ref(arm)
	}
	for i := 0; i < len(p.queue); i++ {
		p.add(p.queue[i], i == 0)
	}
	return p.Sum()
}

// printer hashes types in the order in which they are first met. A type that is met again is hashed
// as its number in that order.
type printer[T comparable] struct {
	jsonprint.Hash
	src    Source[T]
	number map[T]int
	queue  []T
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

func (p *printer[T]) add(t T, root bool) {
	h := p.src.Head(t)
	if root {
		h.Hooks &= hooksZMY | After // a message is carried by its fields, not by methods
	}
	p.Text(h.Kind)
	p.Num(uint64(h.Len))
	if h.Kind == "struct" {
		p.structType(t, h)
		return
	}
	p.Num(uint64(h.Hooks & (hooksZMY | After))) // other methods count for structs only
	if h.Hooks.has(hooksZMY) || h.Known {
		return
	}
	for _, e := range p.src.Elems(t) {
		p.ref(e)
	}
}

func (p *printer[T]) structType(t T, h Head) {
	fields := make([]Field[T], p.src.NumField(t))
	numbered := false
	for i := range fields {
		fields[i] = p.src.Field(t, i)
		_, tagged := fields[i].Tag.Lookup("zmy")
		numbered = numbered || tagged
	}
	if numbered {
		h.Hooks &= hooksZMY | After
	}
	p.Num(uint64(h.Hooks))
	if h.Hooks.has(hooksZMY) || h.Foreign && (h.Hooks.has(hooksBinary) || h.Hooks.has(hooksText)) {
		return // its methods carry all of it
	}
	unseen := false // whether a field is left out that only methods could carry
	for i := range fields {
		f := &fields[i]
		tag, tagged := f.Tag.Lookup("zmy")
		switch {
		case tag == "-":
		case f.Name == "_":
			p.Text(tag) // a directive
		case !numbered && f.Tag.Get("json") == "-", !f.Exported && !tagged && !f.Embedded && p.src.Head(f.Type).Kind != Unknown:
			unseen = unseen || f.Sized
		default:
			p.Text(f.Name)
			p.Text(tag)
			p.Flags(tagged, f.Embedded, f.Exported)
			p.ref(f.Type)
		}
	}
	p.Flags(unseen && h.Hooks.has(hooksJSON))
}
