package check

import (
	"reflect"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Forms of last resort: what has no form of its own is carried as encoding/json writes
// it, or left out, and either is noted in the plan.

// asJSON reports a struct that is carried as encoding/json has it, by its own method
// UnmarshalJSON, since its fields are not all of it: with MarshalJSON too because of any
// field that is not carried, without it only because of an interface, which UnmarshalJSON
// alone can fill.
func (c *zmyCheck) asJSON(t *ir.Type) bool {
	if t.Kind != ir.Struct || numbered(t) || !t.Own.Has(ir.HasUnmarshalJSONPtr) {
		return false
	}
	both := t.Own.Has(ir.HasMarshalJSONPtr)
	for _, f := range t.Fields {
		switch {
		case f.Name == "_" || isUnknown(f.Type):
		case both && (!f.Exported && f.Type.Size > 0 || hiddenFromJSON(f)):
			return true
		case (both || f.Exported && leaf(f.Type).Kind == ir.Interface && !hiddenFromJSON(f)) && c.unformed(f.Type) != "":
			return true
		}
	}
	return false
}

// unformed says why a type has no form, "" if it may have one. It looks through
// pointers, lists and maps, not into structs.
func (c *zmyCheck) unformed(t *ir.Type) string {
	seen := map[*ir.Type]bool{}
	for t != nil && !seen[t] {
		seen[t] = true
		if ownForm(t) {
			return ""
		}
		if why := c.unformedItself(t); why != "" {
			return why
		}
		switch t.Kind {
		case ir.Pointer, ir.Slice, ir.Array, ir.Map:
			t = t.Elem
		default:
			return ""
		}
	}
	return ""
}

func (c *zmyCheck) unformedItself(t *ir.Type) string {
	is := print.TypeExprIn(t, c.pkg) + " is "
	switch t.Kind {
	case ir.Interface:
		if len(t.Arms) == 0 || t.Name == nil || t.Name.Pkg != c.pkg {
			return is + "an interface whose types are not known"
		}
	case ir.Chan, ir.Func, ir.Unsafe, ir.Invalid:
		return is + "not data"
	case ir.BigRat:
		return is + "a fraction"
	case ir.Pointer:
		switch t.Elem.Kind {
		case ir.Pointer, ir.Any, ir.Interface:
			return is + "a pointer to what can be nil itself"
		}
	case ir.Slice:
		if bare(t.Elem) {
			return is + "a list of empty structs"
		}
	case ir.Array:
		switch e := t.Elem; {
		case t.Len == 0, bare(e), e.Kind == ir.Pointer && e.Elem.Kind == ir.Struct && !ownForm(e.Elem):
			return is + "an array of no elements, of empty structs or of pointers"
		}
	case ir.Map:
		if !isKey(t.Key) {
			return is + "a map with keys that are not strings, integers, bools or byte arrays"
		}
		if t.Elem.Kind == ir.Pointer && bare(t.Elem) {
			return is + "a map of pointers to empty structs"
		}
	}
	return ""
}

// ownForm reports a type that takes part by methods of its own that are not JSON's.
func ownForm(t *ir.Type) bool {
	has := func(write ir.Hooks, read ir.Hooks) bool { return t.Own&write != 0 && t.Own.Has(read) }
	return has(ir.HasAppendZMYPtr, ir.HasUnmarshalZMYPtr) || t.Kind == ir.Struct && !numbered(t) &&
		(has(ir.HasAppendBinaryPtr|ir.HasMarshalBinaryPtr, ir.HasUnmarshalBinaryPtr) || has(ir.HasAppendTextPtr|ir.HasMarshalTextPtr, ir.HasUnmarshalTextPtr))
}

// bare reports a struct without fields, or a pointer to one.
func bare(t *ir.Type) bool {
	if t.Kind == ir.Pointer {
		t = t.Elem
	}
	return t.Kind == ir.Struct && len(t.Fields) == 0
}

func isKey(t *ir.Type) bool {
	switch k := t.Kind; {
	case t.Own.Has(ir.HasAppendZMYPtr):
		return false
	case k == ir.Array:
		return t.Elem.Kind == ir.Uint8 && predeclared(t.Elem) && 0 < t.Len && t.Len <= maxFixed
	default:
		return k == ir.String || k == ir.Number || k == ir.Bool || k == ir.Duration || k.IsInt() || k.IsUint()
	}
}

// readsJSON reports a type whose values encoding/json writes and reads back, as far as
// the type tells.
func readsJSON(t *ir.Type, seen map[*ir.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	own := t.Hooks.Has(ir.HasMarshalJSONPtr|ir.HasUnmarshalJSONPtr) || t.Hooks.Has(ir.HasMarshalTextPtr|ir.HasUnmarshalTextPtr)
	switch t.Kind {
	case ir.Invalid, ir.Chan, ir.Func, ir.Unsafe, ir.Complex64, ir.Complex128, ir.Interface:
		return own && t.Kind != ir.Interface
	case ir.Time, ir.Duration, ir.BigInt, ir.BigFloat, ir.BigRat, ir.RawJSON, ir.Number, ir.Any:
		return true
	case ir.Pointer, ir.Slice, ir.Bytes, ir.Array:
		return own || readsJSON(t.Elem, seen)
	case ir.Map:
		k := t.Key
		byPointer := t.Elem.Hooks&(ir.HasMarshalJSON|ir.HasMarshalText) == 0 && t.Elem.Hooks&(ir.HasMarshalJSONPtr|ir.HasMarshalTextPtr) != 0
		if byPointer { // encoding/json cannot call it: values of maps have no address
			return own
		}
		return own || (k.Kind == ir.String || k.Kind == ir.Number || k.Kind == ir.Duration || k.Kind.IsInt() || k.Kind.IsUint() ||
			k.Hooks.Has(ir.HasMarshalTextPtr|ir.HasUnmarshalTextPtr)) && readsJSON(t.Elem, seen)
	case ir.Struct:
		if own {
			return true
		}
		some := len(t.Fields) == 0
		for _, f := range t.Fields {
			if f.Exported && !hiddenFromJSON(f) {
				some = true
				if !readsJSON(f.Type, seen) {
					return false
				}
			}
		}
		return some
	}
	return true
}

// carriesNothing reports a struct of which no field would be carried, at the end of
// pointers, lists and maps.
func (c *zmyCheck) carriesNothing(t *ir.Type) bool {
	seen := map[*ir.Type]bool{}
	for t.Kind == ir.Pointer || t.Kind == ir.Slice || t.Kind == ir.Array || t.Kind == ir.Map {
		if seen[t] {
			return false
		}
		seen[t] = true
		t = t.Elem
	}
	if t.Kind != ir.Struct || len(t.Fields) == 0 || numbered(t) || seen[t] {
		return false
	}
	if ownForm(t) || c.asJSON(t) {
		return false
	}
	for _, f := range t.Fields {
		left := hiddenFromJSON(f) || f.Embedded && c.carriesNothing(f.Type) || leaf(f.Type).Kind == ir.Interface && c.unformed(f.Type) != ""
		if isUnknown(f.Type) || f.Exported && !left {
			return false
		}
	}
	return true
}

// lastResort decides about a field of a struct whose numbers are derived: it is carried
// as JSON (the type is not nil), left out, or has a form of its own (neither).
func (c *zmyCheck) lastResort(z *ir.ZMYType, f *ir.Field) (as *ir.ZMYType, left bool) {
	note := func(left bool, why string) {
		c.plan.Notes = append(c.plan.Notes, ir.ZMYNote{Owner: z.Type, Field: f, Left: left, Why: why})
	}
	if hiddenFromJSON(f) && !z.Type.Own.Has(ir.HasMarshalJSONPtr|ir.HasUnmarshalJSONPtr) { // else these may carry it, in a root
		if f.Exported {
			note(true, `it has struct tag json:"-"`)
		}
		return nil, true
	}
	if c.carriesNothing(f.Type) {
		note(true, print.TypeExprIn(f.Type, c.pkg)+" has no fields that are carried, nor methods that carry it")
		return nil, true
	}
	why := c.unformed(f.Type)
	switch {
	case why == "":
		return nil, false
	case readsJSON(f.Type, map[*ir.Type]bool{}):
		note(false, why)
		return c.jsonForm(f.Type), false
	case leaf(f.Type).Kind == ir.Interface:
		note(true, why)
		return nil, true
	}
	return nil, false
}

// noteNil notes a list or map of pointers, of which a nil one cannot be written. The form of
// its elements is that of the structs themselves, which has no room for nil.
func (c *zmyCheck) noteNil(z *ir.ZMYType, f *ir.Field, t *ir.ZMYType) {
	for seen := map[*ir.ZMYType]bool{}; t != nil && !t.IsStruct() && !seen[t]; t = t.Elem {
		seen[t] = true
		if !t.ElemPtr {
			continue
		}
		elem := print.TypeExprIn(t.Elem.Type, c.pkg)
		c.plan.Notes = append(c.plan.Notes, ir.ZMYNote{Owner: z.Type, Field: f, Part: true, Why: "a nil *" + elem +
			" in it is refused when a message is written, though encoding/json writes null; use " + elem + ", or leave nil out"})
		return
	}
}

func leaf(t *ir.Type) *ir.Type {
	for t.Kind == ir.Pointer || t.Kind == ir.Slice || t.Kind == ir.Array || t.Kind == ir.Map {
		t = t.Elem
	}
	return t
}

func (c *zmyCheck) jsonForm(t *ir.Type) *ir.ZMYType {
	key := zmyKey{t: t, json: true}
	if c.seen[key] == nil {
		c.seen[key] = &ir.ZMYType{Type: t, Shape: ir.ZMYMethods, Via: ir.ZMYViaJSON}
	}
	return c.seen[key]
}

// hiddenFromJSON reports a field that JSON leaves out: where numbers are derived,
// it is no part of messages either.
func hiddenFromJSON(f *ir.Field) bool { return reflect.StructTag(f.Tag).Get("json") == "-" }
