package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// ZMYOptions directs [ZMY].
type ZMYOptions struct {
	// Derive numbers the fields of structs that have no zmy struct tag at all,
	// in the order of declaration. Fields that JSON leaves out by json:"-" are left
	// out here too, but for roots with JSON methods, which may carry them.
	Derive bool
	// Recorded returns the numbers that Derive gave to the fields of a struct before,
	// which they keep. May be nil.
	Recorded func(*ir.Type) []ir.ZMYRecord
}

// ZMY plans the native form of the package's roots. Its error is an
// ir.Problems: everything reached that has no wire type or no number.
func ZMY(p *ir.Package, opt ZMYOptions) (*ir.ZMYPlan, error) {
	c := &zmyCheck{pkg: p.Path, roots: p.Roots, opt: opt, plan: &ir.ZMYPlan{}, seen: map[zmyKey]*ir.ZMYType{}, within: map[zmyKey]bool{}}
	for _, t := range p.Roots {
		if t.Kind != ir.Struct {
			c.problem(t.Pos, print.TypeExprIn(t, p.Path), "wrap it in a struct with one field", "a message is a struct, not %s", t.Kind)
			continue
		}
		c.root = print.TypeExprIn(t, p.Path)
		c.trail = c.root
		z := c.typ(t, t.Pos, c.root)
		if z != nil && !z.IsStruct() {
			c.problem(t.Pos, print.TypeExprIn(t, p.Path), "remove them, or leave the type out of -type", "has AppendZMY and UnmarshalZMY of its own")
			continue
		}
		if c.hidesMethod(t) {
			continue
		}
		if z != nil {
			c.plan.Roots = append(c.plan.Roots, z)
		}
	}
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	c.facts()
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	return c.plan, nil
}

// generatedMethods are those that generated code declares for roots.
var generatedMethods = []string{"AppendZMY", "AppendZMYOptions", "UnmarshalZMY", "UnmarshalZMYOptions", "ZMYFingerprint", "ZMYSchema"}

// hidesMethod refuses a root that has a field of the name of such a method.
func (c *zmyCheck) hidesMethod(t *ir.Type) (found bool) {
	if t.Name == nil || t.Name.Pkg != c.pkg || len(t.Name.Args) > 0 {
		return false // it has functions
	}
	for _, f := range t.Fields {
		if slices.Contains(generatedMethods, f.Name) {
			c.problem(f.Pos, c.field(f), "rename it", "a generated method has this name")
			found = true
		}
	}
	return found
}

type zmyKey struct {
	t       *ir.Type
	nilable bool
	inline  bool
	json    bool
	time    ir.ZMYTime
}

type zmyCheck struct {
	pkg      string
	opt      ZMYOptions
	roots    []*ir.Type
	time     ir.ZMYTime // form of times in the field at hand
	root     string     // at hand
	trail    string     // the way from it to what is at hand: Order.Items[].Product
	plan     *ir.ZMYPlan
	seen     map[zmyKey]*ir.ZMYType
	within   map[zmyKey]bool // see partFirst
	problems ir.Problems
}

const (
	zmySkip    = `use struct tag zmy:"-" to leave it out`
	maxFixed   = 255
	maxSection = 1<<14 - 1
	maxSparse  = 8 * 255
)

