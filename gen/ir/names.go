package ir

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Usable reports whether code of the package pkg (an import path) may name the
// field in a selector.
func (f *Field) Usable(pkg string) bool { return f.Exported || f.Pkg == pkg }

// Spellable reports whether code of the package pkg (an import path) can write the type t. Every
// name in it must be exported or pkg's own, and from a package that pkg may import. Unnamed types
// in it must have no unexported field or method of another package.
func (t *Type) Spellable(pkg string) bool {
	if n := t.Name; n != nil {
		if !n.usable(pkg) {
			return false
		}
		for _, a := range n.Args {
			if !a.Spellable(pkg) {
				return false
			}
		}
		return true
	}
	switch t.Kind {
	case Interface, Chan, Func:
		return len(t.Words) > 0 && !slices.ContainsFunc(t.Words, func(w Word) bool {
			return w.Own != "" && w.Own != pkg || w.Name != nil && !w.Name.usable(pkg)
		})
	}
	for _, f := range t.Fields {
		if !f.Usable(pkg) || !f.Type.Spellable(pkg) {
			return false
		}
	}
	return (t.Key == nil || t.Key.Spellable(pkg)) && (t.Elem == nil || t.Elem.Spellable(pkg))
}

// usable reports whether code of the package pkg may write the name without its type arguments.
func (n *TypeName) usable(pkg string) bool {
	return n.Pkg == "" || n.Pkg == pkg || n.Exported && MayImport(pkg, n.Pkg)
}

// MayImport reports whether Go's rule for internal packages allows an import. from is the import
// path of the importing package, path that of the imported one.
func MayImport(from, path string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	if i == 0 {
		return !strings.Contains(strings.SplitN(from, "/", 2)[0], ".") // internal to the standard library
	}
	parent := path[:i-1]
	return from == parent || strings.HasPrefix(from, parent+"/")
}

// Spelling turns a type into one word in a target language, such as SliceLine or LineList. The
// words are used in names of functions, and as names of types that have none. In its forms {} is
// the element's word, {key} that of a map's key, and {n} the length of an array.
type Spelling struct {
	Base                              func(t *Type) string // word for a named type without its arguments, or for a basic type
	Bytes, Slice, Array, Map, Pointer string               // if the form of a kind is empty, Base spells types of that kind
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
