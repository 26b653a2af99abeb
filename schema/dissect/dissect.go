package dissect

import (
	"fmt"
	"iter"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// Part is a piece of a message. Parts come in the order of their bytes and leave
// no byte out; only those of role Group, which announce what the next ones are
// part of, have no bytes of their own.
type Part struct {
	Role   Role
	Offset int    // from the start of the message
	Len    int    // bytes; of a Group all those of what it announces
	Depth  int    // groups that it stands in
	Path   string // of the field: "Items[3].Price"; "" is the message itself
	Type   string // of the value: "float64", "[]Item"; "" where it has none
	Text   string // what the bytes say
	Guess  bool   // the schema does not say so: the bytes look like it
}

// Role is what a part does in the message.
type Role uint8

// The roles.
const (
	Group   Role = iota // announces a struct, a list, a map …
	Header              // sizes of the sections of a struct
	Bitmap              // which fields of a sparse struct are there
	Scalar              // a value among the scalars
	End                 // where a tail ends, or an element, or the keys
	Value               // a value in a tail or an element
	Tag                 // the kind of an any, the number of an arm, the mark of what is not nil
	Unknown             // what the schema does not know
	Elided              // parts left out
	Damaged             // bytes that fit nothing
)

var roles = [...]string{"group", "header", "bitmap", "scalar", "end", "value", "tag", "unknown", "elided", "damaged"}

// String is the role's name.
func (r Role) String() string { return roles[r] }

// Options directs a walk.
type Options struct {
	// MaxElems is how many elements of a list are shown from its start; the last one
	// is shown too. 0 is all.
	MaxElems int
	// Field shows only the field of this path, and what it stands in; "" is all.
	Field string
}

// maxDepth bounds groups inside each other: a verified message has fewer.
const maxDepth = 256

// Message walks through a bare message. s is its schema, nil if that is not known.
// The schema must have passed Check.
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

// slot is a range of the message.
type slot struct{ from, to int }

func (s slot) len() int { return s.to - s.from }

// place is where the walk is.
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

// in is the inside of what stands at p.
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
	done  bool // nobody wants more
}

func (w *walker) put(p Part) {
	if w.done || p.Role != Group && !w.wanted(p.Path, p.Role) {
		return
	}
	w.done = !w.yield(p)
}

// wanted reports whether what stands at path is to be shown: it lies in the field
// asked for.
func (w *walker) wanted(path string, r Role) bool {
	f := w.o.Field
	if f == "" || path == f {
		return true
	}
	return strings.HasPrefix(path, f) && (path[len(f)] == '.' || path[len(f)] == '[')
}

// enters reports whether the field asked for lies at path, or in it, or around it.
func (w *walker) enters(path string) bool {
	f := w.o.Field
	if w.done {
		return false
	}
	return w.wanted(path, Group) || path == "" || strings.HasPrefix(f, path) && (f[len(path)] == '.' || f[len(path)] == '[')
}

// part puts a part with bytes of its own.
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

// group announces what stands in s.
func (w *walker) group(s slot, p place, typ, format string, args ...any) {
	w.put(Part{Role: Group, Offset: s.from, Len: s.len(), Depth: p.depth, Path: p.path, Type: typ, Text: text(format, args)})
}

// damaged puts what cannot be understood.
func (w *walker) damaged(s slot, p place, format string, args ...any) {
	w.part(Damaged, s, p, "", format, args...)
}

func (w *walker) bytes(s slot) []byte { return w.b[s.from:s.to] }

// typeName spells a type as Go would.
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