func (c *zmyCheck) problem(pos ir.Pos, path, hint, format string, args ...any) {
	c.problems = append(c.problems, ir.Problem{Pos: pos, Path: path, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// refuse reports a type that has no wire form where it stands, and is false.
func (c *zmyCheck) refuse(t *ir.Type, pos ir.Pos, path, hint string) bool {
	if hint == "" {
		hint = zmySkip
	} else {
		hint += ", or " + zmySkip
	}
	c.problem(pos, path, hint, "%s has no wire type", print.TypeExprIn(t, c.pkg))
	return false
}

// step lengthens the trail, until the function that it returns is called.
func (c *zmyCheck) step(name string) (back func()) {
	last := c.trail
	c.trail += name
	return func() { c.trail = last }
}

// field names a field for a problem: by the way from the root too, where the
// field is not the root's own.
func (c *zmyCheck) field(f *ir.Field) string {
	if c.trail != c.root {
		return "field " + f.Name + " (" + c.trail + "." + f.Name + ")"
	}
	return "field " + f.Name
}

// typ returns the wire type of t, nil if it has none; pos and path say where
// the first way to it led.
func (c *zmyCheck) typ(t *ir.Type, pos ir.Pos, path string) *ir.ZMYType {
	key := zmyKey{t: t, time: c.time}
	if z, ok := c.seen[key]; ok {
		return z
	}
	if t.Name != nil && !nameable(t.Name, c.pkg) {
		c.problem(pos, path, "export it, or "+zmySkip, "type %s cannot be named in package %s", print.TypeExprIn(t, c.pkg), c.pkg)
		c.seen[key] = nil
		return nil
	}
	if z, ok := c.partFirst(t, key, pos, path); ok {
		return z
	}
	c.strayDirectives(t)
	z := &ir.ZMYType{Type: t}
	c.seen[key] = z // before its parts: types may be recursive
	ok := c.shape(z, pos, path)
	if ok && !t.Spellable(c.pkg) { // for a reason in a part that is left out
		c.problem(pos, path, "give it a name, or "+zmySkip, "type %s cannot be written down in package %s", print.TypeExprIn(t, c.pkg), c.pkg)
		ok = false
	}
	if !ok {
		c.seen[key] = nil
		return nil
	}
	return z
}

// nameable reports whether the package may write the name, its type arguments aside.
func nameable(n *ir.TypeName, pkg string) bool {
	plain := *n
	plain.Args = nil
	return (&ir.Type{Name: &plain}).Spellable(pkg)
}

// partFirst looks at what a pointer points to, or an array is made of, before
// the type itself, whose shape depends on it: a struct, which is the only way to
// end a recursion, has a shape before its fields are known. It returns the type
// itself if that was met on the way.
func (c *zmyCheck) partFirst(t *ir.Type, key zmyKey, pos ir.Pos, path string) (*ir.ZMYType, bool) {
	if !partsFirst(t) || c.within[key] {
		return nil, false
	}
	c.within[key] = true
	if t.Kind == ir.Array {
		defer c.step("[]")()
	}
	c.typ(t.Elem, pos, path)
	delete(c.within, key)
	z, ok := c.seen[key]
	return z, ok
}

func partsFirst(t *ir.Type) bool {
	if t.Kind != ir.Pointer {
		return t.Kind == ir.Array
	}
	switch t.Elem.Kind {
	case ir.Struct, ir.Array, ir.Slice, ir.Map:
		return true
	}
	return false
}

// shape fills in z from its Go type.
func (c *zmyCheck) shape(z *ir.ZMYType, pos ir.Pos, path string) bool {
	t := z.Type
	if via, ok := c.via(t, pos, path); !ok || via != ir.ZMYViaNone {
		z.Shape, z.Via = ir.ZMYMethods, via
		if via == ir.ZMYViaJSON {
			c.plan.Notes = append(c.plan.Notes, ir.ZMYNote{Owner: t, Why: "its fields are not all that its JSON methods carry"})
		}
		return ok
	}
	if n := fixedSize(t.Kind); n > 0 {
		z.Shape, z.Size, z.Domain = ir.ZMYFixed, n, fixedDomain(t.Kind)
		if t.Kind == ir.Time {
			c.timeForm(z)
		}
		return true
	}
	switch t.Kind {
	case ir.String, ir.Number:
		z.Shape = ir.ZMYString
	case ir.RawJSON:
		z.Shape = ir.ZMYBytes
	case ir.Any:
		z.Shape = ir.ZMYAny
	case ir.BigInt:
		z.Shape = ir.ZMYBigInt
	case ir.BigFloat:
		z.Shape = ir.ZMYBigFloat
	case ir.Bytes:
		if !predeclared(t.Elem) {
			return c.slice(z, pos, path)
		}
		z.Shape = ir.ZMYBytes
	case ir.Slice:
		return c.slice(z, pos, path)
	case ir.Array:
		return c.array(z, pos, path)
	case ir.Map:
		return c.mapType(z, pos, path)
	case ir.Pointer:
		return c.pointer(z, pos, path)
	case ir.Struct:
		return c.structType(z, pos, path)
	case ir.Interface:
		return c.union(z, pos, path)
	case ir.BigRat:
		return c.refuse(t, pos, path, "carry numerator and denominator as *big.Int")
	default:
		return c.refuse(t, pos, path, "")
	}
	return true
}

// elem returns the wire type of an element; a struct without fields takes no
// bytes, so that no count of them could be told. Pointers to structs are carried as
// the structs.
func (c *zmyCheck) elem(t *ir.Type, pos ir.Pos, path string) *ir.ZMYType {
	e := c.typ(t, pos, path)
	s := e
	if e != nil && e.Shape == ir.ZMYPtrStruct {
		s = e.Elem
	}
	if s != nil && s.IsStruct() && len(s.Type.Fields) == 0 {
		c.refuse(t, pos, path, "a list of empty structs is only a number: use an integer")
		return nil
	}
	return e
}

func (c *zmyCheck) slice(z *ir.ZMYType, pos ir.Pos, path string) bool {
	z.Shape = ir.ZMYList // already now: the element may be this type
	defer c.step("[]")()
	e := c.elem(z.Type.Elem, pos, path)
	if e == nil {
		return false
	}
	z.Elem = e
	switch {
	case e.Shape == ir.ZMYFixed:
		z.Shape = ir.ZMYPacked
	case e.Shape == ir.ZMYStruct:
		z.Shape = ir.ZMYDense
	case e.Shape == ir.ZMYPtrStruct && e.Elem.Shape == ir.ZMYStruct:
		z.Shape, z.Elem, z.ElemPtr = ir.ZMYDense, e.Elem, true
	default:
		z.Shape = ir.ZMYList
	}
	return true
}

func (c *zmyCheck) array(z *ir.ZMYType, pos ir.Pos, path string) bool {
	t := z.Type
	if t.Len == 0 || t.Len > math.MaxInt32 {
		c.problem(pos, path, zmySkip, "%s has no wire type: an array has 1 to %d elements", print.TypeExprIn(t, c.pkg), math.MaxInt32)
		return false
	}
	defer c.step("[]")()
	e := c.elem(t.Elem, pos, path)
	if e == nil {
		return false
	}
	z.Elem, z.Size = e, int(t.Len)
	switch e.Shape {
	case ir.ZMYFixed:
		z.Size *= e.Size
		z.Domain = e.Domain
		z.Shape = ir.ZMYFixed
		if z.Size > maxFixed {
			z.Shape = ir.ZMYFixedTail
		}
	case ir.ZMYPtrStruct:
		return c.refuse(t, pos, path, "use a slice")
	default:
		z.Shape = ir.ZMYArray
	}
	return true
}

func (c *zmyCheck) mapType(z *ir.ZMYType, pos ir.Pos, path string) bool {
	t := z.Type
	z.Shape = ir.ZMYMap
	defer c.step("[]")()
	form := c.time
	c.time = ir.ZMYInstant
	k := c.typ(t.Key, pos, path)
	c.time = form
	if k == nil {
		return false
	}
	bytesKey := t.Key.Kind == ir.Array && t.Key.Elem.Kind == ir.Uint8 && predeclared(t.Key.Elem) && k.Shape == ir.ZMYFixed
	switch kind := t.Key.Kind; {
	case k.Shape == ir.ZMYMethods:
		c.problem(pos, path, "use a key without them, or "+zmySkip, "map key %s has methods of its own", print.TypeExprIn(t.Key, c.pkg))
		return false
	case kind.IsInt():
		z.Order = ir.ZMYSignedOrder
	case kind.IsUint():
		z.Order = ir.ZMYUnsignedOrder
	case kind == ir.String, kind == ir.Number, kind == ir.Bool, bytesKey:
	default:
		c.problem(pos, path, "use a string, integer, bool or byte array, or "+zmySkip, "map key %s has no wire type", print.TypeExprIn(t.Key, c.pkg))
		return false
	}
	e := c.typ(t.Elem, pos, path)
	if e == nil {
		return false
	}
	z.Key, z.Elem = k, e
	if e.Shape == ir.ZMYPtrStruct && e.Elem.Shape == ir.ZMYStruct {
		z.Elem, z.ElemPtr = e.Elem, true
		if len(e.Elem.Type.Fields) == 0 {
			return c.refuse(t, pos, path, "use struct{} values")
		}
	}
	return true
}

func (c *zmyCheck) pointer(z *ir.ZMYType, pos ir.Pos, path string) bool {
	t := z.Type
	if via, _ := c.via(t.Elem, pos, path); via == ir.ZMYViaNone { // else what its methods write, whatever it is
		switch t.Elem.Kind {
		case ir.Any, ir.Pointer:
			return c.refuse(t, pos, path, "drop the pointer: what it points to can be nil itself")
		}
	}
	e := c.typ(t.Elem, pos, path)
	if e == nil {
		return false
	}
	z.Elem = e
	switch e.Shape {
	case ir.ZMYStruct, ir.ZMYSparse:
		z.Shape = ir.ZMYPtrStruct
	case ir.ZMYFixed:
		z.Shape = ir.ZMYPtrFixed
	case ir.ZMYString, ir.ZMYFixedTail, ir.ZMYArray, ir.ZMYMethods, ir.ZMYBytes, ir.ZMYPacked, ir.ZMYList, ir.ZMYDense, ir.ZMYMap:
		z.Shape = ir.ZMYOpt
	case ir.ZMYBigInt:
		z.Shape = ir.ZMYPtrBigInt
	case ir.ZMYBigFloat:
		z.Shape = ir.ZMYPtrBigFloat
	default:
		return c.refuse(t, pos, path, "drop the pointer: what it points to can be nil itself")
	}
	return true
}

func fixedSize(k ir.Kind) int {
	switch k {
	case ir.Bool, ir.Int8, ir.Uint8:
		return 1
	case ir.Int16, ir.Uint16:
		return 2
	case ir.Int32, ir.Uint32, ir.Float32:
		return 4
	case ir.Int, ir.Int64, ir.Uint, ir.Uint64, ir.Uintptr, ir.Float64, ir.Complex64, ir.Duration:
		return 8
	case ir.Time:
		return 12
	case ir.Complex128:
		return 16
	}
	return 0
}

func fixedDomain(k ir.Kind) ir.ZMYDomain {
	switch k {
	case ir.Bool:
		return ir.ZMYBoolBytes
	case ir.Time:
		return ir.ZMYTimeBytes
	}
	return ir.ZMYAnyBytes
}

func predeclared(t *ir.Type) bool { return t.Name == nil || t.Name.Pkg == "" }
