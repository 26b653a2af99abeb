package pbtype

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/internal/zmytype"
)

// holder plans a field whose type is an interface: a field for each arm.
func (c *compiler[T, F]) holder(m *MessageType[T, F], f *zmytype.Field[F, T], tag *Tag) {
	bad := func(msg, hint string) { c.problem(m.Type, f, &refusal{msg, hint}) }
	if kind := c.src.KindOf(f.Type); kind != zmytype.Interface {
		bad("an interface holds the arms of a oneof, not "+c.src.Name(f.Type), `give the field a number, as in proto:"1"`)
		return
	}
	name := cmp.Or(tag.Oneof, tag.Name, Snake(f.Name))
	if slices.Contains(m.Oneofs, name) {
		other := holderToo(name)
		bad(other.msg, other.hint)
		return
	}
	arms, hint := c.src.ProtoArms(m.Type, f.Type)
	if len(arms) == 0 {
		bad("the types that "+c.src.Name(f.Type)+" may hold are not known", hint)
		return
	}
	of := m.oneof(name)
	for _, a := range arms {
		out := Field[T, F]{Of: f.Of, Name: f.Name, Oneof: of, Presence: Always}
		if refused := c.arm(&out, a); refused != nil {
			c.problem(m.Type, f, refused)
			continue
		}
		c.add(m, &out, "."+f.Name+".("+armName(a.Text)+")")
	}
}

func armName(text string) string {
	name, _, _ := strings.Cut(text, "=")
	return name
}

// arm plans an arm of an interface. Its number is that of the struct's only field, if this has option
// oneof, else that of the directive.
func (c *compiler[T, F]) arm(out *Field[T, F], a zmytype.Arm[T]) (bad *refusal) {
	var none T
	name, number, numbered := strings.Cut(a.Text, "=")
	switch {
	case a.Type == none:
		return &refusal{"there is no type " + name + " without type parameters", "name a struct of the interface's package"}
	case !a.Pointer && !a.Value:
		return &refusal{"arm " + name + " does not implement the interface", "give it the methods"}
	case c.src.KindOf(a.Type) != zmytype.Struct:
		return &refusal{"arm " + name + " is no struct", `wrap it in a struct with one field, as in proto:"1,oneof"`}
	}
	out.Arm = &Arm[T, F]{Type: a.Type, Value: a.Value, Pointer: a.Pointer}
	inner, tag, bad := c.inner(a.Type, numbered)
	switch {
	case bad != nil:
		return &refusal{"arm " + name + ": " + bad.msg, bad.hint}
	case inner != nil:
		out.Arm.Inner, out.Number = inner, tag.Number
		tag.Optional = false
		bad = c.shape(out, inner.Type, tag)
		if bad == nil && out.Shape != Single {
			bad = &refusal{"the value of an arm cannot be a list or a map", "put a struct between"}
		}
		if bad == nil && out.Value.Pointer && !c.isStruct(&out.Value) {
			bad = &refusal{"its value is always present", "drop the pointer"}
		}
		if bad != nil {
			return &refusal{"arm " + name + ": " + bad.msg, bad.hint}
		}
		out.Presence = Always
		return nil
	case !numbered:
		return &refusal{"arm " + name + " has no number",
			`number it in a directive //zmy:union ` + name + `=1 at the interface, or its only field by proto:"1,oneof"`}
	}
	if out.Number, bad = parseNumber(number); bad != nil {
		return &refusal{"arm " + a.Text + ": " + bad.msg, bad.hint}
	}
	out.Value = Value[T, F]{Type: a.Type, Kind: Message}
	return nil
}

// inner returns the only field of the struct t, if it has option oneof. In a struct tag protobuf this
// word may also say that a message has a single field with presence, so numbered arms are messages.
func (c *compiler[T, F]) inner(t T, numbered bool) (*zmytype.Field[F, T], *Tag, *refusal) {
	fields := c.src.FieldsOf(t)
	if len(fields) != 1 {
		return nil, nil, nil
	}
	f := &fields[0]
	tag, ok, bad := parseTag(f.Tag)
	if bad != nil || !ok || !tag.Inner || tag.Legacy != nil && numbered {
		return nil, nil, bad
	}
	if !f.Exported {
		bad = &refusal{"its field " + f.Name + " is not exported", "export it"}
	}
	return f, &tag, bad
}

// isHolder reports whether the oneof called name is an interface.
func (m *MessageType[T, F]) isHolder(name string) bool {
	return slices.ContainsFunc(m.Fields, func(f Field[T, F]) bool { return f.Arm != nil && m.Oneofs[f.Oneof] == name })
}

func holderToo(name string) *refusal {
	return &refusal{fmt.Sprintf("oneof %s has another field: an interface has all arms of its oneof", name),
		"remove one, or give it another name"}
}
