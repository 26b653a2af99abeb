package describe

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

type (
	plannedMessage = pbtype.MessageType[reflect.Type, pbreflect.Field]
	plannedField   = pbreflect.PlannedField
	plannedValue   = pbreflect.PlannedValue
)

// message returns the declaration of a struct with a name.
func (b *builder) message(m *plannedMessage) *declaration {
	if d := b.messages[m.Type]; d != nil {
		return d
	}
	name := b.take(typeName(m.Type))
	d := &declaration{&descriptorpb.DescriptorProto{Name: proto.String(name)}, b.full(name)}
	b.file.MessageType = append(b.file.MessageType, d.DescriptorProto)
	b.declare(d, m)
	return d
}

// typeName returns the name of a type in capitals, without the packages of type arguments.
func typeName(t reflect.Type) string {
	var out strings.Builder
	name, args, _ := strings.Cut(t.Name(), "[")
	for word := range strings.FieldsFuncSeq(args, func(r rune) bool { return r == ',' || r == ']' || r == '[' || r == '*' }) {
		name += title(word[strings.LastIndexAny(word, "./")+1:])
	}
	for _, r := range title(name) {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			out.WriteRune(r)
		}
	}
	return cmp.Or(out.String(), "Message")
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// nested returns the declaration of a field's struct. If it has no name, it is declared within d.
func (b *builder) nested(d *declaration, f *plannedField, m *plannedMessage) *declaration {
	if m.Type.Name() != "" {
		return b.message(m)
	}
	if n := b.messages[m.Type]; n != nil {
		return n
	}
	name := b.take(title(f.Name))
	n := &declaration{&descriptorpb.DescriptorProto{Name: proto.String(name)}, d.full + "." + name}
	d.NestedType = append(d.NestedType, n.DescriptorProto)
	b.declare(n, m)
	return n
}

// declare adds the fields of m to its declaration, in the order of the Go fields.
func (b *builder) declare(d *declaration, m *plannedMessage) {
	b.messages[m.Type] = d
	b.optional = append(b.optional, d.DescriptorProto)
	for _, name := range m.Oneofs {
		d.OneofDecl = append(d.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(name)})
	}
	ordered := slices.Clone(m.Fields)
	slices.SortFunc(ordered, func(x, y plannedField) int {
		return cmp.Or(cmp.Compare(x.Of.Index, y.Of.Index), cmp.Compare(x.Number, y.Number))
	})
	for i := range ordered {
		d.Field = append(d.Field, b.field(d, m, &ordered[i]))
	}
}

// field describes a field of m.
func (b *builder) field(d *declaration, m *plannedMessage, f *plannedField) *descriptorpb.FieldDescriptorProto {
	names := pbtype.NamesOf(f.Name, m.Type.Field(f.Of.Index).Tag)
	if f.Arm != nil {
		names = f.Arm.Names(f.Arm.Type.Name())
	}
	out := b.value(d, f, &f.Value)
	if f.Shape == pbtype.Map {
		out = b.mapping(d, f, names.Proto, out)
	}
	out.Name, out.Number, out.JsonName = proto.String(names.Proto), proto.Int32(f.Number), proto.String(names.JSON)
	switch {
	case f.Shape != pbtype.Single:
		out.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
		if f.Shape == pbtype.List && f.Value.Kind.IsNumber() && !f.Packed {
			options(out).Packed = proto.Bool(false)
		}
	case f.Oneof >= 0:
		out.OneofIndex = proto.Int32(int32(f.Oneof))
	case f.Presence != pbtype.Implicit && !f.Value.Kind.IsMessage():
		out.Proto3Optional = proto.Bool(true)
	}
	return out
}

// mapping declares the entries of a map, whose values are described, and describes the field.
func (b *builder) mapping(d *declaration, f *plannedField, name string,
	val *descriptorpb.FieldDescriptorProto) *descriptorpb.FieldDescriptorProto {
	key := b.value(d, f, &f.Key)
	key.Name, key.Number, key.JsonName = proto.String("key"), proto.Int32(1), proto.String("key")
	val.Name, val.Number, val.JsonName = proto.String("value"), proto.Int32(2), proto.String("value")
	entry := ""
	for word := range strings.SplitSeq(name, "_") {
		entry += title(word)
	}
	entry += "Entry"
	d.NestedType = append(d.NestedType, &descriptorpb.DescriptorProto{Name: proto.String(entry),
		Field: []*descriptorpb.FieldDescriptorProto{key, val}, Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)}})
	return &descriptorpb.FieldDescriptorProto{Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
		TypeName: proto.String(d.full + "." + entry), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
}

func options(f *descriptorpb.FieldDescriptorProto) *descriptorpb.FieldOptions {
	if f.Options == nil {
		f.Options = &descriptorpb.FieldOptions{}
	}
	return f.Options
}

