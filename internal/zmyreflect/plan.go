package zmyreflect

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/wire"
)

// Plan says how messages carry a struct type. It is safe for concurrent use.
type Plan struct {
	// Name is the type's name in errors: "Order", "Page[Item]".
	Name string
	root *typ
	// aliases says that values may contain strings or bytes, which can share memory with the
	// message.
	aliases bool
	boxed   bool // some type has methods of its own: see value
}

// Compile plans the struct type t. generated reports whether a type has generated methods of its
// own; plans ignore these. stale reports whether generated code is for an older version of its
// type. The error is a *TypeError.
func Compile(t reflect.Type, generated, stale func(reflect.Type) bool) (*Plan, error) {
	p := &Plan{Name: TypeName(t)}
	if err := p.compile(t, generated, stale); err != nil {
		return nil, err
	}
	return p, nil
}

// Append appends v, which is a value of the type or a pointer to one. The pointer must not be nil.
func (p *Plan) Append(e *wire.Encoder, b []byte, v any, left int) ([]byte, *wire.Error) {
	r := p.value(v)
	return p.root.appendStruct(e, b, r, p.root.headOf(r), 4, left)
}

// Decode stores the message b into v, a pointer to a value of the type. The pointer must not be
// nil.
func (p *Plan) Decode(d *wire.Decoder, b []byte, v any, left int) *wire.Error {
	h, err := wire.Head(b)
	if err != nil {
		return err
	}
	if p.aliases {
		b = d.Message(b)
	}
	return p.root.decodeStruct(d, b, h, 4, pointee(v), left)
}

// TypeError says why a type, or a field in it, cannot be in a message.
type TypeError struct {
	Path string // path of the field: "Items.Done"; "" is the type itself
	Msg  string // what is wrong
	Hint string // what to do
	// Generator says that generated code could carry the type.
	Generator bool
}

// Error returns one line.
func (e *TypeError) Error() string {
	s := e.Msg
	if e.Path != "" {
		s = "field " + e.Path + ": " + s
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// InstanceWord returns the word for an instance of a generic type in names of generated functions:
// PagePairStringInt for Page[Pair[string,int]]. It returns "" for other types, and for arguments
// without a name, as in Page[[]int].
func InstanceWord(t reflect.Type) string {
	name := TypeName(t)
	if !strings.HasSuffix(t.Name(), "]") || strings.ContainsAny(name, "*{ (·") || strings.Contains(name, "[]") ||
		strings.Contains(name, "map[") {
		return ""
	}
	var s strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[],", r) }) {
		r, n := utf8.DecodeRuneInString(word[strings.LastIndexByte(word, '.')+1:])
		if !unicode.IsLetter(r) && r != '_' { // an array's length
			return ""
		}
		s.WriteRune(unicode.ToUpper(r))
		s.WriteString(word[strings.LastIndexByte(word, '.')+1+n:])
	}
	return s.String()
}

// TypeName returns the name of a type without the name of its package. Type arguments have no
// paths.
func TypeName(t reflect.Type) string {
	name := t.Name()
	if name == "" {
		return t.String()
	}
	var s strings.Builder
	for len(name) > 0 {
		n := strings.IndexAny(name, "[],*")
		if n < 0 {
			n = len(name)
		}
		word := strings.TrimPrefix(name[:n], t.PkgPath()+".")
		s.WriteString(word[strings.LastIndexByte(word, '/')+1:])
		if n < len(name) {
			s.WriteByte(name[n])
			n++
		}
		name = name[n:]
	}
	return s.String()
}
