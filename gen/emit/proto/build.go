package proto

import (
	"reflect"
	"sort"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Build describes the types reached from roots as messages that code of the package p can convert.
// If there are problems, it returns no File. protoPkg is the name of the proto package.
func Build(p *ir.Package, roots []*ir.Type, protoPkg string) (*File, ir.Problems) {
	b := &builder{pkg: p.Path, names: names{}, messages: map[*ir.Type]*Message{}, entries: map[*ir.Type]*Message{},
		support: map[string]*Message{}, file: &File{Package: protoPkg, Source: p.Path}}
	for name := range supportText {
		b.names.take(name)
	}
	for _, r := range roots {
		at := place{r.Pos, spelling.Word(r)}
		if v := b.value(r, at); v.Message == nil || v.Message.Type != r {
			b.box(r, at)
		}
	}
	if len(b.problems) > 0 {
		return nil, b.problems
	}
	return b.file, nil
}

type builder struct {
	pkg      string
	names    names
	messages map[*ir.Type]*Message // of kinds Struct and Box, by type
	entries  map[*ir.Type]*Message // by map type
	support  map[string]*Message
	file     *File
	problems ir.Problems
}

func (b *builder) problem(pos ir.Pos, path, msg, hint string) {
	b.problems = append(b.problems, ir.Problem{Pos: pos, Path: path, Msg: msg, Hint: hint})
}

func (b *builder) message(t *ir.Type, kind MessageKind, name string) *Message {
	m := &Message{Name: b.names.take(name), Kind: kind, Type: t}
	b.file.Messages = append(b.file.Messages, m)
	return m
}

// place says where a type was reached, for problems.
type place struct {
	pos  ir.Pos
	path string
}

func (b *builder) structure(t *ir.Type, path string) *Message {
	if m := b.messages[t]; m != nil {
		return m
	}
	name := spelling.Word(t)
	if t.Name == nil {
		name = camel(strings.NewReplacer("[]", "", ".", "_", "*", "").Replace(path))
	}
	m := b.message(t, Struct, name)
	b.messages[t] = m
	if t.Name != nil {
		m.Doc = t.Name.Doc
	}
	fields := names{}
	for _, f := range t.Fields {
		if !carried(f, b.pkg) {
			continue
		}
		pf := &Field{Name: fields.take(snake(f.Name)), Number: int32(len(m.Fields) + 1), Type: f.Type, Go: f, Doc: f.Doc}
		m.Fields = append(m.Fields, pf)
		b.fill(pf, f.Type, place{f.Pos, path + "." + f.Name})
	}
	return m
}

// carried reports whether the message has the field.
func carried(f *ir.Field, pkg string) bool {
	tag := reflect.StructTag(f.Tag)
	if tag.Get("json") == "-" || tag.Get("zmy") == "-" {
		return false
	}
	if !f.Exported && f.Embedded {
		return f.Usable(pkg) && f.Type.Kind == ir.Struct
	}
	return f.Exported
}

// fill sets how the field f carries a value of type t.
func (b *builder) fill(f *Field, t *ir.Type, at place) {
	if hook(t) == None {
		switch t.Kind {
		case ir.Pointer:
			b.pointer(f, t, at)
			return
		case ir.Slice:
			f.Card, f.Value = Repeated, b.value(t.Elem, place{at.pos, at.path + "[]"})
			return
		case ir.Bytes, ir.Array:
			if !plainBytes(t) {
				f.Card, f.Value = Repeated, b.value(t.Elem, place{at.pos, at.path + "[]"})
				return
			}
		case ir.Map:
			b.mapping(f, t, at)
			return
		}
	}
	f.Value = b.value(t, at)
}

func (b *builder) pointer(f *Field, t *ir.Type, at place) {
	if t.Elem.Kind == ir.Pointer {
		f.Value = Value{Message: b.box(t.Elem, at), Type: t}
		return
	}
	v := b.value(t.Elem, at)
	if v.Message == nil {
		f.Card, f.Value = Optional, v
		return
	}
	f.Value = Value{Message: v.Message, Type: t}
}

func (b *builder) mapping(f *Field, t *ir.Type, at place) {
	key := b.value(t.Key, place{at.pos, at.path + "[key]"})
	if mapKey(key) {
		f.Card, f.Key, f.Value = Map, key, b.value(t.Elem, place{at.pos, at.path + "[]"})
		return
	}
	f.Card, f.Value = Repeated, Value{Message: b.entry(t, key, at), Type: t}
}

func mapKey(v Value) bool {
	return v.Message == nil && v.Hook == None && v.Scalar != Float && v.Scalar != Double && v.Scalar != Bytes && v.Scalar != ""
}

func (b *builder) entry(t *ir.Type, key Value, at place) *Message {
	if m := b.entries[t]; m != nil {
		return m
	}
	m := b.message(t, Entry, spelling.Word(t)+"Entry")
	b.entries[t] = m
	m.Fields = []*Field{{Name: "key", Number: 1, Type: t.Key, Value: key}, {Name: "value", Number: 2, Type: t.Elem}}
	m.Fields[1].Value = b.value(t.Elem, place{at.pos, at.path + "[]"})
	return m
}

// box returns a message with one field that holds t. It is needed where proto3 cannot have t
// directly.
func (b *builder) box(t *ir.Type, at place) *Message {
	if m := b.messages[t]; m != nil {
		return m
	}
	m := b.message(t, Box, spelling.Word(t))
	b.messages[t] = m
	name := "items"
	if t.Kind == ir.Pointer {
		name = "value"
	}
	m.Fields = []*Field{{Name: name, Number: 1, Type: t}}
	b.fill(m.Fields[0], t, at)
	return m
}

// value returns how a single value of type t is carried: as a field, an element of a list, or a
// value of a map.
func (b *builder) value(t *ir.Type, at place) Value {
	if formless[t.Kind] {
		b.problem(at.pos, at.path, "has type "+print.TypeExprIn(t, b.pkg)+", which has no form in proto3", leaveOut)
		return Value{Type: t, Scalar: Bytes}
	}
	if t.Name == nil && t.Kind == ir.Struct {
		if n := len(b.problems); b.structure(t, at.path) != nil && len(b.problems) > n {
			return Value{Type: t, Scalar: Bytes} // structure has reported a more exact problem
		}
	}
	if (t.Name != nil || t.Kind == ir.Struct) && !t.Spellable(b.pkg) {
		b.problem(at.pos, at.path, "has type "+print.TypeExprIn(t, b.pkg)+", which code of this package cannot name", leaveOut)
		return Value{Type: t, Scalar: Bytes}
	}
	if h := hook(t); h != None {
		return Value{Scalar: map[Hook]Scalar{Binary: Bytes, Text: String}[h], Type: t, Hook: h}
	}
	if s := scalars[t.Kind]; s != "" {
		return Value{Scalar: s, Type: t}
	}
	if s := supports[t.Kind]; s != "" {
		return Value{Message: b.use(s), Type: t}
	}
	switch t.Kind {
	case ir.Struct:
		return Value{Message: b.structure(t, at.path), Type: t}
	case ir.Bytes, ir.Array:
		if plainBytes(t) {
			return Value{Scalar: Bytes, Type: t}
		}
		return Value{Message: b.box(t, at), Type: t}
	case ir.Slice, ir.Map:
		return Value{Message: b.box(t, at), Type: t}
	case ir.Pointer:
		if t.Elem.Kind != ir.Pointer {
			if v := b.value(t.Elem, at); v.Message != nil {
				return Value{Message: v.Message, Type: t}
			}
		}
	}
	return Value{Message: b.box(t, at), Type: t} // a pointer
}

const leaveOut = `leave it out with struct tag json:"-"`

var formless = map[ir.Kind]bool{ir.Invalid: true, ir.Interface: true, ir.Chan: true, ir.Func: true, ir.Unsafe: true}

// use adds a fixed message, and the fixed messages that it refers to.
func (b *builder) use(name string) *Message {
	if m := b.support[name]; m != nil {
		return m
	}
	m := &Message{Name: name, Kind: Support}
	b.support[name] = m
	for _, need := range supportNeeds[name] {
		b.use(need)
	}
	b.file.Messages = append(b.file.Messages, m)
	sort.SliceStable(b.file.Messages, func(i, j int) bool { // fixed messages come last
		return b.file.Messages[i].Kind != Support && b.file.Messages[j].Kind == Support
	})
	return m
}

var scalars = map[ir.Kind]Scalar{
	ir.Bool: Bool, ir.Int: Int64, ir.Int8: Int32, ir.Int16: Int32, ir.Int32: Int32, ir.Int64: Int64,
	ir.Uint: Uint64, ir.Uint8: Uint32, ir.Uint16: Uint32, ir.Uint32: Uint32, ir.Uint64: Uint64, ir.Uintptr: Uint64,
	ir.Float32: Float, ir.Float64: Double, ir.String: String, ir.Duration: Int64, ir.RawJSON: Bytes, ir.Number: String,
}

var supports = map[ir.Kind]string{
	ir.Any: "Value", ir.Time: "Timestamp", ir.BigInt: "BigInt", ir.BigFloat: "BigFloat", ir.BigRat: "BigRat",
	ir.Complex64: "Complex", ir.Complex128: "Complex",
}

// plainBytes reports whether t is bytes in proto3: []byte or [N]byte, with byte itself as element.
func plainBytes(t *ir.Type) bool {
	return (t.Kind == ir.Bytes || t.Kind == ir.Array) && t.Elem.Kind == ir.Uint8 && (t.Elem.Name == nil || t.Elem.Name.Pkg == "")
}

// hook returns the methods that carry a struct without any exported or embedded field, such as
// netip.Addr.
func hook(t *ir.Type) Hook {
	if t.Kind != ir.Struct || len(t.Fields) == 0 {
		return None
	}
	for _, f := range t.Fields {
		if f.Exported || f.Embedded {
			return None
		}
	}
	switch {
	case t.Hooks.Has(ir.HasMarshalBinaryPtr | ir.HasUnmarshalBinaryPtr):
		return Binary
	case t.Hooks.Has(ir.HasMarshalTextPtr | ir.HasUnmarshalTextPtr):
		return Text
	}
	return None
}
