package fromproto

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/pbtype"
)

var (
	timePkg    = print.Package("time")
	fxprotoPkg = print.Package("github.com/zmylab/zmy/fxproto")
)

// message prints the struct of a message.
func (g *generator) message(m protoreflect.MessageDescriptor) {
	name := g.names[m.FullName()]
	opts, _ := m.Options().(*descriptorpb.MessageOptions)
	g.comment(m, opts.GetDeprecated())
	g.reserved(leading(m) != "" || opts.GetDeprecated(), ranges(m.ReservedRanges()), m.ReservedNames())
	g.P("type ", name, " struct {")
	taken := map[string]bool{}
	for _, n := range methods {
		taken[n] = true
	}
	for i := range m.Fields().Len() {
		g.field(m.Fields().Get(i), taken)
	}
	if g.pkg.Unknown {
		if m.Fields().Len() > 0 {
			g.P()
		}
		g.P(fieldName("unknown", taken), " ", fxprotoPkg.Ident("Unknown"), " `json:\"-\"`")
	}
	g.P("}\n")
}

// ranges returns reserved numbers as a .proto file has them: 2, 4 to 6.
func ranges(r protoreflect.FieldRanges) (out []string) {
	for i := range r.Len() {
		first, last := r.Get(i)[0], r.Get(i)[1]-1
		out = append(out, span(int64(first), int64(last), 1<<29-1))
	}
	return out
}

func span(first, last, highest int64) string {
	switch {
	case first == last:
		return strconv.FormatInt(first, 10)
	case last == highest:
		return fmt.Sprintf("%d to max", first)
	}
	return fmt.Sprintf("%d to %d", first, last)
}

// reserved prints directives for reserved numbers and names.
func (g *generator) reserved(behind bool, numbers []string, names protoreflect.Names) {
	if behind && len(numbers)+names.Len() > 0 {
		g.P("//")
	}
	if len(numbers) > 0 {
		g.P("//zmy:proto-reserved ", strings.Join(numbers, ", "))
	}
	var quoted []string
	for i := range names.Len() {
		quoted = append(quoted, strconv.Quote(string(names.Get(i))))
	}
	if len(quoted) > 0 {
		g.P("//zmy:proto-reserved ", strings.Join(quoted, ", "))
	}
}

// field prints a field of a struct.
func (g *generator) field(f protoreflect.FieldDescriptor, taken map[string]bool) {
	opts, _ := f.Options().(*descriptorpb.FieldOptions)
	var notes []string
	if f.Cardinality() == protoreflect.Required {
		notes = append(notes, "Required.")
	}
	if f.HasDefault() {
		notes = append(notes, "The default is "+defaultOf(f)+".")
	}
	g.comment(f, opts.GetDeprecated(), notes...)
	goType, options := g.shape(f)
	name := fieldName(string(f.Name()), taken)
	if pbtype.Snake(name) != string(f.Name()) {
		options = append(options, "name:"+string(f.Name()))
	}
	tag := strings.Join(append([]string{strconv.Itoa(int(f.Number()))}, options...), ",")
	omit := "omitempty"
	if strings.HasSuffix(goType, "time.Time") && !strings.ContainsAny(goType, "[*") {
		omit = "omitzero"
	}
	text := fmt.Sprintf("proto:%q json:%q", tag, f.JSONName()+","+omit)
	if pbtype.NamesOf(name, reflect.StructTag(text)).JSON != f.JSONName() { // a name that struct tag json cannot have
		text = fmt.Sprintf("proto:%q", tag)
	}
	if strings.Contains(text, "`") {
		text = strconv.Quote(text)
	} else {
		text = "`" + text + "`"
	}
	g.P(name, " ", goType, " ", text)
}

func defaultOf(f protoreflect.FieldDescriptor) string {
	switch {
	case f.Kind() == protoreflect.EnumKind:
		return string(f.DefaultEnumValue().Name())
	case f.Kind() == protoreflect.StringKind:
		return strconv.Quote(f.Default().String())
	case f.Kind() == protoreflect.BytesKind:
		return strconv.Quote(string(f.Default().Bytes()))
	}
	return fmt.Sprint(f.Default().Interface())
}

