package values

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Untested returns, sorted, the places ("Items[].Price (model.Decimal)") where a
// type keeps data in unexported fields that were zero in every one of vals, and those of
// interfaces with methods that were always nil. What a codec does to such data is then not
// known, however well it keeps the values.
func Untested[T any](vals []T) []string {
	seen := map[string]bool{} // place → some value had hidden data
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

// deepest bounds the walk through values that contain themselves.
const deepest = 32

func hidden(seen map[string]bool, v reflect.Value, path string, depth int) {
	if depth > deepest {
		return
	}
	if v.Kind() == reflect.Interface && v.NumMethod() > 0 {
		place := fmt.Sprintf("%s (%s)", path, v.Type())
		seen[place] = seen[place] || !v.IsNil()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			hidden(seen, v.Elem(), path, depth+1)
		} else if v.Kind() == reflect.Pointer && mute(v.Type().Elem()) {
			place := fmt.Sprintf("%s (%s)", path, v.Type().Elem())
			seen[place] = seen[place] // named, unless another value has one
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
			place := path
			if place == "" {
				place = "the value itself"
			}
			place = fmt.Sprintf("%s (%s)", place, v.Type())
			seen[place] = seen[place] || hasHidden(v)
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				at := f.Name
				if path != "" {
					at = path + "." + f.Name
				}
				hidden(seen, v.Field(i), at, depth+1)
			}
		}
	}
}

func scalar(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// secretive tells whether t has data that only methods of its own can write: it
// has unexported fields, and marshals itself or has no others.
func secretive(t reflect.Type) bool {
	if sealed(t) {
		return true
	}
	p := reflect.PointerTo(t)
	if !p.Implements(reflect.TypeFor[json.Marshaler]()) && !p.Implements(reflect.TypeFor[encoding.TextMarshaler]()) &&
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

// sealed reports a struct of unexported fields only that is no lock.
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

// mute reports a sealed struct without a form of its own: the generator can put nothing in it.
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
