package drawn

import (
	"strconv"
	"strings"
)

// Change alters types as a later version of their packages might. It alters fields, their order and
// struct tags only where generated code still compiles: in dep and in soft structs. It adds methods
// anywhere. It returns the number of changes.
func (m *Module) Change() (n int) {
	for _, s := range m.Structs {
		if !s.Dep && !s.Soft || s.Generic || m.chance(3) {
			continue
		}
		m.changeStruct(s)
		n++
	}
	for _, l := range m.Leaves {
		if l.Under[0] != '*' && m.chance(4) {
			l.add(m, pick(m.r, hooks...))
			n++
		}
	}
	return n
}

func (m *Module) changeStruct(s *Struct) {
	var named []*Field
	for _, f := range s.Fields {
		if f.Name != "" && f.Name[0] < 'a' {
			named = append(named, f)
		}
	}
	switch k := m.r.IntN(4); {
	case k == 0 && len(named) > 0: // another struct tag
		f := pick(m.r, named...)
		for old := f.Tag; f.Tag == old; {
			f.Tag = m.tag(f.Name)
		}
	case k == 1 && len(s.Fields) > 1: // another order
		i := 1 + m.r.IntN(len(s.Fields)-1)
		s.Fields[0], s.Fields[i] = s.Fields[i], s.Fields[0]
	case k == 2 && len(named) > 0: // an integer of another size
		for _, f := range named {
			if rest, ok := strings.CutPrefix(f.Type, "int"); ok && (rest == "" || rest == "8" || rest == "32") {
				f.Type = "int64"
				return
			}
		}
		fallthrough
	default:
		s.Fields = append(s.Fields, &Field{"New" + strconv.Itoa(len(s.Fields)), pick(m.r, "int", "string", "[]string", "map[string]int"), ""})
	}
}
