package zmytype

import "slices"

// refusal says what is wrong with a type or a struct tag, and what to do.
type refusal struct{ msg, hint string }

// via returns which of its own methods carry a type. AppendZMY and UnmarshalZMY count for every
// type. Methods for binary, text and JSON count only for structs without struct tags zmy, since all
// other types have a form that is at least as good. Methods from an embedded field do not count:
// they know that field only. A struct with methods for text and for JSON is carried as JSON,
// because text may say less. For example it often cannot distinguish an empty optional string from
// an absent one.
func (c *compiler[T, F]) via(t T) (Via, *refusal) {
	kind := c.src.KindOf(t)
	if !c.src.IsNamed(t) || kind.Known() || kind == Interface || kind == Any {
		return ViaNone, nil
	}
	m := c.src.Own(t)
	if m.Has(AfterUnmarshalZMY) && kind != Struct {
		return ViaNone, &refusal{"AfterUnmarshalZMY is called for structs only", "check it in the struct around it"}
	}
	const remedy = "declare it on the pointer too, "
	switch appends, reads := m.Has(AppendZMY), m.Has(UnmarshalZMY); {
	case appends && reads:
		return ViaZMY, nil
	case appends:
		return ViaNone, &refusal{"has AppendZMY, but not UnmarshalZMY", remedy + "UnmarshalZMY([]byte) error, or remove the other"}
	case reads:
		return ViaNone, &refusal{"has UnmarshalZMY, but not AppendZMY", remedy + "AppendZMY([]byte) ([]byte, error), or remove the other"}
	}
	switch {
	case kind != Struct || slices.Contains(c.roots, t) || c.numbered(t):
	case m.pair(writesBinary, UnmarshalBinary):
		return ViaBinary, nil
	case c.byText(t):
		return ViaText, nil
	case m.pair(writesText, UnmarshalText), c.asJSON(t):
		return ViaJSON, nil
	}
	return ViaNone, nil
}

// byText reports whether t has both methods for text, and not both for JSON.
func (c *compiler[T, F]) byText(t T) bool {
	return c.src.Own(t).pair(writesText, UnmarshalText) && !c.src.JSON(t).Has(MarshalJSON|UnmarshalJSON)
}

// numbered reports whether t is a struct with a struct tag zmy.
func (c *compiler[T, F]) numbered(t T) bool {
	return slices.ContainsFunc(c.fields(t), func(f Field[F, T]) bool { return Numbered(f.Tag) })
}

// opaque refuses a struct none of whose fields can be carried, and says which pair of methods would
// help.
func (c *compiler[T, F]) opaque(t T, at place[T, F]) bool {
	name := c.src.Name(t)
	hint := "give *" + name + " MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary, or number its fields"
	if !c.src.IsLocal(t) {
		hint = "wrap it in a type of your own with MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary"
	}
	or := ", or " + skipHint
	if slices.Contains(c.roots, t) && c.src.JSON(t).Has(MarshalJSON|UnmarshalJSON) {
		hint = "wrap it in a struct with one field, where -derive carries it as JSON: a message is a struct, so that later versions " +
			"can add fields"
		or = ""
	}
	why := "it has no exported fields"
	if slices.ContainsFunc(c.fields(t), func(f Field[F, T]) bool { return f.Exported }) {
		why = "none of its fields is carried"
	}
	if c.src.IsNamed(t) {
		m := c.src.Own(t)
		why += half(m, MarshalText, UnmarshalText, "Text") + half(m, MarshalBinary, UnmarshalBinary, "Binary")
	}
	c.problem(at, hint+or, "%s has no wire type: %s", name, why)
	return false
}

// half returns a text if the type has only one method of a pair, else "".
func half(m, marshal, unmarshal Methods, what string) string {
	switch m, u := m.Has(marshal), m.Has(unmarshal); {
	case m && !u:
		return ", and has Marshal" + what + ", but not Unmarshal" + what
	case u && !m:
		return ", and has Unmarshal" + what + ", but not Marshal" + what
	}
	return ""
}
