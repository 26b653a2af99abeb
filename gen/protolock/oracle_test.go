package protolock_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	_ "google.golang.org/protobuf/types/known/durationpb" // the files are registered
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/gen/protolock"
)

// The oracle knows nothing of rules: it makes protobuf-go's descriptors of two records, lets one write
// messages and the other read them, and compares values.

// descriptors makes a file of edition 2023, with a message or enum T0, T1 … for each type of the record.
func descriptors(t *testing.T, f *protolock.File) map[string]protoreflect.MessageDescriptor {
	t.Helper()
	names := map[string]string{}
	for i, typ := range f.Types {
		names[typ.Name] = fmt.Sprintf("T%d", i)
	}
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("x.proto"), Syntax: proto.String("editions"),
		Edition: descriptorpb.Edition_EDITION_2023.Enum(), Package: proto.String("x"),
		Dependency: []string{"google/protobuf/duration.proto", "google/protobuf/struct.proto", "google/protobuf/timestamp.proto",
			"google/protobuf/wrappers.proto"}}
	for _, typ := range f.Types {
		if typ.Kind == protolock.Enum {
			e := &descriptorpb.EnumDescriptorProto{Name: proto.String(names[typ.Name])}
			seen := map[int32]bool{}
			for _, v := range typ.Values {
				if !v.Reserved && !seen[v.Number] {
					seen[v.Number] = true
					e.Value = append(e.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(names[typ.Name] + "_" + v.Name),
						Number: proto.Int32(v.Number)})
				}
			}
			slices.SortStableFunc(e.Value, func(a, b *descriptorpb.EnumValueDescriptorProto) int { // zero first
				return cmp.Compare(min(max(a.GetNumber(), -a.GetNumber()), 1), min(max(b.GetNumber(), -b.GetNumber()), 1))
			})
			file.EnumType = append(file.EnumType, e)
			continue
		}
		file.MessageType = append(file.MessageType, message(f, names, typ))
	}
	d, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]protoreflect.MessageDescriptor{}
	for name, short := range names {
		if m := d.Messages().ByName(protoreflect.Name(short)); m != nil {
			out[name] = m
		}
	}
	return out
}

func message(f *protolock.File, names map[string]string, typ *protolock.Type) *descriptorpb.DescriptorProto {
	m := &descriptorpb.DescriptorProto{Name: proto.String(names[typ.Name])}
	oneofs := map[string]int32{}
	fields := slices.Clone(typ.Fields) // arms of a oneof must be neighbours
	slices.SortStableFunc(fields, func(a, b protolock.Field) int { return cmp.Compare(a.Oneof, b.Oneof) })
	for _, g := range fields {
		if g.Reserved {
			continue
		}
		name := fmt.Sprintf("f%d", g.Number)
		field := value(f, names, g.Type, g.Group)
		field.Name, field.Number = &name, proto.Int32(g.Number)
		switch {
		case g.Key.Word != "":
			key := value(f, names, g.Key, false)
			key.Name, key.Number = proto.String("key"), proto.Int32(1)
			field.Name, field.Number = proto.String("value"), proto.Int32(2)
			entry := strings.ToUpper(name) + "Entry"
			m.NestedType = append(m.NestedType, &descriptorpb.DescriptorProto{Name: &entry, Field: []*descriptorpb.FieldDescriptorProto{key, field},
				Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)}})
			field = &descriptorpb.FieldDescriptorProto{Name: &name, Number: proto.Int32(g.Number),
				Label: descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum(),
				Type:  descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), TypeName: proto.String(".x." + names[typ.Name] + "." + entry)}
		case g.Repeated:
			field.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			if g.Unpacked {
				field.Options.Features.RepeatedFieldEncoding = descriptorpb.FeatureSet_EXPANDED.Enum()
			}
		case g.Oneof != "":
			at, ok := oneofs[g.Oneof]
			if !ok {
				at = int32(len(m.OneofDecl))
				oneofs[g.Oneof] = at
				m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(fmt.Sprintf("o%d", at))})
			}
			field.OneofIndex = &at
		case !g.Optional && field.GetType() != descriptorpb.FieldDescriptorProto_TYPE_MESSAGE:
			field.Options.Features.FieldPresence = descriptorpb.FeatureSet_IMPLICIT.Enum()
		}
		m.Field = append(m.Field, field)
	}
	return m
}

// value makes a field of the type of one value.
func value(f *protolock.File, names map[string]string, form protolock.Form, group bool) *descriptorpb.FieldDescriptorProto {
	d := &descriptorpb.FieldDescriptorProto{Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		Options: &descriptorpb.FieldOptions{Features: &descriptorpb.FeatureSet{}}}
	word := strings.ToUpper(form.Word)
	switch {
	case form.Own && f.Type(form.Word).Kind == protolock.Enum:
		word = "ENUM"
		d.TypeName = proto.String(".x." + names[form.Word])
	case form.Own:
		word = "MESSAGE"
		d.TypeName = proto.String(".x." + names[form.Word])
		if group {
			d.Options.Features.MessageEncoding = descriptorpb.FeatureSet_DELIMITED.Enum()
		}
	case strings.HasPrefix(form.Word, "google."):
		word = "MESSAGE"
		d.TypeName = proto.String("." + form.Word)
	case form.Word == "rawstring":
		word = "STRING"
		d.Options.Features.Utf8Validation = descriptorpb.FeatureSet_NONE.Enum()
	}
	d.Type = descriptorpb.FieldDescriptorProto_Type(descriptorpb.FieldDescriptorProto_Type_value["TYPE_"+word]).Enum()
	return d
}

