package zmyreflect

import (
	"encoding/json"
	"reflect"

	"github.com/zmylab/zmy/wire"
)

// Values without a form of their own are carried as encoding/json writes them: raw JSON
// to readers of other languages. Nothing at all stands for the zero value.

// AppendJSON appends the JSON form of the value that p points to.
func AppendJSON(b []byte, p any) ([]byte, *wire.Error) {
	if reflect.ValueOf(p).Elem().IsZero() {
		return b, nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return b, wire.FailMethod(err)
	}
	return append(b, text...), nil
}

// DecodeJSON stores the JSON form b in what p points to.
func DecodeJSON(b []byte, p any) *wire.Error {
	reflect.ValueOf(p).Elem().SetZero()
	if len(b) == 0 {
		return nil
	}
	if err := json.Unmarshal(b, p); err != nil {
		return wire.FailMethod(err)
	}
	return nil
}

type fxAppender interface{ AppendJSON([]byte) ([]byte, error) }

var (
	marshalJSON   = reflect.TypeFor[json.Marshaler]()
	unmarshalJSON = reflect.TypeFor[json.Unmarshaler]()
	fxGenerated   = reflect.TypeFor[fxAppender]()
)

// AsJSON reports a struct without numbers that is carried as encoding/json has it, by its
// own method UnmarshalJSON, since its fields are not all of it: with MarshalJSON too because
// of any field that is not carried, without it only because of an interface, which
// UnmarshalJSON alone can fill. fxjson's generated methods do not count.
func AsJSON(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.Name() == "" || t.PkgPath() == "" || known(t) || numbered(t) {
		return false
	}
	if !declaresJSON(t, unmarshalJSON, "UnmarshalJSON") || declaresJSON(t, fxGenerated, "AppendJSON") {
		return false
	}
	both := declaresJSON(t, marshalJSON, "MarshalJSON")
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Name == "_" || f.Type == unknownType:
		case both && (!f.IsExported() && f.Type.Size() > 0 || f.Tag.Get("json") == "-"):
			return true
		case (both || f.IsExported() && leaf(f.Type).Kind() == reflect.Interface && f.Tag.Get("json") != "-") && Unformed(f.Type):
			return true
		}
	}
	return false
}

// Unformed reports a type that no struct tag gives a form: an interface, a channel, a key
// of a map that is no key here. It looks through pointers, lists and maps, not into
// structs.
func Unformed(t reflect.Type) bool { return unformed(t, map[reflect.Type]bool{}) }

func unformed(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if ownForm(t) && t != ratType {
		return false
	}
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() > 0
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Struct:
		return t == ratType
	case reflect.Pointer:
		if e := t.Elem().Kind(); e == reflect.Pointer || e == reflect.Interface {
			return true
		}
		return unformed(t.Elem(), seen)
	case reflect.Slice:
		return bare(t.Elem()) || unformed(t.Elem(), seen)
	case reflect.Array:
		e := t.Elem()
		return t.Len() == 0 || bare(e) || e.Kind() == reflect.Pointer && isPlain(e.Elem()) || unformed(e, seen)
	case reflect.Map:
		e := t.Elem()
		return !isKey(t.Key()) || e.Kind() == reflect.Pointer && bare(e) || unformed(e, seen)
	}
	return false
}

// isPlain reports a struct that is carried by its fields.
func isPlain(t reflect.Type) bool { return t.Kind() == reflect.Struct && !known(t) && !ownForm(t) }

// bare reports a struct without fields, or a pointer to one.
func bare(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t.NumField() == 0
}

func isKey(t reflect.Type) bool {
	if t.Name() != "" && t.PkgPath() != "" && declares(t, appendZMY, "AppendZMY") {
		return false
	}
	switch k := t.Kind(); k {
	case reflect.String, reflect.Bool:
		return true
	case reflect.Array:
		return t.Elem() == byteType && 0 < t.Len() && t.Len() <= wire.MaxFixed
	default:
		return reflect.Int <= k && k <= reflect.Uintptr
	}
}

// LastResort decides about a field of a struct t whose numbers are derived, by the rule of
// gen/check: it is carried as JSON, left out, or neither.
func LastResort(t reflect.Type, f reflect.StructField) (asJSON, left bool) {
	own := declaresJSON(t, marshalJSON, "MarshalJSON") && declaresJSON(t, unmarshalJSON, "UnmarshalJSON")
	switch {
	case f.Tag.Get("json") == "-" && !own, carriesNothing(f.Type):
		return false, true
	case !Unformed(f.Type):
		return false, false
	case readsJSON(f.Type, map[reflect.Type]bool{}):
		return true, false
	}
	return false, leaf(f.Type).Kind() == reflect.Interface
}

func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}

func leaf(t reflect.Type) reflect.Type {
	for holds(t) {
		t = t.Elem()
	}
	return t
}

// readsJSON reports a type whose values encoding/json writes and reads back, as far as
// the type tells.
func readsJSON(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || known(t) {
		return true
	}
	seen[t] = true
	has := func(t, m reflect.Type) bool { return reflect.PointerTo(t).Implements(m) }
	own := t.Kind() != reflect.Interface && (has(t, marshalJSON) && has(t, unmarshalJSON) || has(t, marshalText) && has(t, unmarshalText))
	switch k := t.Kind(); k {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return own
	case reflect.Interface:
		return t.NumMethod() == 0
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return own || readsJSON(t.Elem(), seen)
	case reflect.Map:
		key, e := t.Key(), t.Elem()
		if (has(e, marshalJSON) || has(e, marshalText)) && !e.Implements(marshalJSON) && !e.Implements(marshalText) {
			return own // encoding/json cannot call it: values of maps have no address
		}
		keyed := key.Kind() == reflect.String || reflect.Int <= key.Kind() && key.Kind() <= reflect.Uintptr || has(key, marshalText) && has(key, unmarshalText)
		return own || keyed && readsJSON(e, seen)
	case reflect.Struct:
		if own {
			return true
		}
		some := t.NumField() == 0
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				some = true
				if !readsJSON(f.Type, seen) {
					return false
				}
			}
		}
		return some
	}
	return true
}

// carriesNothing reports a struct of which no field would be carried, at the end of
// pointers, lists and maps.
func carriesNothing(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	for holds(t) {
		if seen[t] {
			return false
		}
		seen[t] = true
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.NumField() == 0 || numbered(t) || known(t) || ownForm(t) || AsJSON(t) {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		left := f.Tag.Get("json") == "-" || f.Anonymous && carriesNothing(f.Type) || leaf(f.Type).Kind() == reflect.Interface && Unformed(f.Type)
		if f.Type == unknownType || f.IsExported() && !left {
			return false
		}
	}
	return true
}

// ownForm reports a type that takes part by methods of its own that are not JSON's.
func ownForm(t reflect.Type) bool {
	if t.Name() == "" || t.PkgPath() == "" {
		return false
	}
	zmy := declares(t, appendZMY, "AppendZMY") && declares(t, unmarshalZMY, "UnmarshalZMY")
	binary := (declares(t, appendBinary, "AppendBinary") || declares(t, marshalBinary, "MarshalBinary")) && declares(t, unmarshalBinary, "UnmarshalBinary")
	text := (declares(t, appendText, "AppendText") || declares(t, marshalText, "MarshalText")) && declares(t, unmarshalText, "UnmarshalText")
	return zmy || t.Kind() == reflect.Struct && !numbered(t) && (binary || text)
}
