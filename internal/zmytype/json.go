package zmytype

import "github.com/zmylab/zmy/wire"

// Forms of last resort: what has no form of its own is carried as encoding/json writes
// it, or left out, and either is noted in the plan.

// asJSON reports a struct that is carried as encoding/json has it, by its own method
// UnmarshalJSON, since its fields are not all of it: with MarshalJSON too because of any
// field that is not carried, without it only because of an interface, which UnmarshalJSON
// alone can fill.
func (c *compiler[T, F]) asJSON(t T) bool {
	if c.src.Kind(t) != Struct || c.numbered(t) {
		return false
	}
	methods := c.src.JSON(t)
	if !methods.Has(UnmarshalJSON) {
		return false
	}
	both := methods.Has(MarshalJSON)
	fields := c.fields(t)
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Name == "_" || f.Unknown:
		case both && (!f.Exported && c.src.Size(f.Type) > 0 || f.hidden()):
			return true
		case (both || f.Exported && c.src.Kind(c.leaf(f.Type)) == Interface && !f.hidden()) && c.unformed(f.Type) != "":
			return true
		}
	}
	return false
}

// hidden reports a field that JSON leaves out: where numbers are derived,
// it is no part of messages either.
func (f *Field[F, T]) hidden() bool { return f.Tag.Get("json") == "-" }

// leaf is what is at the end of pointers, lists and maps, or the type that one of these
// comes back to.
func (c *compiler[T, F]) leaf(t T) T {
	behind := t // goes half as fast, so that a circle meets it
	for n := 1; c.src.Kind(t).holds(); n++ {
		if t = c.src.Elem(t); t == behind {
			break
		}
		if n%2 == 0 {
			behind = c.src.Elem(behind)
		}
	}
	return t
}

// unformed says why a type has no form, "" if it may have one. It looks through
// pointers, lists and maps, not into structs.
func (c *compiler[T, F]) unformed(t T) string {
	seen := map[T]bool{}
	for !seen[t] && !c.ownForm(t) {
		seen[t] = true
		if why := c.unformedItself(t); why != "" {
			return c.src.Name(t) + " is " + why
		}
		if !c.src.Kind(t).holds() {
			break
		}
		t = c.src.Elem(t)
	}
	return ""
}

func (c *compiler[T, F]) unformedItself(t T) string {
	switch c.src.Kind(t) {
	case Interface:
		switch arms := c.arms(t); {
		case len(arms) > 0 && c.src.Local(t):
		case c.sealed[t] != nil:
			return "an interface, and no union: " + c.sealed[t].why
		default:
			return "an interface whose types are not known"
		}
	case Chan, Func, Unsafe, Invalid:
		return "not data"
	case BigRat:
		return "a fraction"
	case Pointer:
		switch c.src.Kind(c.src.Elem(t)) {
		case Pointer, Any, Interface:
			return "a pointer to what can be nil itself"
		}
	case Slice:
		if c.bareElem(c.src.Elem(t)) {
			return "a list of empty structs"
		}
	case Array:
		e := c.src.Elem(t)
		if c.src.Len(t) == 0 || c.bareElem(e) ||
			c.src.Kind(e) == Pointer && c.src.Kind(c.src.Elem(e)) == Struct && !c.ownForm(c.src.Elem(e)) {
			return "an array of no elements, of empty structs or of pointers"
		}
	case Map:
		if !c.isKey(c.src.Key(t)) {
			return "a map with keys that are not strings, integers, bools or byte arrays"
		}
		if e := c.src.Elem(t); c.src.Kind(e) == Pointer && c.bareElem(e) {
			return "a map of pointers to empty structs"
		}
	}
	return ""
}

// ownForm reports a type that takes part by methods of its own that are not JSON's.
func (c *compiler[T, F]) ownForm(t T) bool {
	kind := c.src.Kind(t)
	if !c.src.Named(t) || kind.known() {
		return false
	}
	m := c.src.Own(t)
	return m.Has(AppendZMY|UnmarshalZMY) ||
		kind == Struct && (m.pair(writesBinary, UnmarshalBinary) || c.byText(t)) && !c.numbered(t)
}

// bareElem reports a struct without fields, or a pointer to one.
func (c *compiler[T, F]) bareElem(t T) bool {
	if c.src.Kind(t) == Pointer {
		t = c.src.Elem(t)
	}
	return c.bare(t)
}

