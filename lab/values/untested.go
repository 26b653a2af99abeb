package values

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Untested returns, sorted, the places where no value has data: unexported fields that are zero in
// all vals, and interfaces with methods that are always nil. So nothing is known about what a codec
// does to data there. A place is a path and a type: "Items[].Price (model.Decimal)".
func Untested[T any](vals []T) []string {
	seen := map[string]bool{} // place → some value has hidden data
	for i := range vals {
		hidden(seen, reflect.ValueOf(&vals[i]).Elem(), "", 0)
	}
	var out []string
	for place, filled := range seen {
		if !filled {
			out = append(out, place)
		}
	}
	slices.Sort(out)
	return out
}

// deepest bounds the walk, since values may contain themselves.
const deepest = 32

func hidden(seen map[string]bool, v reflect.Value, path string, depth int) {
	if depth > deepest {
		return
	}
	note := func(t reflect.Type, filled bool) { // a place counts as untested unless some value has data there
		place := fmt.Sprintf("%s (%s)", cmp.Or(path, "the value itself"), t)
		seen[place] = seen[place] || filled
	}
	if v.Kind() == reflect.Interface && v.NumMethod() > 0 {
		note(v.Type(), !v.IsNil())
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			hidden(seen, v.Elem(), path, depth+1)
		} else if v.Kind() == reflect.Pointer && mute(v.Type().Elem()) {
			note(v.Type().Elem(), false)
		}
	case reflect.Slice, reflect.Array:
		if scalar(v.Type().Elem().Kind()) {
			return
		}
		for i := range v.Len() {
			hidden(seen, v.Index(i), path+"[]", depth+1)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			hidden(seen, it.Value(), path+"[*]", depth+1)
		}
	case reflect.Struct:
		if secretive(v.Type()) {
			note(v.Type(), hasHidden(v))
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				hidden(seen, v.Field(i), strings.TrimPrefix(path+"."+f.Name, "."), depth+1)
			}
		}
	}
}

func scalar(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// secretive reports whether t has data that only its own methods can write: it has unexported
// fields, and either marshals itself or has no other fields.
func secretive(t reflect.Type) bool {
	if sealed(t) {
		return true
	}
	p := reflect.PointerTo(t)
	if !p.Implements(jsonWriter) && !p.Implements(textWriter) &&
		!p.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() && !f.Anonymous {
			return true
		}
	}
	return false
}

// sealed reports whether t is a struct with only unexported fields, and not a lock.
func sealed(t reflect.Type) bool {
	fields := 0
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.IsExported(), f.Anonymous:
			return false
		case f.Name != "_":
			fields++
		}
	}
	return fields > 0 && !isLock(t)
}

// mute reports whether t is a sealed struct without its own form, so that the generator cannot set
// it.
func mute(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Location]() && sealed(t) && !spellsItself(t)
}

func hasHidden(v reflect.Value) bool {
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.IsExported() && !v.Field(i).IsZero() {
			return true
		}
	}
	return false
}
