// Package derive writes a Go type from JSON documents. As far as a Go type can, the type reads all
// of them and writes them again unchanged.
package derive

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/zmylab/zmy/codec/capture/fit"
)

// Type is a type that was derived from documents.
type Type struct {
	Source []byte       // a Go file that declares the type and the types of its parts
	Notes  []string     // where the type says less than the documents did
	Go     reflect.Type // the same type without names; encoding/json treats both alike

	left map[string]bool // members that are left out, as a note says, by path
}

// Derive declares the type name in package pkg, for documents like those that f was learned from. A
// member that is sometimes null or absent becomes a pointer, unless its type has nil. A member with
// values of several kinds becomes any. [Type.Lost] lists what does not come back.
func Derive(f *fit.Subject, pkg, name string) (*Type, error) {
	w := &writer{taken: map[string]bool{name: true}, left: map[string]bool{}}
	source := strings.Join(f.Sources, " and ")
	if source == "" {
		source = f.Name
	}
	root := w.typ(f.Root, name, "", name)
	if root.text != name { // the documents are not objects
		w.decls = append(w.decls, fmt.Sprintf("// %s is a document of %s.\ntype %s %s\n", name, source, name, root.text))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Package %s holds a type that was derived from %s (%d documents).\npackage %s\n\n", pkg, source, f.Documents, pkg)
	if w.time {
		b.WriteString("import \"time\"\n\n")
	}
	slices.Reverse(w.decls) // parts are declared before the whole
	b.WriteString(strings.Join(w.decls, "\n"))
	src, err := format.Source(b.Bytes())
	return &Type{Source: src, Notes: w.notes, Go: root.typ, left: w.left}, err
}

// NOTE: one pass over the fit makes the source and the reflect.Type together (writer.typ). A struct
// gets the name of its member, and the name of the whole in front if the member's is taken. Lost
// then reads the documents into the reflect.Type, so nothing has to be compiled to know what comes
// back.

// spelled is a type as source text and as a reflect.Type. Lost uses the reflect.Type, so that it
// need not compile the text.
type spelled struct {
	text string
	typ  reflect.Type
}

func spell[T any](text string) spelled { return spelled{text, reflect.TypeFor[T]()} }

func (s spelled) list() spelled { return spelled{"[]" + s.text, reflect.SliceOf(s.typ)} }

func (s spelled) keyed() spelled {
	return spelled{"map[string]" + s.text, reflect.MapOf(reflect.TypeFor[string](), s.typ)}
}

func (s spelled) pointer() spelled { return spelled{"*" + s.text, reflect.PointerTo(s.typ)} }

type writer struct {
	decls []string
	notes []string
	taken map[string]bool // names of types
	left  map[string]bool // members left out, by path
	time  bool
}

// typ returns the type of the values at a path. If it is a struct, its name is based on name.
func (w *writer) typ(n *fit.Node, name, path, root string) spelled {
	if n == nil {
		return spell[any]("any")
	}
	var kinds []spelled
	add := func(ok bool, typ func() spelled) {
		if ok {
			kinds = append(kinds, typ())
		}
	}
	add(n.False+n.True > 0, func() spelled { return spell[bool]("bool") })
	add(n.Number != nil, func() spelled { return w.number(n.Number, path) })
	add(n.String != nil, func() spelled { return w.text(n.String) })
	add(n.List != nil, func() spelled {
		return w.elem(n.List.Elem, w.name(singular(name), root), path+"[]", root).list()
	})
	add(n.Object != nil, func() spelled { return w.object(n.Object, name, path, root) })
	switch len(kinds) {
	case 0:
		w.note(path, "it was never anything but null")
		return spell[any]("any")
	case 1:
		return kinds[0]
	}
	var texts []string
	for _, k := range kinds {
		texts = append(texts, k.text)
	}
	w.note(path, "its values are of several kinds ("+strings.Join(texts, ", ")+")")
	return spell[any]("any")
}

func (w *writer) note(path, text string) {
	if path == "" {
		path = "the document"
	}
	w.notes = append(w.notes, strings.TrimPrefix(path, ".")+" is of type any: "+text)
}

// elem returns the type of elements: a pointer if some elements are null.
func (w *writer) elem(n *fit.Node, name, path, root string) spelled {
	t := w.typ(n, name, path, root)
	if n != nil && n.Null > 0 && pointable(t.text) {
		return t.pointer()
	}
	return t
}

// pointable reports whether a type needs a pointer to tell null from its zero value. Other types
// have nil.
func pointable(t string) bool {
	return t != "any" && !strings.HasPrefix(t, "[]") && !strings.HasPrefix(t, "map[")
}

// number returns the narrowest of int64, uint64 and float64 that holds all the numbers.
func (w *writer) number(f *fit.Number, path string) spelled {
	switch {
	case len(f.Exponent) > 0:
		return spell[float64]("float64")
	case f.Bits.Most() <= 63:
		return spell[int64]("int64")
	case f.Bits.Most() == 64 && f.Negative == 0:
		return spell[uint64]("uint64")
	}
	w.notes = append(w.notes, strings.TrimPrefix(path, ".")+" is a float64, which holds integers beyond 53 bits only roughly")
	return spell[float64]("float64")
}

func (w *writer) text(f *fit.String) spelled {
	switch {
	case f.AllTimes():
		w.time = true
		return spell[time.Time]("time.Time")
	case f.AllBase64():
		return spell[[]byte]("[]byte")
	}
	return spell[string]("string")
}

// object declares a struct and returns its type, or returns a map type.
func (w *writer) object(o *fit.Object, name, path, root string) spelled {
	o = o.View()
	if o.Map != nil && len(o.Members) == 0 {
		return w.elem(o.Map.Elem, w.name(singular(name), root), path+"[*]", root).keyed()
	}
	if len(o.Members) == 0 {
		return spell[map[string]any]("map[string]any")
	}
	w.taken[name] = true
	var b strings.Builder
	fmt.Fprintf(&b, "// %s was seen %d times%s.\ntype %s struct {\n", name, o.N, at(path), name)
	fields := map[string]bool{}
	var parts []reflect.StructField
	for _, m := range o.Members {
		field := unique(Exported(m.Name), fields)
		fields[field] = true
		typ := w.typ(m.Node, w.name(field, name), path+"."+m.Name, root)
		tag := m.Name
		if !taggable(tag) {
			w.notes = append(w.notes, fmt.Sprintf("member %q of %s cannot be the name in a struct tag and is left out", m.Name, name))
			w.left[strings.TrimPrefix(path+"."+m.Name, ".")] = true
			continue
		}
		absent := m.Node.Seen < o.N
		if absent {
			tag += ",omitempty"
		}
		if (absent || m.Node.Null > 0) && pointable(typ.text) { // without the pointer, omitempty would leave out zero values
			typ = typ.pointer()
		}
		if tag == "-" {
			tag = "-," // "-" alone would leave the field out
		}
		tag = `json:"` + tag + `"`
		fmt.Fprintf(&b, "\t%s %s `%s`\n", field, typ.text, tag)
		parts = append(parts, reflect.StructField{Name: field, Type: typ.typ, Tag: reflect.StructTag(tag)})
	}
	b.WriteString("}\n")
	w.decls = append(w.decls, b.String())
	return spelled{name, reflect.StructOf(parts)}
}

// taggable reports whether encoding/json accepts name in a struct tag. It ignores other names
// silently and uses the field's name.
func taggable(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func at(path string) string {
	if path == "" {
		return ""
	}
	return " at " + strings.TrimPrefix(path, ".")
}

// name returns an unused name for the type of a part: own, or else own with whole in front.
func (w *writer) name(own, whole string) string {
	if w.taken[own] || token.IsKeyword(strings.ToLower(own)) && own == strings.ToLower(own) {
		own = whole + own
	}
	own = unique(own, w.taken)
	w.taken[own] = true
	return own
}

func unique(name string, taken map[string]bool) string {
	s := name
	for i := 2; taken[s]; i++ {
		s = name + strconv.Itoa(i)
	}
	return s
}

// initialisms are written in capitals in Go names.
var initialisms = []string{"api", "ascii", "cpu", "css", "dns", "eof", "guid", "html", "http", "https", "id", "ip", "json", "sku",
	"sql", "ssh", "tcp", "tls",
	"ttl", "udp", "ui", "uid", "uri", "url", "utf8", "uuid", "vat", "xml"}

// Exported converts a member's name to a Go name: user_id → UserID.
func Exported(member string) string {
	words := strings.FieldsFunc(member, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var b strings.Builder
	for _, w := range words {
		if slices.Contains(initialisms, strings.ToLower(w)) {
			b.WriteString(strings.ToUpper(w))
			continue
		}
		if i := len(w) - 2; i > 0 && w[i:] == "Id" { // userId
			w = w[:i] + "ID"
		}
		r := []rune(w)
		b.WriteString(string(unicode.ToUpper(r[0])) + string(r[1:]))
	}
	name := b.String()
	if first := []rune(name + "\x00")[0]; !unicode.IsUpper(first) {
		name = "Field" + name
	}
	if !token.IsIdentifier(name) {
		return "Field"
	}
	return name
}

func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "ss"), strings.HasSuffix(name, "us"), !strings.HasSuffix(name, "s"), len(name) < 3:
		return name + "Item"
	}
	return name[:len(name)-1]
}