func (c *compiler[T, F]) isKey(t T) bool {
	switch k := c.src.Kind(t); {
	case c.src.Named(t) && !k.known() && c.src.Own(t).Has(AppendZMY):
		return false
	case k == Array:
		n := c.src.Len(t)
		return c.isByte(c.src.Elem(t)) && 0 < n && n <= wire.MaxFixed
	default:
		return k == String || k == Number || k == Bool || k.IsInt() || k.IsUint()
	}
}

// readsJSON reports a type whose values encoding/json writes and reads back, as far as
// the type tells.
func (c *compiler[T, F]) readsJSON(t T, seen map[T]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	kind := c.src.Kind(t)
	switch kind {
	case Time, Duration, BigInt, BigFloat, BigRat, RawJSON, Number, Any:
		return true
	case Interface:
		return false
	}
	if c.src.JSON(t).Has(RoundTrips) {
		return true
	}
	switch kind {
	case Invalid, Chan, Func, Unsafe, Complex64, Complex128:
		return false
	case Pointer, Slice, Bytes, Array:
		return c.readsJSON(c.src.Elem(t), seen)
	case Map:
		key, elem := c.src.Key(t), c.src.Elem(t)
		if c.src.JSON(elem).Has(ByPointer) { // encoding/json cannot call it: values of maps have no address
			return false
		}
		k := c.src.Kind(key)
		return (k == String || k == Number || k.IsInt() || k.IsUint() || c.src.JSON(key).Has(RoundTripsText)) && c.readsJSON(elem, seen)
	case Struct:
		fields := c.fields(t)
		some := len(fields) == 0
		for i := range fields {
			if f := &fields[i]; f.Exported && !f.hidden() {
				some = true
				if !c.readsJSON(f.Type, seen) {
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
func (c *compiler[T, F]) carriesNothing(t T) bool {
	t = c.leaf(t)
	if c.src.Kind(t) != Struct || c.bare(t) || c.numbered(t) || c.ownForm(t) || c.asJSON(t) {
		return false
	}
	fields := c.fields(t)
	for i := range fields {
		f := &fields[i]
		left := f.hidden() || f.Embedded && c.carriesNothing(f.Type) || c.src.Kind(c.leaf(f.Type)) == Interface && c.unformed(f.Type) != ""
		if f.Unknown || f.Exported && !left {
			return false
		}
	}
	return true
}

// lastResort decides about a field of a struct whose numbers are derived: it is carried
// as JSON (the type is not nil), left out, or has a form of its own (neither).
func (c *compiler[T, F]) lastResort(z *Type[T, F], f *Field[F, T]) (as *Type[T, F], left bool) {
	note := func(left bool, why string) {
		c.plan.Notes = append(c.plan.Notes, Note[T, F]{Owner: z.Type, Field: f.Of, Left: left, Why: why})
	}
	if f.hidden() && !c.src.JSON(z.Type).Has(MarshalJSON|UnmarshalJSON) { // else these may carry it, in a root
		if f.Exported {
			note(true, `it has struct tag json:"-"`)
		}
		return nil, true
	}
	if c.carriesNothing(f.Type) {
		note(true, c.src.Name(f.Type)+" has no fields that are carried, nor methods that carry it")
		return nil, true
	}
	why := c.unformed(f.Type)
	switch {
	case why == "":
		return nil, false
	case c.readsJSON(f.Type, map[T]bool{}):
		note(false, why)
		return c.once(key[T]{t: f.Type, json: true}, &Type[T, F]{Type: f.Type, Kind: c.src.Kind(f.Type), Shape: ShapeMethods,
			Via: ViaJSON}), false
	case c.src.Kind(c.leaf(f.Type)) == Interface:
		note(true, why)
		return nil, true
	}
	return nil, false
}

// noteNil notes a list or map of pointers, of which a nil one cannot be written. The form of
// its elements is that of the structs themselves, which has no room for nil.
func (c *compiler[T, F]) noteNil(z *Type[T, F], f *Field[F, T], t *Type[T, F]) {
	for seen := map[*Type[T, F]]bool{}; t != nil && !t.IsStruct() && !seen[t]; t = t.Elem {
		seen[t] = true
		if !t.ElemPtr {
			continue
		}
		elem := c.src.Name(t.Elem.Type)
		c.plan.Notes = append(c.plan.Notes, Note[T, F]{Owner: z.Type, Field: f.Of, Part: true, Why: "a nil *" + elem +
			" in it is refused when a message is written, though encoding/json writes null; use " + elem + ", or leave nil out"})
		return
	}
}
