package lint

import (
	"reflect"

	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// jsonMismatch compares the struct tags json and zmy in structs that use both.
func jsonMismatch(x *pass, t *ir.ZMYType) {
	if t.Type.Kind != ir.Struct || !hasTag(t.Type, "json") || !hasTag(t.Type, "zmy") {
		return
	}
	for _, f := range t.Type.Fields {
		tag := reflect.StructTag(f.Tag)
		json, zmy := tag.Get("json"), tag.Get("zmy")
		_, named := tag.Lookup("json")
		switch {
		case json == "-" && zmy != "" && zmy != "-" && f.Name != "_":
			x.field(t, f, `use struct tag zmy:"-" if it is a secret`, "JSON leaves it out, messages carry it")
		case zmy == "-" && named && json != "-" && f.Exported:
			x.field(t, f, `give it a number, or json:"-" too`, "JSON carries it, messages leave it out")
		}
	}
}

func hasTag(t *ir.Type, name string) bool {
	for _, f := range t.Fields {
		if _, ok := reflect.StructTag(f.Tag).Lookup(name); ok {
			return true
		}
	}
	return false
}

func reservedDropped(x *pass, t *ir.ZMYType) {
	if !t.IsStruct() || t.Unknown != nil || t.Type.Name == nil {
		return
	}
	for _, f := range t.Fields {
		if f.Field == nil {
			x.add(t.Type.Pos, t.Type.Name.Name, "add a field of type zmy.Unknown if this program passes messages on",
				"what older programs wrote as number %d is dropped when it is written again", f.Number)
			return
		}
	}
}

func deprecatedMismatch(x *pass, t *ir.ZMYType, f *ir.ZMYField) {
	switch said := describe.Deprecated(f.Field.Doc); {
	case said && !f.Deprecated:
		x.field(t, f.Field, "add option deprecated to struct tag zmy", "its comment says that it is deprecated, its struct tag does not")
	case !said && f.Deprecated:
		x.field(t, f.Field, `add a paragraph that begins with "Deprecated: "`, "its struct tag says that it is deprecated, its comment does not")
	}
}

func zoneLost(x *pass, t *ir.ZMYType, f *ir.ZMYField) {
	if holds(f.Type, func(z *ir.ZMYType) bool { return z.Type.Kind == ir.Time && z.Time != zmytype.Zone }) {
		x.field(t, f.Field, "add option zone, or store UTC", "its time reads back in UTC")
	}
}

func nilElement(x *pass, t *ir.ZMYType, f *ir.ZMYField) {
	if holds(f.Type, func(z *ir.ZMYType) bool { return z.ElemPtr }) {
		x.field(t, f.Field, "use elements that are structs", "an element that is nil is an error when the message is written")
	}
}

// holds reports whether the function is returns true for t or, if t is a list, map or pointer, for
// the types of its elements. It does not look into structs, whose fields are judged on their own.
func holds(t *ir.ZMYType, is func(*ir.ZMYType) bool) bool {
	for n := 0; t != nil && n < 64; n++ {
		if is(t) {
			return true
		}
		if t.IsStruct() || len(t.Fields) > 0 {
			return false
		}
		t = t.Elem
	}
	return false
}
