// Package drawn writes Go packages with random types, for tests that compare generated JSON code
// with encoding/json.
//
// A module has two packages: main, which gets generated code, and dep, which represents another
// module. [Module.Change] alters types as a later version of their package might, in ways that
// still let generated code compile.
package drawn

import (
	"fmt"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
)

// Module is a random module with the packages main and dep. If Tags is set, it also has the package
// twin.
type Module struct {
	Options
	Leaves  []*Leaf
	Structs []*Struct // a struct may contain earlier structs by value

	r *rand.Rand
}

// Options restrict or extend the types that are drawn.
type Options struct {
	Tags bool // fields have struct tags fxjson, and package twin has the same types without generated code
	Tiny bool // only types that fxjson -tiny supports
}

// Leaf is a named type that is not a struct of the module, perhaps with methods: type Leaf3 uint8.
type Leaf struct {
	Name    string
	Dep     bool
	Under   string          // its underlying type
	Methods map[string]bool // "MarshalJSON" with a value receiver, "*MarshalJSON" with a pointer receiver
}

// Struct is a struct type, or a generic one with the parameter E.
type Struct struct {
	Name    string
	Dep     bool
	Soft    bool // it has an unexported field whose type the generated file cannot write
	Generic bool
	Fields  []*Field
}

// Field is a field of a Struct. An embedded one has no Name.
type Field struct{ Name, Type, Tag string }

// Types refer to each other by name. A type contains only earlier types by value, and recursion
// goes through pointers, slices and maps. So every module compiles. The same seed gives the same
// module.

// Draw draws a module with n structs.
func Draw(seed uint64, n int, opt Options) *Module {
	m := &Module{Options: opt, r: rand.New(rand.NewPCG(seed, 1))}
	for i := range 6 + n/2 {
		m.Leaves = append(m.Leaves, m.leaf(i))
	}
	for i := range n {
		s := &Struct{Name: fmt.Sprintf("T%d", i), Dep: !m.Tiny && m.chance(4), Soft: !m.Tiny && m.chance(5), Generic: m.chance(12)}
		if s.Dep && m.chance(5) {
			s.Name = fmt.Sprintf("t%d", i)
		}
		m.Structs = append(m.Structs, s)
		m.fields(s, i)
	}
	return m
}

// chance returns true with a probability of 1 in n.
func (m *Module) chance(n int) bool { return m.r.IntN(n) == 0 }

// pick returns a random element of list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// fields draws the fields of s, the struct with index i.
func (m *Module) fields(s *Struct, i int) {
	used := map[string]bool{}
	add := func(f *Field, name string) {
		if !used[name] {
			used[name] = true
			s.Fields = append(s.Fields, f)
		}
	}
	for range 1 + m.r.IntN(7) {
		if m.chance(5) {
			if typ, name := m.embedded(s, i); typ != "" {
				f := &Field{Type: typ}
				if m.chance(4) {
					f.Tag = m.fieldTag(name, typ)
				}
				add(f, name)
				continue
			}
		}
		name := pick(m.r, "A", "B", "C", "D", "E", "F", "G", "H", "Ab", "AB", "Ä")
		typ := m.expr(s.Dep, i, 3)
		if s.Generic && m.chance(2) {
			typ = pick(m.r, "E", "[]E", "map[string]E", "*E")
		}
		add(&Field{name, typ, m.required(m.interned(m.fieldTag(name, typ), typ))}, name)
	}
	if m.Tags {
		m.inlined(s, i, add)
	}
	if s.Soft {
		f := pick(m.r, &Field{"mu", "sync.Mutex", ""}, &Field{"cb", "func()", ""}, &Field{"own", "struct{ ch chan int }", ""})
		s.Soft = f.Name != "mu" // the compiler notices a change in a struct with a mutex
		add(f, f.Name)
	}
	if m.chance(12) && !m.Tiny {
		add(&Field{"Done", "chan int", `json:"-"`}, "Done")
	}
}

