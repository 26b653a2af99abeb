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
	"slices"

	"github.com/zmylab/zmy/internal/jsonprint"
	"github.com/zmylab/zmy/internal/zmytype"
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

// methods maps the methods of a type to its hooks. The hooks for JSON are found by Source.OwnJSON
// instead.
var methods = [...]struct {
	any  zmytype.Methods
	hook Hooks
}{
	{zmytype.AppendZMY, WritesZMY}, {zmytype.UnmarshalZMY, ReadsZMY}, {zmytype.AfterUnmarshalZMY, After},
	{zmytype.AppendBinary | zmytype.MarshalBinary, WritesBinary}, {zmytype.UnmarshalBinary, ReadsBinary},
	{zmytype.AppendText | zmytype.MarshalText, WritesText}, {zmytype.UnmarshalText, ReadsText},
}

// Source describes types. It has those methods of zmytype.Source that fingerprints need, and two of
// its own. It is a separate interface, because the linker keeps every method that reachable code
// may call through an interface. So programs that only compare fingerprints do not link the methods
// that are needed to plan types.
type Source[T, F comparable] interface {
	KindOf(T) zmytype.Kind
	ElemOf(T) T
	KeyOf(T) T
	LenOf(T) int64
	SizeOf(T) int64
	FieldsOf(T) []zmytype.Field[F, T]
	IsNamed(T) bool
	IsLocal(T) bool
	Own(T) zmytype.Methods

	IsUnknown(T) bool // the type is zmy.Unknown

	// OwnJSON returns which of MarshalJSON and UnmarshalJSON a struct declares itself. It leaves
	// out a method if an embedded field has a method of the same name. So it knows less than
	// zmytype.Source.JSON, which also handles that case but must name methods to do so.
	OwnJSON(T) zmytype.JSON
}

// kindNames has the names of kinds in fingerprints that are not those of [zmytype.Kind.String].
// Where reflection has a name for the kind, it is that name.
var kindNames = [...]string{
	zmytype.Bytes: "slice", zmytype.Pointer: "ptr", zmytype.Duration: "int64", zmytype.Time: "time", zmytype.BigInt: "bigint",
	zmytype.BigFloat: "bigfloat", zmytype.BigRat: "bigrat", zmytype.RawJSON: "raw", zmytype.Number: "number",
}

func kindName(k zmytype.Kind) string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return k.String()
}

// Of returns the fingerprint of a root type. arms are the arms of all unions within it. The result
// is never 0.
func Of[T, F comparable](src Source[T, F], root T, arms []T) uint64 {
	p := printer[T, F]{Hash: jsonprint.NewHash(), src: src, number: map[T]int{}}
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
type printer[T, F comparable] struct {
	jsonprint.Hash
	src    Source[T, F]
	number map[T]int
	queue  []T
}

// ref hashes the number of a type. If the type is new, ref queues it.
func (p *printer[T, F]) ref(t T) {
	n, ok := p.number[t]
	if !ok {
		n = len(p.queue)
		p.number[t] = n
		p.queue = append(p.queue, t)
	}
	p.Num(uint64(n))
}

func (p *printer[T, F]) add(t T, root bool) {
	kind, name, length := p.src.KindOf(t), "unknown", int64(0)
	if p.src.IsUnknown(t) {
		kind = zmytype.Invalid // its fields do not matter
	} else {
		name = kindName(kind)
	}
	if kind == zmytype.Array {
		length = p.src.LenOf(t)
	}
	hooks := p.hooks(t, kind)
	if root || kind != zmytype.Struct { // a message is carried by its fields; other methods count for structs only
		hooks &= hooksZMY | After
	}
	p.Text(name)
	p.Num(uint64(length))
	if kind == zmytype.Struct {
		p.structType(t, hooks)
		return
	}
	p.Num(uint64(hooks))
	if hooks.has(hooksZMY) {
		return
	}
	switch kind {
	case zmytype.Map:
		p.ref(p.src.KeyOf(t))
		p.ref(p.src.ElemOf(t))
	case zmytype.Pointer, zmytype.Bytes, zmytype.Slice, zmytype.Array:
		p.ref(p.src.ElemOf(t))
	}
}

// hooks returns the methods of a type that matter. Types with a form of their own have none.
func (p *printer[T, F]) hooks(t T, kind zmytype.Kind) (h Hooks) {
	switch {
	case kind == zmytype.Invalid, kind == zmytype.Interface, kind == zmytype.Any, kind.Known(), !p.src.IsNamed(t):
		return 0
	}
	own := p.src.Own(t)
	for _, m := range methods {
		if own&m.any != 0 {
			h |= m.hook
		}
	}
	if kind == zmytype.Struct {
		json := p.src.OwnJSON(t)
		if json.Has(zmytype.MarshalJSON) {
			h |= WritesJSON
		}
		if json.Has(zmytype.UnmarshalJSON) {
			h |= ReadsJSON
		}
	}
	return h
}

func (p *printer[T, F]) structType(t T, hooks Hooks) {
	fields := p.src.FieldsOf(t)
	numbered := slices.ContainsFunc(fields, func(f zmytype.Field[F, T]) bool { return zmytype.Numbered(f.Tag) })
	if numbered {
		hooks &= hooksZMY | After
	}
	p.Num(uint64(hooks))
	if hooks.has(hooksZMY) || !p.src.IsLocal(t) && (hooks.has(hooksBinary) || hooks.has(hooksText)) {
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
		case !numbered && f.Tag.Get("json") == "-", !f.Exported && !tagged && !f.Embedded && !f.Unknown:
			unseen = unseen || p.src.SizeOf(f.Type) > 0
		default:
			p.Text(f.Name)
			p.Text(tag)
			p.Flags(tagged, f.Embedded, f.Exported)
			p.ref(f.Type)
		}
	}
	p.Flags(unseen && hooks.has(hooksJSON))
}