// shape returns the Go type of a field and the options of its struct tag.
func (g *generator) shape(f protoreflect.FieldDescriptor) (goType string, options []string) {
	if f.IsMap() {
		key, keyOpts := g.value(f.MapKey())
		val, valOpts := g.value(f.MapValue())
		for _, o := range keyOpts {
			options = append(options, "key:"+o)
		}
		for _, o := range valOpts {
			options = append(options, "val:"+o)
		}
		return "map[" + key + "]" + val, options
	}
	goType, options = g.value(f)
	if f.IsList() {
		if packable(f.Kind()) && !f.IsPacked() {
			options = append(options, "unpacked")
		}
		return "[]" + goType, options
	}
	oneof := f.ContainingOneof()
	inOneof := oneof != nil && !oneof.IsSynthetic()
	switch {
	case inOneof:
		options = append(options, "oneof:"+string(oneof.Name()))
	case f.Kind() == protoreflect.BytesKind && f.HasPresence():
		options = append(options, "optional")
	}
	if f.Kind() != protoreflect.BytesKind && f.HasPresence() && (inOneof || !isKnown(f, "Timestamp")) {
		goType = "*" + goType
	}
	return goType, options
}

func packable(k protoreflect.Kind) bool {
	switch k {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind, protoreflect.GroupKind:
		return false
	}
	return true
}

// isKnown reports whether the field's type is a message of package google.protobuf.
func isKnown(f protoreflect.FieldDescriptor, name protoreflect.Name) bool {
	return f.Kind() == protoreflect.MessageKind && f.Message().FullName() == "google.protobuf."+protoreflect.FullName(name)
}

// scalars has the Go types of scalars, and the option that tells them from others of that type.
var scalars = map[protoreflect.Kind][2]string{
	protoreflect.BoolKind: {"bool"}, protoreflect.StringKind: {"string"}, protoreflect.BytesKind: {"[]byte"},
	protoreflect.Int32Kind: {"int32"}, protoreflect.Sint32Kind: {"int32", "sint"}, protoreflect.Sfixed32Kind: {"int32", "fixed"},
	protoreflect.Int64Kind: {"int64"}, protoreflect.Sint64Kind: {"int64", "sint"}, protoreflect.Sfixed64Kind: {"int64", "fixed"},
	protoreflect.Uint32Kind: {"uint32"}, protoreflect.Fixed32Kind: {"uint32", "fixed"},
	protoreflect.Uint64Kind: {"uint64"}, protoreflect.Fixed64Kind: {"uint64", "fixed"},
	protoreflect.FloatKind: {"float32"}, protoreflect.DoubleKind: {"float64"},
}

// value returns the Go type of one value of a field, and its options.
func (g *generator) value(f protoreflect.FieldDescriptor) (goType string, options []string) {
	switch {
	case f.Kind() == protoreflect.EnumKind:
		return g.typeName(f.Enum()), nil
	case isKnown(f, "Timestamp"):
		return g.Ident(timePkg.Ident("Time")), nil
	case isKnown(f, "Duration"):
		return g.Ident(timePkg.Ident("Duration")), nil
	case f.Message() != nil:
		if f.Kind() == protoreflect.GroupKind {
			options = []string{"group"}
		}
		return g.typeName(f.Message()), options
	}
	s := scalars[f.Kind()]
	if s[1] != "" {
		options = []string{s[1]}
	}
	if f.Kind() == protoreflect.StringKind && !checked(f) {
		options = append(options, "raw")
	}
	return s[0], options
}

// checked reports whether a string must be UTF-8. Descriptors of protobuf-go tell what the features of
// an edition come to.
func checked(f protoreflect.FieldDescriptor) bool {
	if e, ok := f.(interface{ EnforceUTF8() bool }); ok {
		return e.EnforceUTF8()
	}
	return f.Syntax() == protoreflect.Proto3
}
