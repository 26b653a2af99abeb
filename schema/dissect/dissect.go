package dissect

import (
	"fmt"
	"iter"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// Part is a piece of a message. Parts are in the order of their bytes and together cover every byte
// of the message, unless Options.Field leaves some out. A part with the role Group has no bytes of
// its own: it announces a value, whose bytes are those of the parts after it. Its Len is the sum of
// their lengths.
type Part struct {
	Role   Role
	Offset int    // from the start of the message
	Len    int    // bytes; for a Group, those of all parts that it announces
	Depth  int    // number of groups around the part
	Path   string // path of the field: "Items[3].Price"; "" is the message itself
	Type   string // type of the value: "float64", "[]Item"; "" if the part is not a value
	Text   string // what the bytes mean
	Guess  bool   // Text is a guess from the bytes, not from the schema
}

// Role says what the bytes of a part are for.
type Role uint8

// The roles.
const (
	Group   Role = iota // announces a struct, a list, a map …
	Header              // the sizes of the sections of a struct
	Bitmap              // which fields a sparse struct has
	Scalar              // a value among the scalars
	End                 // the end of a tail, of an element, or of a map's keys
	Value               // a value in a tail or an element
	Tag                 // the kind of an any, the number of an arm, or the byte that says a pointer is not nil
	Unknown             // content that the schema does not know
	Elided              // parts that were left out
	Damaged             // bytes that cannot be valid
)

var roles = [...]string{"group", "header", "bitmap", "scalar", "end", "value", "tag", "unknown", "elided", "damaged"}

// String returns the role's name.
func (r Role) String() string { return roles[r] }

// Options selects the parts that are shown.
type Options struct {
	// MaxElems is how many elements at the start of a list are shown. The last element is shown
	// too. 0 shows all.
	MaxElems int
	// Field is the path of a field. Only that field and the groups around it are shown; "" shows
	// all.
	Field string
}

// maxDepth is the depth down to which the walk goes into values. A deeper value is a single part.
const maxDepth = 256

// Message returns the parts of the bare message b. s is its schema, or nil if the schema is
// unknown. s must have passed Check.
func (o Options) Message(s *schema.Schema, b []byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		w := walker{o: o, b: b, yield: yield}
		if s == nil {
			w.guess(slot{0, len(b)}, place{path: "", top: true})
			return
		}
		l, err := s.Layout()
		if err != nil {
			w.put(Part{Role: Damaged, Len: len(b), Text: err.Error()})
			return
		}
		w.s, w.l = s, l
		w.structure(0, slot{0, len(b)}, place{})
	}
}

// slot is a range of offsets in the message.
type slot struct{ from, to int }

func (s slot) len() int { return s.to - s.from }

// place is the current position of the walk. top says that the position is the message itself.
type place struct {
	path  string
	depth int
	top   bool
}

func (p place) field(name string) place {
	if name == "" {
		name = "?"
	}
	if p.path != "" {
		name = p.path + "." + name
	}
	return place{path: name, depth: p.depth + 1}
}

// in returns the place of parts inside the value at p.
func (p place) in() place { return place{path: p.path, depth: p.depth + 1} }

func (p place) elem(key string) place {
	return place{path: p.path + "[" + key + "]", depth: p.depth + 1}
}

// walker yields the parts of a message.
type walker struct {
	o     Options
	s     *schema.Schema
	l     *schema.Layout
	b     []byte
	yield func(Part) bool
	done  bool // the consumer wants no more parts
}

// put yields a part. Groups are yielded also around the requested field, since they announce it.
func (w *walker) put(p Part) {
	if w.done || p.Role != Group && !w.wanted(p.Path, p.Role) {
		return
	}
	w.done = !w.yield(p)
}

// wanted reports whether parts at path are to be shown: path is in the requested field.
func (w *walker) wanted(path string, r Role) bool {
	f := w.o.Field
	if f == "" || path == f {
		return true
	}
	return strings.HasPrefix(path, f) && (path[len(f)] == '.' || path[len(f)] == '[')
}

// enters reports whether to walk into the value at path: it is in the requested field, or around
// it.
func (w *walker) enters(path string) bool {
	f := w.o.Field
	if w.done {
		return false
	}
	return w.wanted(path, Group) || path == "" || strings.HasPrefix(f, path) && (f[len(path)] == '.' || f[len(path)] == '[')
}

// part yields a part with bytes of its own. A part without bytes is left out, unless it is a value:
// a field should not be missing because it is empty.
func (w *walker) part(r Role, s slot, p place, typ, format string, args ...any) {
	if s.len() > 0 || r == Elided || r == Value {
		w.put(Part{Role: r, Offset: s.from, Len: s.len(), Depth: p.depth, Path: p.path, Type: typ, Text: text(format, args)})
	}
}

func text(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// group yields a Group that announces the value in s.
func (w *walker) group(s slot, p place, typ, format string, args ...any) {
	w.put(Part{Role: Group, Offset: s.from, Len: s.len(), Depth: p.depth, Path: p.path, Type: typ, Text: text(format, args)})
}

// damaged yields a part of bytes that cannot be valid.
func (w *walker) damaged(s slot, p place, format string, args ...any) {
	w.part(Damaged, s, p, "", format, args...)
}

func (w *walker) bytes(s slot) []byte { return w.b[s.from:s.to] }

// typeName returns the type in the notation of Go.
func (w *walker) typeName(i int) string {
	if i >= len(w.s.Types) {
		return "struct{}"
	}
	return typeName(w.s, uint32(i), 0)
}

func typeName(s *schema.Schema, i uint32, depth int) string {
	t := &s.Types[i]
	if depth > 8 {
		return "…"
	}
	elem := func() string { return typeName(s, t.Elem, depth+1) }
	switch t.Kind {
	case schema.List:
		return "[]" + elem()
	case schema.Array:
		return fmt.Sprintf("[%d]%s", t.Len, elem())
	case schema.Map:
		return "map[" + typeName(s, t.Key, depth+1) + "]" + elem()
	case schema.Opt:
		return "*" + elem()
	case schema.Reserved:
		return "reserved " + t.Name
	}
	switch {
	case t.Name != "":
		return t.Name
	case t.Kind == schema.Struct && len(t.Fields) == 0:
		return "struct{}"
	}
	return t.Kind.String()
}
