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
	runtimePkg = print.Package("github.com/zmylab/zmy/fxproto/protort")
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
	var oneofs []*oneof
	for i := range m.Fields().Len() {
		switch f := m.Fields().Get(i); {
		case !inOneof(f):
			g.field(f, taken, "")
		case f.ContainingOneof().Fields().Get(0) == f:
			oneofs = append(oneofs, g.holder(name, f.ContainingOneof(), taken))
		}
	}
	if g.pkg.Unknown {
		if m.Fields().Len() > 0 {
			g.P()
		}
		g.P(fieldName("unknown", taken), " ", fxprotoPkg.Ident("Unknown"), " `json:\"-\"`")
	}
	g.P("}\n")
	for _, o := range oneofs {
		g.oneof(o)
	}
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

// field prints a field of a struct. option is the first one of its struct tag, "" for none.
func (g *generator) field(f protoreflect.FieldDescriptor, taken map[string]bool, option string) {
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
	if option != "" {
		options = append([]string{option}, options...)
	}
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
	switch {
	case !f.HasPresence(), isNilable(f):
	case inOneof(f): // the struct around it has presence
		if f.Message() != nil && (knownType(f) == "" || knownType(f) == "Any") {
			goType = "*" + goType
		}
	case f.Kind() == protoreflect.BytesKind:
		options = append(options, "optional")
	case knownType(f) != "Timestamp":
		goType = "*" + goType
	}
	return goType, options
}

// isNilable reports whether nil is the absence of a message: its Go type is an interface, a map or a slice.
func isNilable(f protoreflect.FieldDescriptor) bool {
	switch knownType(f) {
	case "Value", "Struct", "ListValue", "BytesValue":
		return true
	}
	return false
}

func packable(k protoreflect.Kind) bool {
	switch k {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind, protoreflect.GroupKind:
		return false
	}
	return true
}

// knownType returns the name of the field's message in package google.protobuf if it has a Go type of its
// own, else "". A list of Values or a map of them has none: []any is a ListValue, and map[string]any a Struct.
func knownType(f protoreflect.FieldDescriptor) string {
	if f.Kind() != protoreflect.MessageKind {
		return ""
	}
	name, ok := strings.CutPrefix(string(f.Message().FullName()), "google.protobuf.")
	entry := f.ContainingMessage()
	many := f.IsList() || entry != nil && entry.IsMapEntry() && entry.Fields().ByNumber(1).Kind() == protoreflect.StringKind
	if _, known := knownTypes[name]; !ok || !known || name == "Value" && many {
		return ""
	}
	return name
}

// knownTypes has the Go types of messages of package google.protobuf, and the option of wrappers.
var knownTypes = map[string]struct {
	of      any // a Go expression, or an identifier of a package
	options []string
}{
	"Timestamp": {of: timePkg.Ident("Time")}, "Duration": {of: timePkg.Ident("Duration")}, "Any": {of: fxprotoPkg.Ident("Any")},
	"Value": {of: "any"}, "Struct": {of: "map[string]any"}, "ListValue": {of: "[]any"},
	"BoolValue": {"bool", wrapper}, "StringValue": {"string", wrapper}, "BytesValue": {"[]byte", wrapper},
	"Int32Value": {"int32", wrapper}, "Int64Value": {"int64", wrapper}, "UInt32Value": {"uint32", wrapper},
	"UInt64Value": {"uint64", wrapper}, "FloatValue": {"float32", wrapper}, "DoubleValue": {"float64", wrapper},
}

var wrapper = []string{"wrapper"}

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
	case knownType(f) != "":
		t := knownTypes[knownType(f)]
		if id, ok := t.of.(print.Ident); ok {
			return g.Ident(id), t.options
		}
		return t.of.(string), t.options
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
