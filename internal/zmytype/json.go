package zmytype

import "github.com/zmylab/zmy/wire"

// Forms of last resort: a type without a form of its own is carried as encoding/json writes it, or
// left out. In both cases the plan has a note.

// asJSON reports whether struct t is carried as JSON because its fields do not contain all of its
// state. t must have the method UnmarshalJSON and no struct tags zmy. If t has MarshalJSON too, a
// single field that would not be carried is enough. If it does not, the field must be an interface,
// which only UnmarshalJSON can fill.
func (c *compiler[T, F]) asJSON(t T) bool {
	if c.src.KindOf(t) != Struct || c.numbered(t) {
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
		case both && (!f.Exported && c.src.SizeOf(f.Type) > 0 || f.hidden()):
			return true
		case (both || f.Exported && c.src.KindOf(c.leaf(f.Type)) == Interface && !f.hidden()) && c.unformed(f.Type) != "":
			return true
		}
	}
	return false
}

// hidden reports whether JSON leaves f out. Derived numbers leave such a field out of messages too.
func (f *Field[F, T]) hidden() bool { return f.Tag.Get("json") == "-" }

// leaf follows pointers, lists and maps to the first type that is none of these. If they lead back
// to a type seen before, it returns a type of that cycle.
func (c *compiler[T, F]) leaf(t T) T {
	behind := t // moves half as fast, so that t meets it in a cycle
	for n := 1; c.src.KindOf(t).holds(); n++ {
		if t = c.src.ElemOf(t); t == behind {
			break
		}
		if n%2 == 0 {
			behind = c.src.ElemOf(behind)
		}
	}
	return t
}

// unformed says why a type has no form in messages. It returns "" if it may have one. It looks into
// pointers, lists and maps, but not into structs.
func (c *compiler[T, F]) unformed(t T) string {
	seen := map[T]bool{}
	for !seen[t] && !c.ownForm(t) {
		seen[t] = true
		if why := c.unformedItself(t); why != "" {
			return c.src.Name(t) + " is " + why
		}
		if !c.src.KindOf(t).holds() {
			break
		}
		t = c.src.ElemOf(t)
	}
	return ""
}

func (c *compiler[T, F]) unformedItself(t T) string {
	switch c.src.KindOf(t) {
	case Interface:
		switch arms := c.arms(t); {
		case len(arms) > 0 && c.src.IsLocal(t):
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
		switch c.src.KindOf(c.src.ElemOf(t)) {
		case Pointer, Any, Interface:
			return "a pointer to what can be nil itself"
		}
	case Slice:
		if c.bareElem(c.src.ElemOf(t)) {
			return "a list of empty structs"
		}
	case Array:
		e := c.src.ElemOf(t)
		if c.src.LenOf(t) == 0 || c.bareElem(e) ||
			c.src.KindOf(e) == Pointer && c.src.KindOf(c.src.ElemOf(e)) == Struct && !c.ownForm(c.src.ElemOf(e)) {
			return "an array of no elements, of empty structs or of pointers"
		}
	case Map:
		if !c.isKey(c.src.KeyOf(t)) {
			return "a map with keys that are not strings, integers, bools or byte arrays"
		}
		if e := c.src.ElemOf(t); c.src.KindOf(e) == Pointer && c.bareElem(e) {
			return "a map of pointers to empty structs"
		}
	}
	return ""
}

// ownForm reports whether t is carried by its own methods, other than those for JSON.
func (c *compiler[T, F]) ownForm(t T) bool {
	kind := c.src.KindOf(t)
	if !c.src.IsNamed(t) || kind.Known() {
		return false
	}
	m := c.src.Own(t)
	return m.Has(AppendZMY|UnmarshalZMY) ||
		kind == Struct && (m.pair(writesBinary, UnmarshalBinary) || c.byText(t)) && !c.numbered(t)
}

// bareElem reports whether t is a struct without fields, or a pointer to one.
func (c *compiler[T, F]) bareElem(t T) bool {
	if c.src.KindOf(t) == Pointer {
		t = c.src.ElemOf(t)
	}
	return c.bare(t)
}

func (c *compiler[T, F]) isKey(t T) bool {
	switch k := c.src.KindOf(t); {
	case c.src.IsNamed(t) && !k.Known() && c.src.Own(t).Has(AppendZMY):
		return false
	case k == Array:
		n := c.src.LenOf(t)
		return c.isByte(c.src.ElemOf(t)) && 0 < n && n <= wire.MaxFixed
	default:
		return k == String || k == Number || k == Bool || k.IsInt() || k.IsUint()
	}
}

// readsJSON reports whether encoding/json writes values of t and reads them back, as far as the
// type shows.
func (c *compiler[T, F]) readsJSON(t T, seen map[T]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	kind := c.src.KindOf(t)
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
		return c.readsJSON(c.src.ElemOf(t), seen)
	case Map:
		key, elem := c.src.KeyOf(t), c.src.ElemOf(t)
		if c.src.JSON(elem).Has(ByPointer) { // values in maps have no address, which the method needs
			return false
		}
		k := c.src.KindOf(key)
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

// carriesNothing reports whether t is a struct none of whose fields would be carried, or a pointer,
// list or map that leads to such a struct.
func (c *compiler[T, F]) carriesNothing(t T) bool {
	t = c.leaf(t)
	if c.src.KindOf(t) != Struct || c.bare(t) || c.numbered(t) || c.ownForm(t) || c.asJSON(t) {
		return false
	}
	fields := c.fields(t)
	for i := range fields {
		f := &fields[i]
		left := f.hidden() || f.Embedded && c.carriesNothing(f.Type) || c.src.KindOf(c.leaf(f.Type)) == Interface && c.unformed(f.Type) != ""
		if f.Unknown || f.Exported && !left {
			return false
		}
	}
	return true
}

// lastResort decides how a field of a struct with derived numbers is carried. as is not nil if the
// field is carried as JSON, and left is true if it is left out. Otherwise the field has a form of
// its own.
func (c *compiler[T, F]) lastResort(z *Type[T, F], f *Field[F, T]) (as *Type[T, F], left bool) {
	note := func(left bool, why string) {
		c.plan.Notes = append(c.plan.Notes, Note[T, F]{Owner: z.Type, Field: f.Of, Left: left, Why: why})
	}
	if f.hidden() && !c.src.JSON(z.Type).Has(MarshalJSON|UnmarshalJSON) { // otherwise JSON methods may carry it
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
		return c.once(key[T]{t: f.Type, json: true}, &Type[T, F]{Type: f.Type, Kind: c.src.KindOf(f.Type), Shape: ShapeMethods,
			Via: ViaJSON}), false
	case c.src.KindOf(c.leaf(f.Type)) == Interface:
		note(true, why)
		return nil, true
	}
	return nil, false
}

// noteNil adds a note if f is a list or map of pointers to structs. Their elements have the form of
// the structs, which cannot express nil, so a nil pointer cannot be written.
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
