package jsonrt

import "reflect"

// typeSearch looks for a type among those that the values of a type hold. A type that contains
// itself is looked at once.
type typeSearch struct {
	// test reports whether t is such a type. stop says not to look at the types within t.
	test func(t reflect.Type) (found, stop bool)
	// field is test for a field of a struct. into says to look at the field's type too.
	field func(f reflect.StructField) (found, into bool)
	keys  bool // look at the types of maps' keys too
}

func (s typeSearch) in(t reflect.Type) bool { return s.from(t, map[reflect.Type]bool{}) }

func (s typeSearch) from(t reflect.Type, met map[reflect.Type]bool) bool {
	if met[t] {
		return false
	}
	met[t] = true
	if found, stop := s.test(t); found || stop {
		return found
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return s.from(t.Elem(), met)
	case reflect.Map:
		return s.keys && s.from(t.Key(), met) || s.from(t.Elem(), met)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if found, into := s.field(f); found || into && s.from(f.Type, met) {
				return true
			}
		}
	}
	return false
}

// seen reports whether encoding/json looks at a field: the field is exported, or it is embedded, so
// that fields of its struct may be exported.
func seen(f reflect.StructField) bool { return f.IsExported() || f.Anonymous }
