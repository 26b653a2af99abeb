package check

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Contract derives the JSON contract of a package from the plan of its JSON.
//
// NOTE. A value of a type whose MarshalJSON has a pointer receiver is written by it only where
// encoding/json can take the value's address. Elements of slices and what pointers point to have
// an address, elements of maps have none, and fields have one if their struct has. The contract
// describes a type once, so the form of such a field is uncertain (ir.JSONForm.Maybe).
func Contract(p *ir.Package, plan *ir.JSONPlan) *ir.JSONContract {
	c := &contractor{pkg: p.Path, plan: plan, types: map[*ir.Type]*ir.JSONType{}, out: &ir.JSONContract{}}
	for _, t := range p.Roots {
		c.holder, c.word = "", ""
		c.out.Roots = append(c.out.Roots, c.form(t, false))
	}
	c.names()
	return c.out
}

// contractor walks the types that a contract describes.
type contractor struct {
	pkg          string
	plan         *ir.JSONPlan
	types        map[*ir.Type]*ir.JSONType
	out          *ir.JSONContract
	holder, word string // the member that is described, for the name of a struct that has none
}

// form returns the form of t. addressable says that encoding/json can take the address of the
// value.
func (c *contractor) form(t *ir.Type, addressable bool) *ir.JSONForm {
	if t.Kind == ir.Pointer && t.Name == nil {
		f := *c.form(t.Elem, true)
		f.Null, f.Zero = true, ""
		return &f
	}
	if kind, known := wellKnownForms[t.Kind]; known {
		pointer := kind == ir.FormBigInt || kind == ir.FormBigFloat || kind == ir.FormBigRat
		return &ir.JSONForm{Kind: kind, Maybe: pointer && !addressable}
	}
	if w := c.writes(t); w.Name != "" {
		return &ir.JSONForm{Kind: ir.FormRef, Type: c.named(t), Null: t.Kind == ir.Pointer, Maybe: w.Pointer && !addressable}
	}
	if t.Kind == ir.Struct || t.Name != nil && t.Name.Pkg != "" && t.Kind != ir.Duration {
		return &ir.JSONForm{Kind: ir.FormRef, Type: c.named(t), Null: nilable(t)}
	}
	f := c.shape(t)
	f.Null = nilable(t)
	return f
}

var wellKnownForms = map[ir.Kind]ir.JSONFormKind{
	ir.Time: ir.FormTime, ir.RawJSON: ir.FormRaw, ir.Number: ir.FormNumber, ir.BigInt: ir.FormBigInt, ir.BigFloat: ir.FormBigFloat,
	ir.BigRat: ir.FormBigRat, ir.Any: ir.FormAny, ir.Interface: ir.FormAny,
}

// nilable reports whether the type has the value nil, which is written as null.
func nilable(t *ir.Type) bool {
	switch t.Kind {
	case ir.Bytes, ir.Slice, ir.Map, ir.Pointer, ir.Interface:
		return true
	}
	return false
}

// shape returns the form of a type apart from its name and methods. It is not null.
func (c *contractor) shape(t *ir.Type) *ir.JSONForm {
	switch k := t.Kind; {
	case k == ir.Bool:
		return &ir.JSONForm{Kind: ir.FormBool}
	case k == ir.String:
		return &ir.JSONForm{Kind: ir.FormString}
	case k.IsInt() || k == ir.Duration:
		return &ir.JSONForm{Kind: ir.FormInt, Bits: int(t.Size) * 8}
	case k.IsUint():
		return &ir.JSONForm{Kind: ir.FormUint, Bits: int(t.Size) * 8}
	case k.IsFloat():
		return &ir.JSONForm{Kind: ir.FormFloat, Bits: int(t.Size) * 8}
	case k == ir.Bytes && t.Elem.Hooks&(ir.HasMarshalJSONPtr|ir.HasMarshalTextPtr) == 0:
		return &ir.JSONForm{Kind: ir.FormBytes}
	case k == ir.Bytes || k == ir.Slice:
		return &ir.JSONForm{Kind: ir.FormList, Elem: c.form(t.Elem, true)}
	case k == ir.Array:
		f := &ir.JSONForm{Kind: ir.FormArray, Len: t.Len, Elem: c.form(t.Elem, false)}
		f.Elem.Zero = c.zero(f.Elem)
		return f
	case k == ir.Map:
		return &ir.JSONForm{Kind: ir.FormMap, Key: c.key(t.Key), Elem: c.form(t.Elem, false)}
	case k == ir.Pointer:
		f := *c.form(t.Elem, true)
		f.Null = false
		return &f
	}
	return &ir.JSONForm{Kind: ir.FormAny}
}