// draw fills a message, one arm of each oneof at most.
func draw(r *rand.Rand, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for _, i := range r.Perm(fields.Len()) {
		fd := fields.Get(i)
		if o := fd.ContainingOneof(); o != nil && m.WhichOneof(o) != nil || r.IntN(4) == 0 || depth > 2 {
			continue
		}
		switch {
		case fd.IsMap():
			for range 1 + r.IntN(3) {
				v := m.Mutable(fd).Map().NewValue()
				if fd.MapValue().Message() != nil {
					draw(r, v.Message(), depth+1)
				} else {
					v = scalar(r, fd.MapValue())
				}
				m.Mutable(fd).Map().Set(scalar(r, fd.MapKey()).MapKey(), v)
			}
		case fd.IsList():
			for range 2 + r.IntN(3) {
				if fd.Message() != nil {
					draw(r, m.Mutable(fd).List().AppendMutable().Message(), depth+1)
				} else {
					m.Mutable(fd).List().Append(scalar(r, fd))
				}
			}
		case fd.Message() != nil:
			draw(r, m.Mutable(fd).Message(), depth+1)
		default:
			m.Set(fd, scalar(r, fd))
		}
	}
}

// scalar draws a value other than zero: numbers near the limits of all sizes, and text that need not be UTF-8
// where that is allowed.
func scalar(r *rand.Rand, fd protoreflect.FieldDescriptor) protoreflect.Value {
	n := []int64{1, 2, -1, 3, 1000, math.MaxInt32, math.MinInt32, math.MaxUint32, math.MaxInt64, math.MinInt64}[r.IntN(10)]
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(1 + r.IntN(3)))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n) | 1)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n) | 1)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(n)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(1.5)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(2.1)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString([]string{"tea", "é", "longer text"}[r.IntN(3)])
	}
	return protoreflect.ValueOfBytes([][]byte{{0xff, 1}, []byte("tea")}[r.IntN(2)])
}

// canonical returns the fields of a message by number, each as a list of values without their types. A
// zero is absent. It leaves out fields that the other descriptor lacks, as unknown fields are kept.
func canonical(m protoreflect.Message, other protoreflect.MessageDescriptor) map[int32][]any {
	out := map[int32][]any{}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		g := other.Fields().ByNumber(fd.Number())
		if g == nil {
			return true
		}
		inner := g.Message()
		one := func(fd protoreflect.FieldDescriptor, v protoreflect.Value, inner protoreflect.MessageDescriptor) any {
			switch x := v.Interface().(type) {
			case protoreflect.Message:
				if inner == nil {
					return "a message"
				}
				return canonical(x, inner)
			case bool:
				return map[bool]string{true: "1", false: "0"}[x]
			case string:
				return "text " + x
			case []byte:
				return "text " + string(x)
			case protoreflect.EnumNumber:
				return fmt.Sprint(int32(x))
			}
			return fmt.Sprint(v.Interface())
		}
		switch {
		case fd.IsMap():
			entries := map[string]any{}
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				var in protoreflect.MessageDescriptor
				if inner != nil && inner.Fields().ByNumber(2) != nil {
					in = inner.Fields().ByNumber(2).Message()
				}
				entries[fmt.Sprint(one(fd.MapKey(), k.Value(), nil))] = one(fd.MapValue(), v, in)
				return true
			})
			for _, k := range slices.Sorted(maps.Keys(entries)) {
				out[int32(fd.Number())] = append(out[int32(fd.Number())], k, entries[k])
			}
		case fd.IsList():
			for i := range v.List().Len() {
				out[int32(fd.Number())] = append(out[int32(fd.Number())], one(fd, v.List().Get(i), inner))
			}
		default:
			out[int32(fd.Number())] = []any{one(fd, v, inner)}
		}
		return true
	})
	return out
}

// kept reports whether messages that one descriptor writes are read by the other with their values.
func kept(t *testing.T, from, to protoreflect.MessageDescriptor) (bool, string) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 11))
	for range 300 {
		m := dynamicpb.NewMessage(from)
		draw(r, m, 0)
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		back := dynamicpb.NewMessage(to)
		if err := proto.Unmarshal(b, back); err != nil {
			return false, err.Error()
		}
		was, is := canonical(m, to), canonical(back, from)
		if !reflect.DeepEqual(was, is) {
			return false, fmt.Sprintf("%v\nis read as\n%v", was, is)
		}
		if self := dynamicpb.NewMessage(from); proto.Unmarshal(b, self) != nil || !proto.Equal(m, self) || bytes.Equal(b, nil) && len(was) > 0 {
			t.Fatalf("the oracle does not read its own message %x", b)
		}
	}
	return true, ""
}
