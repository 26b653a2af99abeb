//go:build ignore

// Package recast copies the content of a message into a message of another variant of its schema.
// Both variants have the same field numbers, but fields may be optional or wrapped in one of them
// only, or integers may have different encodings. It works by reflection, before and after the
// measurement.
package recast

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Message is a pointer to a generated message M.
type Message[M any] interface {
	*M
	proto.Message
}

// To turns a conversion into the plain message B into a conversion into M.
func To[M, B, T any, PM Message[M], PB Message[B]](to func(*B, *T) error) func(*M, *T) error {
	return func(m *M, v *T) error {
		b := new(B)
		if err := to(b, v); err != nil {
			return err
		}
		fill(PM(m).ProtoReflect(), PB(b).ProtoReflect())
		return nil
	}
}

// From turns a conversion from the plain message B into a conversion from M.
func From[M, B, T any, PM Message[M], PB Message[B]](from func(*T, *B) error) func(*T, *M) error {
	return func(v *T, m *M) error {
		b := new(B)
		fill(PB(b).ProtoReflect(), PM(m).ProtoReflect())
		return from(v, b)
	}
}

// fill sets the fields of dst from those of src. If a field has no presence in src, it is set in
// dst even if it is zero, because a program that uses presence sets all fields.
func fill(dst, src protoreflect.Message) {
	fields := src.Descriptor().Fields()
	for i := range fields.Len() {
		s := fields.Get(i)
		d := dst.Descriptor().Fields().ByNumber(s.Number())
		if s.HasPresence() && !src.Has(s) {
			continue
		}
		switch v := src.Get(s); {
		case s.IsMap():
			if v.Map().Len() > 0 {
				fillMap(dst.Mutable(d).Map(), v.Map(), d)
			}
		case s.IsList():
			if v.List().Len() > 0 {
				fillList(dst.Mutable(d).List(), v.List(), d)
			}
		default:
			dst.Set(d, value(dst.NewField(d), v, d, s))
		}
	}
}

func fillList(dst, src protoreflect.List, d protoreflect.FieldDescriptor) {
	for i := range src.Len() {
		v := src.Get(i)
		if d.Message() != nil {
			m := dst.NewElement()
			fill(m.Message(), v.Message())
			v = m
		}
		dst.Append(v)
	}
}

func fillMap(dst, src protoreflect.Map, d protoreflect.FieldDescriptor) {
	src.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if d.MapValue().Message() != nil {
			m := dst.NewValue()
			fill(m.Message(), v.Message())
			v = m
		}
		dst.Set(k, v)
		return true
	})
}

// inner is the number of the single field in google.protobuf's wrappers.
const inner = 1

// value converts v, a value of field s, into a value of field d. fresh is an empty value of d.
func value(fresh, v protoreflect.Value, d, s protoreflect.FieldDescriptor) protoreflect.Value {
	switch dm, sm := d.Message(), s.Message(); {
	case dm != nil && sm != nil:
		fill(fresh.Message(), v.Message())
		return fresh
	case dm != nil: // into a wrapper
		fresh.Message().Set(dm.Fields().ByNumber(inner), v)
		return fresh
	case sm != nil: // out of a wrapper
		return v.Message().Get(sm.Fields().ByNumber(inner))
	}
	return v
}