func features(f *descriptorpb.FieldDescriptorProto) *descriptorpb.FeatureSet {
	o := options(f)
	if o.Features == nil {
		o.Features = &descriptorpb.FeatureSet{}
	}
	return o.Features
}

var anyType = reflect.TypeFor[fxproto.Any]()

// known imports a message of google.protobuf from a file, and returns its full name.
func (b *builder) known(name, file string) string {
	b.imports("google/protobuf/" + file + ".proto")
	return ".google.protobuf." + name
}

// value describes the type of one value.
func (b *builder) value(d *declaration, f *plannedField, v *plannedValue) *descriptorpb.FieldDescriptorProto {
	out := &descriptorpb.FieldDescriptorProto{Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
	kind, name := descriptorpb.FieldDescriptorProto_TYPE_MESSAGE, ""
	switch v.Kind {
	case pbtype.Message, pbtype.Group:
		if v.Type == anyType {
			name = b.known("Any", "any")
			break
		}
		name = b.nested(d, f, v.Message).full
		if v.Kind == pbtype.Group {
			b.edition = true
			features(out).MessageEncoding = descriptorpb.FeatureSet_DELIMITED.Enum()
		}
	case pbtype.Timestamp:
		name = b.known("Timestamp", "timestamp")
	case pbtype.Duration:
		name = b.known("Duration", "duration")
	case pbtype.Wrapper:
		name = b.known(strings.TrimPrefix(pbtype.WrapperName(v.Wrapped), "google.protobuf."), "wrappers")
	case pbtype.DynamicValue:
		name = b.known("Value", "struct")
	case pbtype.DynamicStruct:
		name = b.known("Struct", "struct")
	case pbtype.DynamicList:
		name = b.known("ListValue", "struct")
	case pbtype.Enum:
		kind = descriptorpb.FieldDescriptorProto_TYPE_INT32 // the same bytes
		if name = b.enum(v.Type); name != "" {
			kind = descriptorpb.FieldDescriptorProto_TYPE_ENUM
		}
	default:
		kind = descriptorpb.FieldDescriptorProto_Type(descriptorpb.FieldDescriptorProto_Type_value["TYPE_"+strings.ToUpper(v.Kind.String())])
		if v.Raw {
			b.edition = true
			features(out).Utf8Validation = descriptorpb.FeatureSet_NONE.Enum()
		}
	}
	out.Type = kind.Enum()
	if name != "" {
		out.TypeName = proto.String(name)
	}
	return out
}

// enum declares an enum that has the method ProtoValues. It returns "" for others, and if a name of a
// value is taken: such an enum is described as an integer.
func (b *builder) enum(t reflect.Type) string {
	if name, ok := b.enums[t]; ok {
		return name
	}
	b.enums[t] = ""
	v, ok := reflect.Zero(t).Interface().(interface{ ProtoValues() map[string]int32 })
	if !ok {
		return ""
	}
	numbers := maps.Clone(v.ProtoValues())
	for name := range numbers {
		if b.taken[name] {
			return ""
		}
	}
	name := b.take(typeName(t))
	if !slices.Contains(slices.Collect(maps.Values(numbers)), 0) {
		numbers[b.take(pbtype.EnumValue(name, "", "Unspecified"))] = 0 // the first value must be zero
	}
	out := &descriptorpb.EnumDescriptorProto{Name: proto.String(name)}
	order := slices.SortedFunc(maps.Keys(numbers), func(x, y string) int {
		nx, ny := numbers[x], numbers[y]
		return cmp.Or(cmp.Compare(uint32(nx), uint32(ny)), strings.Compare(x, y)) // negative numbers last
	})
	seen := map[int32]bool{}
	for _, n := range order {
		b.taken[n] = true
		out.Value = append(out.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(n), Number: proto.Int32(numbers[n])})
		if seen[numbers[n]] {
			out.Options = &descriptorpb.EnumOptions{AllowAlias: proto.Bool(true)}
		}
		seen[numbers[n]] = true
	}
	b.file.EnumType = append(b.file.EnumType, out)
	b.enums[t] = b.full(name)
	return b.enums[t]
}

// toProto3 adds the oneof that each optional field has in proto3, behind all others.
func toProto3(m *descriptorpb.DescriptorProto) {
	for _, f := range m.Field {
		if f.GetProto3Optional() {
			f.OneofIndex = proto.Int32(int32(len(m.OneofDecl)))
			m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String("_" + f.GetName())})
		}
	}
}

// toEdition replaces what proto3 says by options with features.
func toEdition(m *descriptorpb.DescriptorProto) {
	for _, f := range m.Field {
		if f.GetProto3Optional() {
			f.Proto3Optional = nil
			features(f).FieldPresence = descriptorpb.FeatureSet_EXPLICIT.Enum()
		}
		if f.Options != nil && f.Options.Packed != nil {
			f.Options.Packed = nil
			features(f).RepeatedFieldEncoding = descriptorpb.FeatureSet_EXPANDED.Enum()
		}
	}
}
