package schema

import (
	"maps"
	"slices"
	"strings"
)

// structs compares two versions of a struct.
func (d *differ) structs(path string, x, y *Type) {
	d.named(path, x, y)
	if x.Sparse != y.Sparse {
		d.add(LayoutChanged, path, "a %s struct became %s", density[x.Sparse], density[y.Sparse])
	}
	if len(x.Fields) == 0 && len(y.Fields) > 0 { // readers accept an older version only if it has at least one field
		d.add(LayoutChanged, path, "a struct without fields became one with fields")
	}
	old, now := byNumber(x), byNumber(y)
	for i := range x.Fields {
		f := &x.Fields[i]
		d.number = int(f.Number)
		g, ok := now[f.Number]
		if !ok {
			d.add(FieldDeleted, path+"."+f.Name, "number %d is gone", f.Number)
			continue
		}
		d.field(path, x, y, f, g)
	}
	next := uint32(len(x.Fields))
	for i := range y.Fields {
		f := &y.Fields[i]
		if _, ok := old[f.Number]; ok {
			continue
		}
		d.number = int(f.Number)
		if f.Number != next {
			d.add(TagGap, path+"."+f.Name, "number %d stands where %d is next", f.Number, next)
		} else {
			d.add(FieldAdded, path+"."+f.Name, "number %d, %s", f.Number, d.b.describe(f.Type))
		}
		next = f.Number + 1
	}
}

// field compares the fields f and g, which have the same number in x and y.
func (d *differ) field(path string, x, y *Type, f, g *Field) {
	at := path + "." + g.Name
	differs := d.a.describe(f.Type) != d.b.describe(g.Type)
	switch {
	case f.Name == g.Name, g.Reserved:
	case f.Reserved && !g.Reserved, hasName(x, g.Name), differs && d.a.Types[f.Type].Kind != d.b.Types[g.Type].Kind:
		was := "field " + f.Name
		if f.Reserved {
			was = strings.TrimSpace("reserved " + f.Name)
		}
		d.add(TagReused, at, "number %d was %s, %s", f.Number, was, d.a.describe(f.Type))
		return
	default:
		d.add(FieldRenamed, at, "it was %s", f.Name)
	}
	if !f.Deprecated && g.Deprecated {
		d.add(FieldDeprecated, at, "number %d", g.Number)
	}
	switch {
	case g.Reserved:
		d.reserved(at, f, g)
	case d.a.Types[f.Type].Kind == Reserved: // of a reserved field, only the canonical text of its type is known
		if a, b := d.a.describe(f.Type), d.b.describe(g.Type); a != b {
			d.add(TagReused, at, "number %d was reserved as %s and is %s now", f.Number, a, b)
		}
	default: // a field that was reserved for a while still has its recorded type
		d.kept(at, f, g)
	}
}

// reserved compares a field f with g, which reserves its number. Readers skip the content of a
// reserved field, so only its section and its size matter.
func (d *differ) reserved(at string, f, g *Field) {
	if !f.Reserved {
		d.add(FieldReserved, at, "number %d", g.Number)
	}
	if a, b := d.a.fieldSize(f), d.b.fieldSize(g); (a > 0) != (b > 0) {
		d.add(FieldSectionMoved, at, "%s became %s", d.a.describe(f.Type), d.b.describe(g.Type))
	} else if a != b {
		d.add(FieldTypeChanged, at, "%s became %s", d.a.describe(f.Type), d.b.describe(g.Type))
	}
}

// kept compares the types of a field that both versions use.
func (d *differ) kept(at string, f, g *Field) {
	if f.Inline != g.Inline {
		d.add(InlineChanged, at, "%s", map[bool]string{true: "it became inline", false: "it is no longer inline"}[g.Inline])
		return
	}
	if f.Inline {
		if a, b := d.a.textOf(f.Type), d.b.textOf(g.Type); a != b {
			d.add(InlineChanged, at, "%s became %s", a, b)
		} else { // two of its fields may have changed places
			d.types(at, f.Type, g.Type)
		}
		return
	}
	if f.JSONName() != g.JSONName() {
		d.add(JSONNameChanged, at, "%q became %q", f.JSONName(), g.JSONName())
	}
	d.types(at, f.Type, g.Type)
}

