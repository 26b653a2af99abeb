package ir

import (
	"strconv"
	"strings"
)

// Spelling is how a target language makes one word of a type, for the names of functions and for
// those of types that have none: SliceLine, LineList. In its forms {} stands for the element, {key}
// for the key of a map and {n} for the length of an array.
type Spelling struct {
	Base                              func(t *Type) string // a type with a name, without its arguments; else a basic one
	Bytes, Slice, Array, Map, Pointer string               // bytes are a basic type where their form is empty
}

// Word spells t.
func (s *Spelling) Word(t *Type) string {
	if t.Name != nil {
		word := s.Base(t)
		for _, a := range t.Name.Args {
			word += s.Word(a)
		}
		return word
	}
	forms := map[Kind]string{Bytes: s.Bytes, Slice: s.Slice, Array: s.Array, Map: s.Map, Pointer: s.Pointer}
	form := forms[t.Kind]
	if form == "" {
		return s.Base(t)
	}
	parts := []string{"{n}", strconv.FormatInt(t.Len, 10)}
	if t.Elem != nil {
		parts = append(parts, "{}", s.Word(t.Elem))
	}
	if t.Key != nil {
		parts = append(parts, "{key}", s.Word(t.Key))
	}
	return strings.NewReplacer(parts...).Replace(form)
}

// Said is the name of a type without its arguments, or that of its kind.
func (t *Type) Said() string {
	if t.Name != nil {
		return t.Name.Name
	}
	return t.Kind.String()
}