// embedded draws the type of an embedded field of s, and the field's name; "" for none.
func (m *Module) embedded(s *Struct, i int) (typ, name string) {
	if m.chance(8) && !m.Tiny { // a leaf, interface or alias; its methods become methods of the struct
		if l := pick(m.r, m.Leaves...); l.Dep == s.Dep && l.Under[0] != '*' {
			return pick(m.r, "", "*") + l.Name, l.Name
		}
		if !s.Dep {
			typ = pick(m.r, "Any", "AnyAlias", "json.Marshaler", "fmt.Stringer")
			return typ, typ[strings.IndexByte(typ, '.')+1:]
		}
	}
	if i == 0 {
		return "", ""
	}
	t := m.Structs[m.r.IntN(i)]
	if t.Generic || !m.sees(s.Dep, t.Dep, t.Name) {
		return "", ""
	}
	if !t.Dep && m.chance(4) {
		return pick(m.r, "", "*") + "Alias" + t.Name, "Alias" + t.Name
	}
	return pick(m.r, "", "", "*") + m.spell(s.Dep, t.Dep, t.Name), t.Name
}

// sees reports whether a package may name a type of the other package: dep does not import main,
// and main cannot name unexported types of dep.
func (m *Module) sees(fromDep, dep bool, name string) bool {
	return fromDep == dep || dep && name[0] < 'a'
}

// spell returns a type's name as the package must write it.
func (m *Module) spell(fromDep, dep bool, name string) string {
	if dep && !fromDep {
		return "dep." + name
	}
	return name
}

// fieldTag draws a struct tag for a field of the type. Tiny code supports some options for some
// types only.
func (m *Module) fieldTag(name, typ string) string {
	for {
		tag := m.tag(name)
		if !m.Tiny || !strings.Contains(tag, "omitzero") && (!strings.Contains(tag, "string") || token.IsIdentifier(typ) && typ[0] > 'Z') {
			return tag
		}
	}
}

// interned adds option intern to some fields with strings. The option does not change values.
func (m *Module) interned(tag, typ string) string {
	// A string that is only the type argument of a generic struct does not count.
	texts := strings.Contains(typ, "map[string]") || strings.Contains(strings.ReplaceAll(typ, "[string]", ""), "string")
	if m.Tiny || !m.chance(4) || !texts || strings.Contains(typ, "interface") || tag == "json:a" {
		return tag
	}
	return strings.TrimSpace(tag + ` fxjson:"intern"`)
}

// required sometimes adds option required of struct tag fxjson.
func (m *Module) required(tag string) string {
	if !m.Tags || !m.chance(6) || strings.HasPrefix(tag, `json:"-"`) || tag == "json:a" {
		return tag
	}
	if rest, ok := strings.CutSuffix(tag, `fxjson:"intern"`); ok {
		return strings.TrimSpace(rest + `fxjson:"intern,required"`)
	}
	return strings.TrimSpace(tag + ` fxjson:"required"`)
}

// inlined draws inlined fields of s: a struct, and a map or a json.RawMessage.
func (m *Module) inlined(s *Struct, i int, add func(f *Field, name string)) {
	if t := m.Structs[m.r.IntN(i+1)]; t != s && m.chance(2) && !t.Generic && m.sees(s.Dep, t.Dep, t.Name) && !t.embeds() {
		add(&Field{"In", pick(m.r, "", "*") + m.spell(s.Dep, t.Dep, t.Name), `fxjson:"inline"`}, "In")
	}
	if m.chance(3) {
		typ := pick(m.r, "map[string]any", "map[string]json.RawMessage", "map[string]int", "map[string]string", "json.RawMessage",
			"*map[string]any", "*json.RawMessage")
		add(&Field{"Rest", typ, pick(m.r, `fxjson:"unknown"`, `fxjson:"inline"`, `json:"-" fxjson:"unknown"`)}, "Rest")
	}
}

// embeds reports whether s has an embedded field. Its methods may be methods of s.
func (s *Struct) embeds() bool {
	return slices.ContainsFunc(s.Fields, func(f *Field) bool { return f.Name == "" })
}

// tag draws a struct tag for a field.
func (m *Module) tag(name string) string {
	r := m.r
	if m.chance(2) {
		return ""
	}
	name = pick(r, "", "", "", string(name[0]|0x20), "a b", "é", "<x>", "A", "a", "ab", "-", "x.y/z", "Kelvin",
		"a very long name that takes more than sixteen bytes")
	opts := pick(r, "", "", ",omitempty", ",omitzero", ",string", ",omitempty,string", ",omitempty,omitzero", ",omitzero,string", ",other",
		",omitempty ", ", string", ",string,", ",Omitempty")
	switch r.IntN(40) {
	case 0:
		return `json:"-"`
	case 1:
		return `json:a`
	case 2:
		return `yaml:"y" json:"j` + opts + `"`
	case 3:
		return `json:"a\\b` + opts + `"`
	}
	return `json:"` + name + opts + `"`
}