var density = map[bool]string{true: "sparse", false: "dense"}

// textOf returns the canonical text of a type.
func (s *Schema) textOf(i uint32) string {
	p := printer{s: s, seen: map[uint32]int{}}
	p.body(&s.Types[i])
	return p.b.String()
}

func byNumber(t *Type) map[uint32]*Field {
	m := make(map[uint32]*Field, len(t.Fields))
	for i := range t.Fields {
		m[t.Fields[i].Number] = &t.Fields[i]
	}
	return m
}

func hasName(t *Type, name string) bool {
	return name != "" && slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Name == name })
}

// named compares the names and deprecations of structs and unions.
func (d *differ) named(path string, x, y *Type) {
	if x.Name != y.Name {
		d.add(TypeRenamed, path, "%s became %s", x.Name, y.Name)
	}
	switch {
	case x.Deprecated && !y.Deprecated:
		d.add(UndeprecatedType, path, "type %s was deprecated", x.Name)
	case !x.Deprecated && y.Deprecated:
		d.add(TypeDeprecated, path, "type %s", y.Name)
	}
}

// arms compares two versions of a union. An arm is identified by its name. If a name is new, the
// arm is identified by its number.
func (d *differ) arms(path string, x, y *Type) {
	old, now := byNumber(x), byNumber(y)
	for i := range x.Fields {
		f := &x.Fields[i]
		d.number = int(f.Number)
		at := path + "." + f.Name
		g, ok := now[f.Number]
		switch {
		case ok && g.Name == f.Name:
			d.types(at, f.Type, g.Type)
		case hasName(y, f.Name):
			d.add(UnionArmRenumbered, at, "it was number %d", f.Number)
		case !ok:
			d.add(FieldDeleted, at, "arm number %d is gone", f.Number)
		case hasName(x, g.Name):
			d.add(UnionArmRenumbered, at, "number %d is %s now", f.Number, g.Name)
		default:
			d.add(FieldRenamed, path+"."+g.Name, "it was %s", f.Name)
			d.types(at, f.Type, g.Type)
		}
	}
	for i := range y.Fields {
		f := &y.Fields[i]
		if _, ok := old[f.Number]; !ok && !hasName(x, f.Name) {
			d.number = int(f.Number)
			d.add(UnionArmAdded, path+"."+f.Name, "number %d, %s", f.Number, d.b.describe(f.Type))
		}
	}
}

// values compares the named values of an integer type. A value is identified by its name. If a name
// is new, the value is identified by its number.
func (d *differ) values(path string, x, y *Type) {
	if len(x.Values) == 0 { // an older schema did not record them
		return
	}
	added := make(map[string]int64, len(y.Values)) // the values of y whose names x does not have
	for _, v := range y.Values {
		added[v.Name] = v.Number
	}
	number := maps.Clone(added)
	for _, v := range x.Values {
		delete(added, v.Name)
	}
	for _, v := range x.Values {
		n, ok := number[v.Name]
		now := ""
		for name, m := range added { // several names may have one number: take the same one each time
			if m == v.Number && (now == "" || name < now) {
				now = name
			}
		}
		switch {
		case ok && n != v.Number:
			d.add(EnumValueChanged, path, "%s was %d and is %d", v.Name, v.Number, n)
		case ok:
		case now != "":
			d.add(EnumValueRenamed, path, "%s became %s", v.Name, now)
			delete(added, now)
		default:
			d.add(EnumValueChanged, path, "%s is gone; it was %d", v.Name, v.Number)
		}
	}
	for _, v := range y.Values {
		if _, ok := added[v.Name]; ok {
			d.add(EnumValueAdded, path, "%s = %d", v.Name, v.Number)
		}
	}
}
