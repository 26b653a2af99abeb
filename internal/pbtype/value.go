package pbtype

import (
	"fmt"

	"github.com/zmylab/zmy/internal/zmytype"
)

// skipHint is the last resort of every field that has no form.
const skipHint = `leave it out with proto:"-"`

// shape sets the shape, presence, packing and values of a field with Go type t.
func (c *compiler[T, F]) shape(f *Field[T, F], t T, tag *Tag) (bad *refusal) {
	elem, _ := c.pointee(t)
	switch kind := c.src.KindOf(t); {
	case c.dynamic(t) != Invalid, tag.Value.Own != Invalid && c.src.HasOwn(elem, tag.Value.Own):
		bad = c.single(f, t, tag)
	case kind == zmytype.Slice:
		f.Shape = List
		bad = c.list(f, t, tag)
	case kind == zmytype.Map:
		f.Shape = Map
		bad = c.mapping(f, t, tag)
	default:
		bad = c.single(f, t, tag)
	}
	if bad != nil {
		return bad
	}
	return c.agrees(f, tag)
}

// agrees refuses options of the tag that do not apply to the shape of the field.
func (c *compiler[T, F]) agrees(f *Field[T, F], tag *Tag) *refusal {
	numbers := f.Shape == List && f.Value.Kind.IsNumber()
	switch l := tag.Legacy; {
	case l != nil && l.Repeated != (f.Shape != Single):
		return &refusal{fmt.Sprintf("struct tag protobuf does not agree with the Go type %s", c.src.Name(f.Value.Type)),
			"rep belongs to slices and maps, opt to other types"}
	case l != nil:
	case tag.Packing != NoPacking && !numbers:
		return &refusal{"options packed and unpacked apply to slices of numbers", "remove the option"}
	case tag.Optional && (f.Shape != Single || f.Value.Pointer):
		return &refusal{"option optional applies to a single value that is no pointer", "remove the option"}
	case f.Shape != Map && (tag.Key != Coding{} || tag.Val != Coding{}):
		return &refusal{"options key and val apply to maps", "remove them"}
	}
	return nil
}

func (c *compiler[T, F]) single(f *Field[T, F], t T, tag *Tag) (bad *refusal) {
	elem, pointer := c.pointee(t)
	f.Value, bad = c.value(elem, tag.Value, tag.Legacy)
	f.Value.Pointer = pointer
	switch {
	case bad != nil:
		return bad
	case pointer && (f.Value.isBytes() || f.Value.Kind.IsDynamic()):
		hint := "drop the pointer"
		if f.Value.Kind == Bytes {
			hint = "use []byte with option optional"
		}
		return &refusal{c.src.Name(t) + " has two ways to be absent", hint}
	case pointer, f.Value.Kind.IsDynamic(), f.Value.isBytes() && (f.Value.Kind == Wrapper || tag.Optional || tag.Oneof != ""):
		f.Presence = Nilable
	case tag.Optional:
		f.Presence = Always
	}
	return nil
}

// isBytes reports whether the Go value is a slice of bytes.
func (v *Value[T, F]) isBytes() bool {
	return v.Kind == Bytes && v.Len == 0 || v.Kind == Wrapper && v.Wrapped == Bytes
}

// dynamic returns the kind of any, map[string]any and []any, Invalid for other types.
func (c *compiler[T, F]) dynamic(t T) Kind {
	isAny := func(t T) bool { return c.src.KindOf(t) == zmytype.Any && !c.src.IsNamed(t) }
	switch c.src.KindOf(t) {
	case zmytype.Any:
		return DynamicValue
	case zmytype.Slice:
		if isAny(c.src.ElemOf(t)) {
			return DynamicList
		}
	case zmytype.Map:
		if key := c.src.KeyOf(t); isAny(c.src.ElemOf(t)) && c.src.KindOf(key) == zmytype.String && !c.src.IsNamed(key) {
			return DynamicStruct
		}
	}
	return Invalid
}

func (c *compiler[T, F]) list(f *Field[T, F], t T, tag *Tag) (bad *refusal) {
	elem, pointer := c.pointee(c.src.ElemOf(t))
	f.Value, bad = c.value(elem, tag.Value, tag.Legacy)
	f.Value.Pointer = pointer
	if bad == nil && pointer && f.Value.Message == nil && !c.isStruct(&f.Value) {
		return noPointer(c.src.Name(t))
	}
	f.Packed = f.Value.Kind.IsNumber() && tag.Packing != Unpacked
	return bad
}

