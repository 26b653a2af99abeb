package drawn

import "fmt"

// expr draws a type expression for a field in one of the packages. limit is the number of structs,
// counted from the first, that the type may contain by value.
func (m *Module) expr(dep bool, limit, depth int) string {
	if depth == 0 || m.chance(3) {
		return m.simple(dep)
	}
	elem := func() string { return m.expr(dep, limit, depth-1) }
	switch m.r.IntN(9) {
	case 0, 1:
		return "[]" + elem()
	case 2:
		return fmt.Sprintf("[%d]%s", m.r.IntN(3), elem())
	case 3:
		return "map[" + m.key(dep) + "]" + elem()
	case 4:
		return "*" + elem()
	case 5:
		return "struct{ A " + elem() + "; B " + elem() + " `json:\"b,omitempty\"` }"
	case 6:
		if m.chance(3) && !m.Tiny {
			return m.iface(dep)
		}
	}
	return m.structType(dep, limit)
}

// simple draws a type that does not contain a drawn type expression.
func (m *Module) simple(dep bool) string {
	if m.chance(3) {
		if l := pick(m.r, m.Leaves...); m.sees(dep, l.Dep, l.Name) {
			return pick(m.r, "", "", "*", "[]", "[]*", "map[string]", "[2]") + m.spell(dep, l.Dep, l.Name)
		}
	}
	if m.Tiny {
		return pick(m.r, "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32",
			"float64", "string",
			"string", "[]byte", "time.Time", "time.Duration", "[]float64", "[]int", "[]string", "map[string]string", "*string", "*int64",
			"*bool", "*float64", "**int")
	}
	if m.chance(6) {
		return m.iface(dep)
	}
	return pick(m.r, "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
		"float32", "float64", "string", "string", "[]byte", "[3]byte", "time.Time", "time.Duration", "json.RawMessage", "json.Number",
		"any", "any", "big.Int", "*big.Int", "*big.Float", "[]float64", "[]int", "[]string", "map[string]string", "map[string]any",
		"*string", "*int64", "*bool", "*float64", "**int", "netip.Addr", "[]json.RawMessage", "url.URL", "sql.NullString")
}

// iface draws an interface type.
func (m *Module) iface(dep bool) string {
	if dep {
		return pick(m.r, "any", "json.Marshaler", "encoding.TextMarshaler", "interface{ MarshalJSON() ([]byte, error) }",
			"interface{ IsZero() bool }")
	}
	return pick(m.r, "Any", "AnyAlias", "Zeroer", "Texter", "json.Marshaler", "encoding.TextMarshaler", "fmt.Stringer", "json.Unmarshaler",
		"dep.Any", "interface{ MarshalJSON() ([]byte, error) }", "interface{ IsZero() bool }", "interface{ String() string }", "[]Any",
		"map[string]Any",
		"[]interface{ MarshalText() ([]byte, error) }", "map[string]json.Marshaler", "[]encoding.TextMarshaler", "*Any", "error")
}

// key draws the type of a map's key.
func (m *Module) key(dep bool) string {
	if m.Tiny {
		return pick(m.r, "string", "string", "int", "uint8", "int64")
	}
	for range 3 {
		l := pick(m.r, m.Leaves...)
		if !m.sees(dep, l.Dep, l.Name) {
			continue
		}
		name := m.spell(dep, l.Dep, l.Name)
		switch text := l.Methods["MarshalText"]; {
		case text && l.comparable() && m.chance(4):
			return "*" + name
		case text && l.comparable(), l.keyKind():
			return name
		case l.Methods["*MarshalText"] && m.chance(3):
			return "*" + name
		}
	}
	return pick(m.r, "string", "string", "int", "uint8", "int64", "time.Duration", "json.Number", "netip.Addr")
}

// structType draws one of the first limit structs, or a pointer, slice or map of any struct.
func (m *Module) structType(dep bool, limit int) string {
	if limit == 0 {
		return "string"
	}
	ptr, i := "", m.r.IntN(limit)
	if m.chance(2) {
		ptr, i = pick(m.r, "*", "*", "[]", "map[string]*"), m.r.IntN(len(m.Structs))
	}
	s := m.Structs[i]
	if !m.sees(dep, s.Dep, s.Name) {
		return "string"
	}
	name := m.spell(dep, s.Dep, s.Name)
	if s.Generic {
		return ptr + name + "[" + pick(m.r, "string", "int", "[]byte", "*bool") + "]"
	}
	if !s.Dep && m.chance(5) {
		name = "Alias" + name
	}
	return ptr + name
}