// key returns the form of a map's keys. Strings are written as they are, whatever methods they have.
func (c *contractor) key(t *ir.Type) *ir.JSONForm {
	switch {
	case t.Kind == ir.String || t.Kind == ir.Number:
		return &ir.JSONForm{Kind: ir.FormString}
	case t.Kind == ir.Time || t.Kind == ir.BigInt || t.Kind == ir.BigFloat || t.Kind == ir.BigRat:
		return &ir.JSONForm{Kind: wellKnownForms[t.Kind]}
	case t.Hooks.Has(ir.HasMarshalText):
		if t.Kind == ir.Pointer && t.Name == nil {
			return c.key(t.Elem)
		}
		if t.Name == nil || c.writes(t).Name == "MarshalJSON" {
			return &ir.JSONForm{Kind: ir.FormText}
		}
		return &ir.JSONForm{Kind: ir.FormRef, Type: c.named(t)}
	}
	return c.shape(t)
}

// zero returns the zero value of an enumeration for which it has no constant, else "".
func (c *contractor) zero(f *ir.JSONForm) string {
	if f.Kind != ir.FormRef || len(f.Type.Values) == 0 {
		return ""
	}
	zero := "0"
	if f.Type.Form.Kind == ir.FormString {
		zero = `""`
	}
	if slices.ContainsFunc(f.Type.Values, func(v ir.JSONValue) bool { return v.Text == zero }) {
		return ""
	}
	return zero
}

// named returns the type of the contract for t.
func (c *contractor) named(t *ir.Type) *ir.JSONType {
	if known := c.types[t]; known != nil {
		return known
	}
	j := &ir.JSONType{Type: t, Writes: c.writes(t), Reads: c.reads(t)}
	c.types[t] = j
	c.out.Types = append(c.out.Types, j)
	if t.Name == nil {
		j.Holder, j.Name = c.holder, c.word
	} else {
		j.Name = contractWords.Word(t)
		j.Doc, j.Deprecated = deprecation(t.Name.Doc)
	}
	holder, word := c.holder, c.word
	defer func() { c.holder, c.word = holder, word }()
	switch {
	case j.Writes.Name == "MarshalJSON":
		j.Form = &ir.JSONForm{Kind: ir.FormCode}
	case j.Writes.Name == "MarshalText":
		j.Form = &ir.JSONForm{Kind: ir.FormText}
	case t.Kind == ir.Struct:
		c.object(j)
	default:
		j.Form = c.shape(t)
		j.Values = enumeration(t)
	}
	return j
}

// contractWords spells types without their packages: PageOrder, SliceOrder.
var contractWords = ir.Spelling{
	Base: func(t *ir.Type) string { return ir.Title(t.Said()) }, Bytes: "Slice{}", Slice: "Slice{}", Array: "Array{n}{}",
	Map: "Map{key}{}", Pointer: "{}",
}

// object describes the members of a struct.
func (c *contractor) object(j *ir.JSONType) {
	s := c.plan.Struct(j.Type)
	if s == nil {
		return
	}
	at, said := j.Holder, j.Name
	if at == "" && j.Type.Name != nil {
		at = j.Type.Name.Name
	}
	for _, f := range s.Fields {
		c.holder, c.word = at+":"+f.Name, said+ir.Title(f.Field.Name)
		j.Members = append(j.Members, c.member(f))
	}
	if s.Inline != nil {
		c.holder, c.word = at+":"+s.Inline.Field.Name, said+ir.Title(s.Inline.Field.Name)
		base, _ := embeddedType(s.Inline.Type)
		j.Rest = &ir.JSONForm{Kind: ir.FormAny}
		if base.Kind == ir.Map {
			j.Rest = c.form(base.Elem, false)
		}
	}
}

