package drawn

import (
	"fmt"
	"slices"
	"strings"
)

// hooks are the methods that leaves may have; encoding/json or fmt look for them.
var hooks = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero", "String"}

// leaf draws the leaf with the number i.
func (m *Module) leaf(i int) *Leaf {
	l := &Leaf{Name: fmt.Sprintf("Leaf%d", i), Dep: !m.Tiny && m.chance(4), Methods: map[string]bool{}}
	if l.Dep && m.chance(3) {
		l.Name = fmt.Sprintf("leaf%d", i)
	}
	l.Under = pick(m.r, "int", "int8", "uint8", "uint64", "string", "string", "bool", "float64", "struct{ X int }",
		"struct{ X int; s string }",
		"[]int", "[]string", "[]byte", "map[string]int", "[2]int", "*string")
	if l.Under[0] == '*' && m.Tiny {
		l.Under = "string"
	}
	if l.Under[0] == '*' {
		return l // a type like this cannot have methods
	}
	if m.Tiny {
		if nilable := strings.Contains("[m", l.Under[:1]); !nilable && m.chance(2) {
			out, in := pick(m.r, "JSON", "Text"), pick(m.r, "JSON", "Text")
			l.Methods["Marshal"+out], l.Methods["*Unmarshal"+in] = true, true
		}
		return l
	}
	for _, h := range hooks {
		if m.chance(3) {
			l.add(m, h)
		}
	}
	return l
}

// add adds a method to the leaf, with a value or a pointer receiver.
func (l *Leaf) add(m *Module, hook string) {
	if l.Methods[hook] || l.Methods["*"+hook] {
		return
	}
	byPointer := m.chance(2) || strings.HasPrefix(hook, "Unmarshal") && !strings.HasPrefix(l.Under, "map")
	if byPointer {
		hook = "*" + hook
	}
	l.Methods[hook] = true
}

// again reports whether reading the same JSON twice leaves the leaf unchanged.
func (l *Leaf) again() bool { return l.Under != "[]string" && !strings.HasPrefix(l.Under, "struct") }

// comparable reports whether the type can be the key of a map.
func (l *Leaf) comparable() bool { return !strings.HasPrefix(l.Under, "[]") && l.Under[0] != 'm' }

// keyKind reports whether JSON accepts the type as a key without methods.
func (l *Leaf) keyKind() bool {
	return l.Under == "string" || strings.HasPrefix(l.Under, "int") || strings.HasPrefix(l.Under, "uint")
}

// source returns the declaration of the leaf and its methods. What a method does depends only on
// the value. For some values it returns an error or invalid JSON.
func (l *Leaf) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\ntype %s %s\n", l.Name, l.Under)
	var names []string
	for name := range l.Methods {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		hook, byPointer := strings.CutPrefix(name, "*")
		recv, val := "v "+l.Name, "v"
		if byPointer {
			recv, val = "v *"+l.Name, "*v"
		}
		text := fmt.Sprintf("fmt.Sprint((%s)(%s))", l.Under, val)
		null := ""
		if byPointer {
			null = "if v == nil {\n\t\treturn []byte(`\"nil!\"`), nil\n\t}\n\t"
		}
		switch hook {
		case "MarshalJSON":
			fmt.Fprintf(&b, "\nfunc (%s) MarshalJSON() ([]byte, error) {\n\t%sreturn outJSON(%s)\n}\n", recv, null, text)
		case "MarshalText":
			fmt.Fprintf(&b, "\nfunc (%s) MarshalText() ([]byte, error) {\n\t%sreturn outText(%s)\n}\n", recv, null, text)
		case "IsZero":
			fmt.Fprintf(&b, "\nfunc (%s) IsZero() bool { return len(%s)%%3 != 0 }\n", recv, text)
		case "String":
			fmt.Fprintf(&b, "\nfunc (%s) String() string { return %q }\n", recv, l.Name)
		default: // UnmarshalJSON, UnmarshalText
			fmt.Fprintf(&b, "\nfunc (%s) %s(b []byte) error {\n\ts, err := in(b)\n\tif err == nil {\n\t\t%s\n\t}\n\treturn err\n}\n", recv,
				hook, l.assign(byPointer))
		}
	}
	return b.String()
}

// assign returns a statement that sets the leaf to a value that depends on the text s.
func (l *Leaf) assign(byPointer bool) string {
	switch l.Under {
	case "bool":
		return "*v = len(s)%2 == 0"
	case "string", "[]byte":
		return "*v = " + l.Name + "(s)"
	case "struct{ X int }", "struct{ X int; s string }":
		return "v.X += len(s)"
	case "[]int":
		return "*v = append((*v)[:0], len(s))"
	case "[]string":
		return "*v = append(*v, s)"
	case "[2]int":
		return "v[0] = len(s)"
	case "map[string]int":
		if byPointer {
			return "*v = " + l.Name + "{s: len(s)}"
		}
		return "if v != nil {\n\t\t\tv[s] = 1\n\t\t}"
	}
	return "*v = " + l.Name + "(len(s))"
}
