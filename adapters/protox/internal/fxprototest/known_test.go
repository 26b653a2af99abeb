package fxprototest

import (
	"math"
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/zmylab/zmy/internal/pbtype"
)

// hasNoContent reports whether a wrapper of v is empty. One of negative zero is not.
func hasNoContent(v reflect.Value) bool {
	switch {
	case v.Kind() == reflect.Slice:
		return v.Len() == 0
	case v.CanFloat():
		return math.Float64bits(v.Float()) == 0
	}
	return v.IsZero()
}

// fromAny returns the message of kind k for a value of any content, as package structpb makes it.
func fromAny(k pbtype.Kind, desc protoreflect.MessageDescriptor, v reflect.Value) protoreflect.Value {
	var m proto.Message
	var err error
	switch {
	case k == pbtype.DynamicStruct:
		m, err = structpb.NewStruct(v.Convert(reflect.TypeFor[map[string]any]()).Interface().(map[string]any))
	case k == pbtype.DynamicList:
		m, err = structpb.NewList(v.Convert(reflect.TypeFor[[]any]()).Interface().([]any))
	case v.IsValid():
		m, err = structpb.NewValue(v.Interface())
	default:
		m = structpb.NewNullValue()
	}
	if err != nil {
		panic(err)
	}
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	out := dynamicpb.NewMessage(desc)
	if err := proto.Unmarshal(b, out); err != nil {
		panic(err)
	}
	return protoreflect.ValueOfMessage(out)
}

// toAny returns the content of a message of kind k.
func toAny(k pbtype.Kind, v protoreflect.Value) any {
	m := v.Message()
	field := func(n protoreflect.FieldNumber) protoreflect.Value { return m.Get(m.Descriptor().Fields().ByNumber(n)) }
	switch k {
	case pbtype.DynamicStruct:
		out := map[string]any{}
		field(1).Map().Range(func(key protoreflect.MapKey, x protoreflect.Value) bool {
			out[key.String()] = toAny(pbtype.DynamicValue, x)
			return true
		})
		return out
	case pbtype.DynamicList:
		out := []any{}
		for i := range field(1).List().Len() {
			out = append(out, toAny(pbtype.DynamicValue, field(1).List().Get(i)))
		}
		return out
	}
	set := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
	if set == nil {
		return nil
	}
	switch x := m.Get(set); set.Number() {
	case 5:
		return toAny(pbtype.DynamicStruct, x)
	case 6:
		return toAny(pbtype.DynamicList, x)
	case 1:
		return nil
	default:
		return x.Interface()
	}
}
