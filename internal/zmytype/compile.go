package zmytype

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/wire"
)

// How the compiler works: it walks from the roots to all types within them, and plans each form of
// a type once. The state of the walk is the trail, for error messages, and the form of times that
// an option of the current field asks for. That form applies to times in the field's own lists and
// pointers, but not to those in structs or keys of maps. So structs and keys of maps reset it. A
// refused type is remembered as nil, so that it is reported once, where it was met first. Only if
// nothing was refused, facts computes what depends on all types: cycles, cost and memory.

// Compile plans the roots, which must be structs, and all types within them. If there are problems,
// the plan is nil; problems are in the order in which they were found.
func Compile[T, F comparable](src Source[T, F], roots []T, opt Options[T, F]) (*Plan[T, F], []Problem[T, F]) {
	c := &compiler[T, F]{
		src: src, opt: opt, roots: roots, plan: &Plan[T, F]{},
		seen: map[key[T]]*Type[T, F]{}, sealed: map[T]*sealed[T]{}, within: map[key[T]]bool{}, structs: map[T][]Field[F, T]{},
	}
	for _, t := range roots {
		c.trail = append(c.trail[:0], src.Name(t))
		at := place[T, F]{typ: t, depth: 1}
		z := c.typ(t, at)
		switch {
		case z == nil:
		case !z.IsStruct():
			hint := "remove them, or leave the type out of -type"
			if opt.Blind {
				hint = "call them, or put it into a struct"
			}
			c.problem(at, hint, "has AppendZMY and UnmarshalZMY of its own")
		default:
			c.plan.Roots = append(c.plan.Roots, z)
		}
	}
	if len(c.problems) == 0 {
		c.facts()
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return c.plan, nil
}

// key identifies one form of a Go type: options of fields give a type several forms.
type key[T comparable] struct {
	t       T
	nilable bool
	inline  bool
	json    bool
	time    TimeForm
}

type compiler[T, F comparable] struct {
	src      Source[T, F]
	opt      Options[T, F]
	roots    []T
	time     TimeForm // form of times in the current field
	trail    []string // the path from the root to the current type: Order . Items [] . Product
	plan     *Plan[T, F]
	seen     map[key[T]]*Type[T, F] // nil for a type that was refused
	sealed   map[T]*sealed[T]       // what arms has found out about interfaces
	within   map[key[T]]bool        // see partFirst
	structs  map[T][]Field[F, T]    // see fields
	problems []Problem[T, F]
}

const (
	skipHint  = `use struct tag zmy:"-" to leave it out`
	maxSparse = 8 * 255 // the bitmap has at most 255 bytes
)

// place says where a problem is: at a field, or at the declaration of a type.
type place[T, F comparable] struct {
	field *Field[F, T] // nil if the problem is at typ
	typ   T
	depth int  // number of pieces of the trail that lead to the place; 0 means all
	decl  bool // the position is the declaration of typ, though the text names the field
}

// at returns the place of a field of the current struct.
func (c *compiler[T, F]) at(f *Field[F, T]) place[T, F] {
	return place[T, F]{field: f, depth: len(c.trail)}
}

// over returns p with the same text, but with the position of the declaration of t.
func (p place[T, F]) over(t T) place[T, F] {
	p.typ, p.decl = t, true
	return p
}

func (c *compiler[T, F]) problem(at place[T, F], hint, format string, args ...any) {
	p := Problem[T, F]{Type: at.typ, Msg: fmt.Sprintf(format, args...), Hint: hint}
	depth := len(c.trail)
	if at.depth > 0 {
		depth = at.depth
	}
	p.Way = strings.Join(c.trail[:depth], "")
	if f := at.field; f != nil {
		p.Way += "." + f.Name
		p.Place = "field " + f.Name
		if depth > 1 { // the field is not one of the root itself
			p.Place += " (" + p.Way + ")"
		}
		if !at.decl {
			p.Field = f.Of
		}
	} else {
		p.Place = c.src.Name(at.typ)
	}
	c.problems = append(c.problems, p)
}

// refuse reports the problem that type t has no form in messages at this place. It returns false.
func (c *compiler[T, F]) refuse(t T, at place[T, F], hint string) bool {
	if hint == "" {
		hint = skipHint
	} else {
		hint += ", or " + skipHint
	}
	c.problem(at, hint, "%s has no wire type", c.src.Name(t))
	return false
}

// step appends two pieces to the trail. The caller removes them with back.
func (c *compiler[T, F]) step(sign, name string) { c.trail = append(c.trail, sign, name) }

func (c *compiler[T, F]) back() { c.trail = c.trail[:len(c.trail)-2] }

// fields returns the fields of a struct. It asks the source once for each struct.
func (c *compiler[T, F]) fields(t T) []Field[F, T] {
	fields, ok := c.structs[t]
	if !ok {
		fields = c.src.FieldsOf(t)
		for i := range fields {
			if f := &fields[i]; f.Embedded {
				of := f.Type
				if c.src.KindOf(of) == Pointer {
					of = c.src.ElemOf(of)
				}
				f.ofStruct = c.src.KindOf(of) == Struct
			}
		}
		c.structs[t] = fields
	}
	return fields
}

// typ returns the planned type of t, or nil if it has none. at is the place where t was first met;
// later calls for the same form return the same result.
func (c *compiler[T, F]) typ(t T, at place[T, F]) *Type[T, F] {
	key := key[T]{t: t, time: c.time}
	if z, ok := c.seen[key]; ok {
		return z
	}
	if !c.writable(t, false, at, "export it, or "+skipHint) {
		c.seen[key] = nil
		return nil
	}
	if z, ok := c.partFirst(key, at); ok {
		return z
	}
	c.strayDirectives(t)
	z := &Type[T, F]{Type: t, Kind: c.src.KindOf(t)}
	c.seen[key] = z // before its parts: types may be recursive
	// A type with a shape may still be one that code cannot name, because of a part that is left
	// out.
	if !c.shape(z, at) || !c.writable(t, true, at, "give it a name, or "+skipHint) {
		c.seen[key] = nil
		return nil
	}
	return z
}

// writable reports whether generated code may name t. If not it reports a problem.
func (c *compiler[T, F]) writable(t T, whole bool, at place[T, F], hint string) bool {
	if c.opt.Unwritable == nil {
		return true
	}
	why := c.opt.Unwritable(t, whole)
	if why != "" {
		c.problem(at, hint, "type %s %s", c.src.Name(t), why)
	}
	return why == ""
}

// partFirst plans the element type of a pointer or an array before the type itself, whose shape
// depends on it. That works for recursive types: a recursion contains a struct, and a struct has a
// shape before its fields are planned. If planning the element has planned the type itself,
// partFirst returns it.
func (c *compiler[T, F]) partFirst(key key[T], at place[T, F]) (*Type[T, F], bool) {
	kind := c.src.KindOf(key.t)
	if kind != Pointer && kind != Array {
		return nil, false
	}
	if kind == Pointer {
		switch c.src.KindOf(c.src.ElemOf(key.t)) {
		case Struct, Array, Slice, Map:
		default:
			return nil, false
		}
	}
	if c.within[key] {
		return nil, false
	}
	c.within[key] = true
	if kind == Array {
		c.step("[]", "")
		defer c.back()
	}
	c.typ(c.src.ElemOf(key.t), at)
	delete(c.within, key)
	z, ok := c.seen[key]
	return z, ok
}

// shape sets the shape of z, and what belongs to it, from its Go type. It reports false if z has
// none.
func (c *compiler[T, F]) shape(z *Type[T, F], at place[T, F]) bool {
	t := z.Type
	if via, refusal := c.via(t); refusal != nil || via != ViaNone {
		if refusal != nil {
			c.problem(place[T, F]{typ: t}, refusal.hint, "%s", refusal.msg)
			return false
		}
		z.Shape, z.Via = ShapeMethods, via
		switch via {
		case ViaBinary:
			z.Appends = c.src.Own(t).Has(AppendBinary)
		case ViaText:
			z.Appends = c.src.Own(t).Has(AppendText)
		case ViaJSON:
			c.plan.Notes = append(c.plan.Notes, Note[T, F]{Owner: t, Why: "its fields are not all that its JSON methods carry"})
		}
		return true
	}
	if n := z.Kind.fixedSize(); n > 0 {
		z.Shape, z.Size, z.Domain = ShapeFixed, n, z.Kind.domain()
		if z.Kind == Time {
			z.timeForm(c.time)
		}
		return true
	}
	switch z.Kind {
	case String, Number, RawJSON, Any, BigInt, BigFloat:
		z.Shape = plainShapes[z.Kind]
	case Bytes, Slice:
		if z.Kind == Slice || c.src.IsNamed(c.src.ElemOf(t)) { // a type of its own, as in []Level
			return c.slice(z, at)
		}
		z.Shape = ShapeBytes
	case Array:
		return c.array(z, at)
	case Map:
		return c.mapType(z, at)
	case Pointer:
		return c.pointer(z, at)
	case Struct:
		return c.structType(z, at)
	case Interface:
		return c.union(z, at)
	case BigRat:
		return c.refuse(t, at, "carry numerator and denominator as *big.Int")
	default:
		return c.refuse(t, at, "")
	}
	return true
}

// plainShapes has the shapes of kinds that need no further look.
var plainShapes = [...]Shape{
	String: ShapeString, Number: ShapeString, RawJSON: ShapeBytes, Any: ShapeAny, BigInt: ShapeBigInt, BigFloat: ShapeBigFloat,
}

// timeForm sets the form of a time to the one that the current field asks for.
func (z *Type[T, F]) timeForm(form TimeForm) {
	z.Time = form
	switch form {
	case Zone:
		z.Size, z.Domain = wire.ZoneTimeLen, wire.ZoneBytes
	case UnixNano:
		z.Size, z.Domain = 8, wire.AnyBytes
	}
}

// bare reports whether t is a struct without fields.
func (c *compiler[T, F]) bare(t T) bool { return c.src.KindOf(t) == Struct && len(c.fields(t)) == 0 }

// elem returns the planned type of an element. It refuses structs without fields: they take no
// bytes, so a message could not say how many there are. Pointers to structs are carried like the
// structs.
func (c *compiler[T, F]) elem(t T, at place[T, F]) *Type[T, F] {
	e := c.typ(t, at)
	s := e
	if e != nil && e.Shape == ShapePtrStruct {
		s = e.Elem
	}
	if s != nil && s.IsStruct() && c.bare(s.Type) {
		c.refuse(t, at, "a list of empty structs is only a number: use an integer")
		return nil
	}
	return e
}

func (c *compiler[T, F]) slice(z *Type[T, F], at place[T, F]) bool {
	z.Shape = ShapeList // set before the element is planned, which may be this type
	c.step("[]", "")
	defer c.back()
	e := c.elem(c.src.ElemOf(z.Type), at)
	if e == nil {
		return false
	}
	z.Elem = e
	switch {
	case e.Shape == ShapeFixed:
		z.Shape = ShapePacked
	case e.Shape == ShapeStruct:
		z.Shape = ShapeDense
	case e.Shape == ShapePtrStruct && e.Elem.Shape == ShapeStruct:
		z.Shape, z.Elem, z.ElemPtr = ShapeDense, e.Elem, true
	}
	return true
}

func (c *compiler[T, F]) array(z *Type[T, F], at place[T, F]) bool {
	t := z.Type
	z.Len = c.src.LenOf(t)
	if z.Len == 0 || z.Len > math.MaxInt32 {
		c.problem(at, skipHint, "%s has no wire type: an array has 1 to %d elements", c.src.Name(t), math.MaxInt32)
		return false
	}
	c.step("[]", "")
	defer c.back()
	e := c.elem(c.src.ElemOf(t), at)
	if e == nil {
		return false
	}
	z.Elem, z.Size = e, int(z.Len)
	switch e.Shape {
	case ShapeFixed:
		z.Size *= e.Size
		z.Domain = e.Domain
		z.Shape = ShapeFixed
		if z.Size > wire.MaxFixed {
			z.Shape = ShapeFixedTail
		}
	case ShapePtrStruct:
		return c.refuse(t, at, "use a slice")
	default:
		z.Shape = ShapeArray
	}
	return true
}

func (c *compiler[T, F]) mapType(z *Type[T, F], at place[T, F]) bool {
	t, of := z.Type, c.src.KeyOf(z.Type)
	z.Shape = ShapeMap
	c.step("[]", "")
	defer c.back()
	form := c.time
	c.time = Instant
	k := c.typ(of, at)
	c.time = form
	if k == nil {
		return false
	}
	bytesKey := k.Kind == Array && k.Shape == ShapeFixed && c.isByte(c.src.ElemOf(of))
	switch kind := k.Kind; {
	case k.Shape == ShapeMethods:
		c.problem(at, "use a key without them, or "+skipHint, "map key %s has methods of its own", c.src.Name(of))
		return false
	case kind.IsInt():
		z.Order = wire.SignedOrder
	case kind.IsUint():
		z.Order = wire.UnsignedOrder
	case kind == String, kind == Number, kind == Bool, bytesKey:
	default:
		c.problem(at, "use a string, integer, bool or byte array, or "+skipHint, "map key %s has no wire type", c.src.Name(of))
		return false
	}
	e := c.typ(c.src.ElemOf(t), at)
	if e == nil {
		return false
	}
	z.Key, z.Elem = k, e
	if e.Shape == ShapePtrStruct && e.Elem.Shape == ShapeStruct {
		z.Elem, z.ElemPtr = e.Elem, true
		if c.bare(e.Elem.Type) {
			return c.refuse(t, at, "use struct{} values")
		}
	}
	return true
}

// isByte reports whether t is the type byte itself, not a named type.
func (c *compiler[T, F]) isByte(t T) bool { return c.src.KindOf(t) == Uint8 && !c.src.IsNamed(t) }

const dropPointer = "drop the pointer: what it points to can be nil itself"

func (c *compiler[T, F]) pointer(z *Type[T, F], at place[T, F]) bool {
	t, to := z.Type, c.src.ElemOf(z.Type)
	if via, _ := c.via(to); via == ViaNone { // otherwise its methods carry it, whatever it is
		switch c.src.KindOf(to) {
		case Any, Pointer:
			return c.refuse(t, at, dropPointer)
		}
	}
	e := c.typ(to, at)
	if e == nil {
		return false
	}
	z.Elem = e
	switch e.Shape {
	case ShapeStruct, ShapeSparse:
		z.Shape = ShapePtrStruct
	case ShapeFixed:
		z.Shape = ShapePtrFixed
	case ShapeString, ShapeFixedTail, ShapeArray, ShapeMethods, ShapeBytes, ShapePacked, ShapeList, ShapeDense, ShapeMap:
		z.Shape = ShapeOpt
	case ShapeBigInt:
		z.Shape = ShapePtrBigInt
	case ShapeBigFloat:
		z.Shape = ShapePtrBigFloat
	default:
		return c.refuse(t, at, dropPointer)
	}
	return true
}