func (c *compiler[T, F]) mapping(f *Field[T, F], t T, tag *Tag) (bad *refusal) {
	if tag.Legacy == nil && (tag.Value != Coding{}) {
		return &refusal{"options of numbers and strings do not apply to the map itself", "write them with key: or val:, as in val:fixed"}
	}
	if f.Key, bad = c.value(c.src.KeyOf(t), tag.Key, tag.Legacy.part(tag.Legacy.key())); bad != nil {
		return bad
	}
	switch k := f.Key.Kind; {
	case k == Float, k == Double, k == Bytes, k.IsOwn(), k.IsMessage():
		return &refusal{fmt.Sprintf("a map key of type %s is not possible in protobuf", c.src.Name(f.Key.Type)),
			"use a string, an integer or a bool"}
	case k == Enum:
		f.Key.Kind = Int32
	}
	elem, pointer := c.pointee(c.src.ElemOf(t))
	f.Value, bad = c.value(elem, tag.Val, tag.Legacy.part(tag.Legacy.val()))
	f.Value.Pointer = pointer
	switch {
	case bad != nil:
		return bad
	case pointer && !c.isStruct(&f.Value):
		return noPointer(c.src.Name(t))
	case f.Value.Kind == Group:
		return &refusal{"a map value cannot be a group", "remove the option"}
	}
	return nil
}

func (l *Legacy) key() string {
	if l == nil {
		return ""
	}
	return l.Key
}

func (l *Legacy) val() string {
	if l == nil {
		return ""
	}
	return l.Val
}

// part returns what the tag says about the keys or the values of a map, whose wire type is given.
func (l *Legacy) part(wire string) *Legacy {
	if l == nil {
		return nil
	}
	return &Legacy{Wire: wire, Proto3: l.Proto3}
}

func noPointer(name string) *refusal {
	return &refusal{name + " contains pointers to values that are always present", "drop the pointer, or " + skipHint}
}

func (c *compiler[T, F]) isStruct(v *Value[T, F]) bool { return v.Kind == Message || v.Kind == Group }

// pointee returns the type that t points to, or t itself if it is no pointer.
func (c *compiler[T, F]) pointee(t T) (T, bool) {
	if c.src.KindOf(t) == zmytype.Pointer {
		return c.src.ElemOf(t), true
	}
	return t, false
}

// value returns how a value of Go type t is encoded. The caller plans its message.
func (c *compiler[T, F]) value(t T, code Coding, l *Legacy) (v Value[T, F], bad *refusal) {
	v.Type = t
	if code.Own != Invalid {
		if v.Kind = code.Own; !c.src.HasOwn(t, v.Kind) {
			return v, &refusal{"a pointer to " + c.src.Name(t) + " does not implement " + ownMethods[v.Kind],
				"give the type the methods, or remove the option"}
		}
		return v, c.fits(&v, code, l)
	}
	if v.Kind = c.dynamic(t); v.Kind != Invalid {
		return v, c.fits(&v, code, l)
	}
	kind := c.src.KindOf(t)
	switch kind {
	case zmytype.Bytes, zmytype.RawJSON:
		v.Kind = Bytes
	case zmytype.Array:
		v.Kind = Bytes
		v.Len = int(c.src.LenOf(t))
		if c.src.KindOf(c.src.ElemOf(t)) != zmytype.Uint8 || v.Len == 0 {
			return v, c.formless(t, "use a slice")
		}
	case zmytype.String, zmytype.Number:
		v.Kind, v.Raw = String, code.Raw
	case zmytype.Struct:
		v.Kind = Message
	case zmytype.Time:
		v.Kind = Timestamp
	default:
		if v.Kind = c.number(t, code.Form, l != nil && l.Enum); v.Kind == Invalid {
			return v, c.formless(t, numberHints[kind])
		}
		v.Narrow = isNarrow(kind)
	}
	return v, c.fits(&v, code, l)
}

// fits applies the form that a tag asks for, and refuses those that the kind does not have.
func (c *compiler[T, F]) fits(v *Value[T, F], code Coding, l *Legacy) *refusal {
	name := c.src.Name(v.Type)
	switch {
	case code.Form == AsGroup && v.Kind == Message:
		v.Kind = Group
	case code.Form != NoForm && !v.Kind.takes(code.Form):
		return &refusal{fmt.Sprintf("%s cannot be encoded as %s", name, formNames[code.Form]), "remove the option from the struct tag"}
	case code.Raw && v.Kind != String && l == nil:
		return &refusal{"option raw applies to strings, not to " + name, "remove the option"}
	}
	if code.Wrapper {
		if v.Kind == Enum {
			v.Kind = Int32
		}
		if WrapperName(v.Kind) == "" || v.Len > 0 || code.Raw && l == nil {
			return &refusal{"no wrapper of protobuf has " + name + " in this form",
				"use option wrapper with a bool, a string, []byte, an integer without other options, or a float"}
		}
		v.Kind, v.Wrapped, v.Raw = Wrapper, v.Kind, false
	}
	if l == nil {
		return nil
	}
	if want := v.Kind.legacy(); l.Wire != want {
		return &refusal{fmt.Sprintf("wire type %q of struct tag protobuf is not one of %s", l.Wire, name), "use " + want + ", or another Go type"}
	}
	if l.Enum && v.Kind != Enum {
		return &refusal{"an enum has 32 bits, unlike " + name, "use a type based on int32"}
	}
	return nil
}

