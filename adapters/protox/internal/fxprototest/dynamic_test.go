package fxprototest

import (
	"math"
	"reflect"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/zmylab/zmy/internal/pbtype"
)

// zeroTime is the year 1 in seconds of a Timestamp.
var zeroTime = time.Time{}.Unix()

// toDynamic returns the message of v, filled field by field.
func toDynamic(m *plannedMessage, desc protoreflect.MessageDescriptor, v reflect.Value) *dynamicpb.Message {
	out := dynamicpb.NewMessage(desc)
	for i := range m.Fields {
		f := &m.Fields[i]
		x, fd := v.Field(f.Of.Index), desc.Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		switch f.Shape {
		case pbtype.List:
			for k := range x.Len() {
				out.Mutable(fd).List().Append(toValue(&f.Value, fd, x.Index(k)))
			}
		case pbtype.Map:
			for entry := x.MapRange(); entry.Next(); {
				out.Mutable(fd).Map().Set(toValue(&f.Key, fd.MapKey(), entry.Key()).MapKey(), toValue(&f.Value, fd.MapValue(), entry.Value()))
			}
		default:
			if f.Arm != nil {
				if x, ok := armIn(f, x); ok {
					out.Set(fd, toValue(&f.Value, fd, x))
				}
				break
			}
			if f.Presence == pbtype.Always || !unset(f, fd, x) {
				out.Set(fd, toValue(&f.Value, fd, x))
			}
		}
	}
	if m.Unknown != nil {
		out.SetUnknown(v.Field(m.Unknown.Of.Index).Bytes())
	}
	return out
}

// armIn returns the value of an arm that an interface holds.
func armIn(f *plannedField, v reflect.Value) (reflect.Value, bool) {
	v = reflect.Indirect(v.Elem())
	if !v.IsValid() || v.Type() != f.Arm.Type {
		return v, false
	}
	if f.Arm.Inner != nil {
		v = v.Field(f.Arm.Inner.Of.Index)
	}
	return v, true
}

// unset reports whether a single field is absent from messages.
func unset(f *plannedField, fd protoreflect.FieldDescriptor, v reflect.Value) bool {
	switch {
	case f.Value.Message != nil && !f.Value.Pointer:
		return proto.Size(toValue(&f.Value, fd, v).Message().Interface()) == 0
	case f.Value.Kind.IsOwn() && !f.Value.Pointer:
		return isZeroOwn(v) || len(written(f.Value.Kind, v)) == 0
	case v.CanFloat():
		return math.Float64bits(v.Float()) == 0 // unlike IsZero, which is true for negative zero
	}
	return v.IsZero()
}

// toValue returns the value v of a field.
func toValue(p *plannedValue, fd protoreflect.FieldDescriptor, v reflect.Value) protoreflect.Value {
	if p.Pointer && v.IsNil() {
		return protoreflect.ValueOfMessage(dynamicpb.NewMessage(fd.Message()))
	}
	if p.Pointer {
		v = v.Elem()
	}
	switch p.Kind {
	case pbtype.Message, pbtype.Group:
		return protoreflect.ValueOfMessage(toDynamic(p.Message, fd.Message(), v))
	case pbtype.Timestamp:
		t := v.Interface().(time.Time)
		return pair(fd, t.Unix(), int32(t.Nanosecond()))
	case pbtype.Wrapper:
		m := dynamicpb.NewMessage(fd.Message())
		inner := fd.Message().Fields().ByNumber(1)
		if !hasNoContent(v) {
			m.Set(inner, toValue(&plannedValue{Type: p.Type, Kind: p.Wrapped}, inner, v))
		}
		return protoreflect.ValueOfMessage(m)
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		return fromAny(p.Kind, fd.Message(), v)
	case pbtype.Duration:
		return pair(fd, v.Int()/1e9, int32(v.Int()%1e9))
	case pbtype.Bytes:
		b := make([]byte, v.Len())
		for i := range b {
			b[i] = byte(v.Index(i).Uint())
		}
		return protoreflect.ValueOfBytes(b)
	case pbtype.String:
		return protoreflect.ValueOfString(v.String())
	case pbtype.Text:
		return protoreflect.ValueOfString(string(written(p.Kind, v)))
	case pbtype.Binary:
		return protoreflect.ValueOfBytes(written(p.Kind, v))
	case pbtype.Bool:
		return protoreflect.ValueOfBool(v.Bool())
	case pbtype.Enum:
		if fd.Kind() != protoreflect.EnumKind { // a type without constants, in a .proto file
			return protoreflect.ValueOfInt32(int32(v.Int()))
		}
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(v.Int()))
	case pbtype.Int32, pbtype.Sint32, pbtype.Sfixed32:
		return protoreflect.ValueOfInt32(int32(v.Int()))
	case pbtype.Int64, pbtype.Sint64, pbtype.Sfixed64:
		return protoreflect.ValueOfInt64(v.Int())
	case pbtype.Uint32, pbtype.Fixed32:
		return protoreflect.ValueOfUint32(uint32(v.Uint()))
	case pbtype.Uint64, pbtype.Fixed64:
		return protoreflect.ValueOfUint64(v.Uint())
	case pbtype.Float:
		return protoreflect.ValueOfFloat32(float32(v.Float()))
	}
	return protoreflect.ValueOfFloat64(v.Float())
}

