package zmy

import (
	"bytes"
	"math/big"
	"reflect"
	"strings"
	"time"
)

// Clone returns a copy of v that shares no memory with v. Use it for a string, a byte slice or a
// whole value that must outlive the memory that it points into. That memory is the buffer of a
// view, the input of an Unmarshal with NoCopy, or Unmarshal's copy of the message, which every
// string of the result keeps alive. Clone copies strings, slices, maps, pointers and the values in
// interfaces, to any depth. v must not contain itself; no value from a message does. Channels,
// functions, and unexported fields without a struct tag zmy are shared, as an assignment shares
// them.
//
//	name := zmy.Clone(view.Name())
func Clone[T any](v T) T {
	switch p := any(&v).(type) {
	case *string:
		*p = strings.Clone(*p)
	case *[]byte:
		*p = bytes.Clone(*p)
	default:
		own(reflect.ValueOf(&v).Elem())
	}
	return v
}

// own replaces everything that v refers to with a copy. v must be addressable.
func own(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Clone(v.String()))
	case reflect.Slice:
		ownSlice(v)
	case reflect.Array:
		ownElems(v)
	case reflect.Map:
		ownMap(v)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		n := reflect.New(v.Type().Elem())
		n.Elem().Set(v.Elem())
		own(n.Elem())
		v.Set(n.Convert(v.Type())) // the pointer type may be a named one
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		n := reflect.New(v.Elem().Type()).Elem()
		n.Set(v.Elem())
		own(n)
		v.Set(n)
	case reflect.Struct:
		ownStruct(v)
	}
}

func ownSlice(v reflect.Value) {
	if v.IsNil() {
		return
	}
	n := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(n, v)
	ownElems(n)
	v.Set(n)
}

func ownElems(v reflect.Value) {
	if flat(v.Type().Elem()) {
		return
	}
	for i := range v.Len() {
		own(v.Index(i))
	}
}

func ownMap(v reflect.Value) {
	if v.IsNil() {
		return
	}
	n := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		n.SetMapIndex(owned(it.Key()), owned(it.Value()))
	}
	v.Set(n)
}

// owned returns a copy of v that shares no memory with it. Keys and values of maps need it: they
// have no address, so own cannot change them in place.
func owned(v reflect.Value) reflect.Value {
	n := reflect.New(v.Type()).Elem()
	n.Set(v)
	own(n)
	return n
}

func ownStruct(v reflect.Value) {
	if v.CanInterface() {
		switch p := v.Addr().Interface().(type) {
		case *time.Time: // its location is shared, and never changes
			return
		case *big.Int:
			*p = *new(big.Int).Set(p)
			return
		case *big.Float:
			*p = *new(big.Float).Set(p)
			return
		case *big.Rat:
			*p = *new(big.Rat).Set(p)
			return
		}
	}
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		_, tagged := f.Tag.Lookup("zmy")
		switch {
		case f.IsExported():
		case tagged:
			// SAFETY: the field is reached through its own address and under its own type. reflect
			// refuses to set it only because its name is unexported. It has a field number, so it
			// is part of messages and may share their memory.
			field = reflect.NewAt(f.Type, field.Addr().UnsafePointer()).Elem()
		case f.Anonymous && f.Type.Kind() == reflect.Struct: // its fields may be exported
		default:
			continue
		}
		own(field)
	}
}

// flat reports whether values of type t contain no pointers that Clone would have to follow.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return true
		}
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.String, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return true
}
