package ir

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Title returns s with a capital first letter.
func Title(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Snake converts UserSession to user_session, SSEEvent to sse_event.
func Snake(s string) string {
	rs := []rune(s)
	var out strings.Builder
	for i, r := range rs {
		starts := i > 0 && unicode.IsUpper(r) && rs[i-1] != '_' &&
			(!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]))
		if starts {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// Fresh returns a name that is not taken: want, or want with a separator and a number.
func Fresh(want, separator string, taken func(name string) bool) string {
	name := want
	for i := 2; taken(name); i++ {
		name = want + separator + strconv.Itoa(i)
	}
	return name
}