// takes reports whether values of the kind can be encoded in the form.
func (k Kind) takes(f Form) bool {
	switch f {
	case Varint:
		return Bool <= k && k <= Uint64
	case Sint:
		return k == Sint32 || k == Sint64
	case Fixed:
		return Fixed32 <= k && k <= Double
	}
	return false
}

// legacy returns the name of the kind's wire type in a struct tag protobuf.
func (k Kind) legacy() string {
	switch k {
	case Bool, Enum, Int32, Int64, Uint32, Uint64:
		return "varint"
	case Sint32:
		return "zigzag32"
	case Sint64:
		return "zigzag64"
	case Fixed32, Sfixed32, Float:
		return "fixed32"
	case Fixed64, Sfixed64, Double:
		return "fixed64"
	case Group:
		return "group"
	}
	return "bytes"
}

// forms has the kinds of an integer in each form.
var forms = map[zmytype.Kind][AsGroup]Kind{
	zmytype.Int8:     {Int32, Int32, Sint32, Sfixed32},
	zmytype.Int16:    {Int32, Int32, Sint32, Sfixed32},
	zmytype.Int32:    {Int32, Int32, Sint32, Sfixed32},
	zmytype.Int64:    {Int64, Int64, Sint64, Sfixed64},
	zmytype.Int:      {Int64, Int64, Sint64, Sfixed64},
	zmytype.Uint8:    {Uint32, Uint32, Uint32, Fixed32},
	zmytype.Uint16:   {Uint32, Uint32, Uint32, Fixed32},
	zmytype.Uint32:   {Uint32, Uint32, Uint32, Fixed32},
	zmytype.Uint64:   {Uint64, Uint64, Uint64, Fixed64},
	zmytype.Uint:     {Uint64, Uint64, Uint64, Fixed64},
	zmytype.Duration: {Duration, Int64, Sint64, Sfixed64}, // as an integer it has nanoseconds
}

// number returns the kind of a bool or a number, Invalid for other types.
func (c *compiler[T, F]) number(t T, form Form, enum bool) Kind {
	kind := c.src.KindOf(t)
	switch kind {
	case zmytype.Bool:
		return Bool
	case zmytype.Float32:
		return Float
	case zmytype.Float64:
		return Double
	}
	of, ok := forms[kind]
	switch {
	case !ok:
		return Invalid
	case form >= AsGroup:
		return of[NoForm]
	case kind == zmytype.Int32 && (enum || form == NoForm && c.src.IsNamed(t)):
		return Enum
	}
	return of[form]
}

// ownMethods says which methods a kind needs.
var ownMethods = map[Kind]string{
	Text:   "encoding.TextMarshaler and encoding.TextUnmarshaler",
	Binary: "encoding.BinaryMarshaler and encoding.BinaryUnmarshaler",
}

// ownOption returns the option with which the methods of t make it a value, "" if it has none.
func ownOption[T, F comparable](src Source[T, F], t T) string {
	switch {
	case src.HasOwn(t, Text):
		return "text"
	case src.HasOwn(t, Binary):
		return "binary"
	}
	return ""
}

// isNarrow reports whether an integer has 8 or 16 bits. Protobuf has none of these.
func isNarrow(k zmytype.Kind) bool {
	return k == zmytype.Int8 || k == zmytype.Int16 || k == zmytype.Uint8 || k == zmytype.Uint16
}

// numberHints says what to use in place of types that have no form.
var numberHints = map[zmytype.Kind]string{
	zmytype.Uintptr: "use uint64", zmytype.Complex64: "use []float32", zmytype.Complex128: "use []float64",
	zmytype.Slice: "put a struct between", zmytype.Map: "put a struct between", zmytype.Pointer: "drop a pointer",
	zmytype.Interface: `use the struct tag proto:"oneof", in a struct of its own if it is in a list or a map`,
}

// formless refuses a type that has no form in protobuf.
func (c *compiler[T, F]) formless(t T, hint string) *refusal {
	if own := ownOption(c.src, t); own != "" {
		hint = "use option " + own
	}
	if hint != "" {
		hint += ", or "
	}
	return &refusal{c.src.Name(t) + " has no form in protobuf", hint + skipHint}
}
