package ir

import (
	"strconv"
	"strings"
)

// Spelling makes one word of a type in a target language, for names of functions and for names of
// types that have none: SliceLine, LineList. In its forms {} is the element's word, {key} that of a
// map's key, and {n} the length of an array.
type Spelling struct {
	Base                              func(t *Type) string // word for a named type without its arguments, or for a basic type
	Bytes, Slice, Array, Map, Pointer string               // with an empty form Base spells the type
}

// Word returns the word for t.
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

// Said returns the name of a type without its arguments, or the name of its kind.
func (t *Type) Said() string {
	if t.Name != nil {
		return t.Name.Name
	}
	return t.Kind.String()
}
