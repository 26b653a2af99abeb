package zmy

import (
	"bytes"
	"math/big"
	"reflect"
	"strings"
	"time"
)

// Clone returns a copy of v that shares no memory with it: for a string, a byte
// slice or a whole value that is to outlive the buffer of a view, of NoCopy, or
// the message that it would keep alive. It copies strings, slices, maps, pointers
// and what interfaces hold, to any depth; v must not contain itself, as no value
// from a message does. Unexported fields without a struct tag zmy, channels and
// functions are shared as an assignment shares them.
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

// own replaces all that v refers to by copies.
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
		v.Set(n.Convert(v.Type())) // of a named pointer type
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

// owned is [own] for what has no address.
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
			// SAFETY: the field is reached through its own address under its own
			// type; only its name keeps reflect from setting it. It has a number, so
			// it is in the message and may share its memory.
			field = reflect.NewAt(f.Type, field.Addr().UnsafePointer()).Elem()
		case f.Anonymous && f.Type.Kind() == reflect.Struct: // its fields may be exported
		default:
			continue
		}
		own(field)
	}
}

// flat reports a type whose values refer to nothing.
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