func (c *contractor) member(f *ir.JSONField) *ir.JSONMember {
	form := *c.form(f.Type, false)
	m := &ir.JSONMember{JSONField: f, Form: &form, Empty: f.OmitEmpty && emptiable(f.Type)}
	m.Doc, m.Deprecated = deprecation(f.Field.Doc)
	for _, s := range f.Steps {
		m.Missing = m.Missing || s.Pointer
	}
	if m.Empty || f.Zero == ir.ZeroCompare || f.Zero == ir.ZeroNilMethod { // nil itself is left out
		form.Null = f.Type.Kind == ir.Pointer && f.Type.Elem.Kind != ir.Interface && c.form(f.Type.Elem, true).Null
	}
	form.Quoted = f.Quoted && c.writes(f.Type).Name == ""
	if f.Type.Kind != ir.Pointer && !m.Empty && f.Zero != ir.ZeroCompare {
		form.Zero = c.zero(&form)
	}
	return m
}

// emptiable reports whether option omitempty has an effect on the type.
func emptiable(t *ir.Type) bool {
	switch t.Kind {
	case ir.Array:
		return t.Len == 0
	case ir.Struct, ir.Time, ir.BigInt, ir.BigFloat, ir.BigRat:
		return false
	}
	return true
}

// writes returns the method that writes values of t.
func (c *contractor) writes(t *ir.Type) ir.JSONMethod {
	switch {
	case t.Hooks.Has(ir.HasMarshalJSON):
		return method(t, "MarshalJSON", ir.HasMarshalJSON, false)
	case t.Hooks.Has(ir.HasMarshalJSONPtr) && t.Kind != ir.Interface:
		return method(t, "MarshalJSON", ir.HasMarshalJSONPtr, true)
	case t.Hooks.Has(ir.HasMarshalText):
		return method(t, "MarshalText", ir.HasMarshalText, false)
	case t.Hooks.Has(ir.HasMarshalTextPtr) && t.Kind != ir.Interface:
		return method(t, "MarshalText", ir.HasMarshalTextPtr, true)
	}
	return ir.JSONMethod{}
}

// reads returns the method that reads values of t.
func (c *contractor) reads(t *ir.Type) ir.JSONMethod {
	switch {
	case t.Hooks.Has(ir.HasUnmarshalJSONPtr):
		return method(t, "UnmarshalJSON", ir.HasUnmarshalJSONPtr, !t.Hooks.Has(ir.HasUnmarshalJSON))
	case t.Hooks.Has(ir.HasUnmarshalTextPtr):
		return method(t, "UnmarshalText", ir.HasUnmarshalTextPtr, !t.Hooks.Has(ir.HasUnmarshalText))
	}
	return ir.JSONMethod{}
}

func method(t *ir.Type, name string, hook ir.Hooks, pointer bool) ir.JSONMethod {
	return ir.JSONMethod{Name: name, Pointer: pointer, Owner: owner(t, hook, 0)}
}

// owner returns the embedded type that declares a method of t, or nil if t declares it itself.
func owner(t *ir.Type, hook ir.Hooks, depth int) *ir.Type {
	if t.Own.Has(hook) || depth > 8 {
		return nil
	}
	for _, f := range t.Fields {
		base, _ := embeddedType(f.Type)
		if !f.Embedded || base.Hooks&(hook|hook<<1) == 0 {
			continue
		}
		if deeper := owner(base, hook, depth+1); deeper != nil {
			return deeper
		}
		return base
	}
	return nil
}

// deprecation cuts the paragraph "Deprecated:" from a comment.
func deprecation(doc string) (rest, deprecated string) {
	var kept []string
	for part := range strings.SplitSeq(doc, "\n\n") {
		if why, is := strings.CutPrefix(part, "Deprecated:"); is && deprecated == "" {
			deprecated = " " + strings.TrimSpace(why)
			continue
		}
		kept = append(kept, part)
	}
	if len(deprecated) > 1 {
		deprecated = deprecated[1:]
	}
	return strings.TrimSpace(strings.Join(kept, "\n\n")), deprecated
}