// pair returns a Timestamp or a Duration.
func pair(fd protoreflect.FieldDescriptor, seconds int64, nanos int32) protoreflect.Value {
	m := dynamicpb.NewMessage(fd.Message())
	if seconds != 0 {
		m.Set(fd.Message().Fields().ByNumber(1), protoreflect.ValueOfInt64(seconds))
	}
	if nanos != 0 {
		m.Set(fd.Message().Fields().ByNumber(2), protoreflect.ValueOfInt32(nanos))
	}
	return protoreflect.ValueOfMessage(m)
}

// normalise changes a message in the ways in which Go values change it on purpose, as the
// documentation of package fxproto lists them.
func normalise(m *plannedMessage, msg protoreflect.Message) {
	if m.Unknown == nil {
		msg.SetUnknown(nil)
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		fd := msg.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		switch {
		case f.Shape == pbtype.List && msg.Has(fd):
			list := msg.Mutable(fd).List()
			for k := range list.Len() {
				list.Set(k, normal(&f.Value, list.Get(k)))
			}
		case f.Shape == pbtype.Map && msg.Has(fd):
			entries := msg.Mutable(fd).Map()
			entries.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				entries.Set(k, normal(&f.Value, v))
				return true
			})
		case f.Shape != pbtype.Single:
		case f.Arm != nil && !msg.Has(fd):
		case msg.Has(fd):
			msg.Set(fd, normal(&f.Value, msg.Get(fd)))
			if f.Value.Kind == pbtype.DynamicValue && f.Arm == nil && toAny(f.Value.Kind, msg.Get(fd)) == nil {
				msg.Clear(fd) // nil is null, and absent
			}
			if f.Presence == pbtype.Implicit && isZero(&f.Value, msg.Get(fd)) {
				msg.Clear(fd)
			}
		case f.Presence == pbtype.Always:
			msg.Set(fd, normal(&f.Value, absent(&f.Value, msg, fd)))
		}
	}
}

// absent returns the value that a field which is always written has if the message had none.
func absent(p *plannedValue, msg protoreflect.Message, fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch {
	case p.Kind == pbtype.Timestamp:
		return pair(fd, zeroTime, 0)
	case p.Kind.IsMessage():
		return msg.NewField(fd)
	}
	return fd.Default()
}

// normal returns a value as its Go type changes it.
func normal(p *plannedValue, v protoreflect.Value) protoreflect.Value {
	switch {
	case p.Message != nil:
		normalise(p.Message, v.Message())
	case p.Kind == pbtype.Text:
		return protoreflect.ValueOfString(string(written(p.Kind, read(p, v.String()))))
	case p.Kind == pbtype.Binary:
		return protoreflect.ValueOfBytes(written(p.Kind, read(p, string(v.Bytes()))))
	case p.Kind.IsDynamic():
		return fromAny(p.Kind, v.Message().Descriptor(), reflect.ValueOf(toAny(p.Kind, v)))
	case p.Kind.IsMessage():
		v.Message().SetUnknown(nil)
	case p.Len > 0 && len(v.Bytes()) == 0:
		return protoreflect.ValueOfBytes(make([]byte, p.Len))
	}
	return v
}

// isZero reports whether a value without presence is not written.
func isZero(p *plannedValue, v protoreflect.Value) bool {
	switch {
	case p.Kind == pbtype.Timestamp:
		fields := v.Message().Descriptor().Fields()
		return v.Message().Get(fields.ByNumber(1)).Int() == zeroTime && v.Message().Get(fields.ByNumber(2)).Int() == 0
	case p.Kind.IsMessage():
		return proto.Size(v.Message().Interface()) == 0
	case p.Kind == pbtype.Text:
		return isZeroOwn(read(p, v.String()))
	case p.Kind == pbtype.Binary:
		return isZeroOwn(read(p, string(v.Bytes())))
	case p.Len > 0:
		for _, c := range v.Bytes() {
			if c != 0 {
				return false
			}
		}
		return true
	}
	return false
}
