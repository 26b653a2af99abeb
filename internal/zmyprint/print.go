// Package zmyprint makes fingerprints of types as ZMY native sees them. Generated code
// carries the fingerprint that the generator made from the source of a type; the program
// makes it again by reflection, and does not use code that is for another type.
//
// A fingerprint covers a type and every type that its messages reach: kinds, the fields
// that are carried with their names and struct tags, and the methods by which types take
// part. It does not depend on names of types, on their memory, or on directives in comments,
// which reflection cannot see. The fingerprint of the format (FORMAT.md) is another thing: it
// leaves names of fields out, so that two fields with exchanged numbers look the same to it.
package zmyprint

import (
	"reflect"

	"github.com/zmylab/zmy/internal/jsonprint"
)

// Hooks are the methods of a type that count: of the type or the pointer to it, promoted
// and generated ones left out. JSON's count only where no embedded field has one of the name.
type Hooks uint16

// The hooks. A method Append… counts like Marshal….
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

// Head is a type without the types that it is made of.
type Head struct {
	Kind    string // "int", "struct"; of a Known type "time", "bigint" and so on
	Known   bool   // the format knows it by heart: it is not looked into
	Hooks   Hooks
	Len     int  // of an array
	Foreign bool // it is of another package than the root
}

// Field is a field of a struct.
type Field[T any] struct {
	Name               string
	Tag                reflect.StructTag
	Embedded, Exported bool
	Sized              bool // it takes memory
	Type               T
}

// Source describes types. Fields and Elems are asked only of the types that are looked
// into: Elems are the element of a pointer, slice, array or map, the key first.
type Source[T comparable] interface {
	Head(T) Head
	Elems(T) []T
	NumField(T) int
	Field(T, int) Field[T]
}

// Unknown is the kind of type zmy.Unknown, of which a field has no number.
const Unknown = "unknown"

// Of returns the fingerprint of a root and of the arms of all unions that it reaches, which
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

// printer hashes types in the order in which they are met; a type that is met again is its
// number.
type printer[T comparable] struct {
	jsonprint.Hash
	src    Source[T]
	number map[T]int
	queue  []T
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

func (p *printer[T]) add(t T, root bool) {
	h := p.src.Head(t)
	if root {
		h.Hooks &= hooksZMY | After // a root is carried by its fields
	}
	p.Text(h.Kind)
	p.Num(uint64(h.Len))
	if h.Kind == "struct" {
		p.structType(t, h)
		return
	}
	p.Num(uint64(h.Hooks & (hooksZMY | After))) // the other methods count for structs only
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
		return // its methods do all
	}
	unseen := false // a part that only methods can carry
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
