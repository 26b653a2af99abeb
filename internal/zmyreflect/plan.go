package zmyreflect

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/wire"
)

// Plan is how a struct type stands in messages.
type Plan struct {
	// Name is the type as errors name it: "Order", "Page[Item]".
	Name string
	root *typ
	// aliases says that values hold strings or bytes, which may share memory
	// with the message.
	aliases bool
	boxed   bool // see value
}

// Compile plans the struct type t. Generated reports a type with generated
// methods of its own, which count for nothing here; stale reports one of them whose code is
// for an older version of the type. The error is a *TypeError.
func Compile(t reflect.Type, generated, stale func(reflect.Type) bool) (*Plan, error) {
	p := &Plan{Name: TypeName(t)}
	if err := p.compile(t, generated, stale); err != nil {
		return nil, err
	}
	return p, nil
}

// Append appends v, a value of the type or a pointer to one that is not nil.
func (p *Plan) Append(e *wire.Encoder, b []byte, v any, left int) ([]byte, *wire.Error) {
	r := p.value(v)
	return p.root.appendStruct(e, b, r, p.root.headOf(r), 4, left)
}

// Decode stores the message b into v, a pointer that is not nil.
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

// TypeError says which type, or which field in it, has no place in a message.
type TypeError struct {
	Path string // the field: "Items.Done"; "" is the type itself
	Msg  string // what is wrong
	Hint string // what to do
	// Generator says that generated code would do.
	Generator bool
}

// Error is one line.
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

// InstanceWord is what names of generated functions say of an instance of a
// generic type: PagePairStringInt for Page[Pair[string,int]]. It is empty for any
// other type, and for arguments without a name, as in Page[[]int].
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

// TypeName is the name of a type as its own package spells it: without that
// package's name, and type arguments without their paths.
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
