// Package anatomy takes the values of a subject apart by reflection. It hashes them, changes them
// in place, makes them larger and packs them. It knows no codecs: the checks of a worker use it to
// make values in which a codec's faults would show.
//
// NOTE, the map: parts.go walks through values; digest.go hashes them; perturb.go gives them other
// digits and letters, lengthen.go long strings, grow.go another size as JSON; share.go overwrites
// memory that two values may share; compact.go packs a value, to bound the size of its message;
// merge.go compares a reused target with a fresh one.
package anatomy

import (
	"iter"
	"reflect"
	"slices"
	"time"
)

// deepest is the depth at which walks stop, because a value may contain itself.
const deepest = 64

var typeOfTime = reflect.TypeFor[time.Time]()

// parts yields the parts one level below v: the target of a pointer or an interface, exported
// fields, elements of lists, and the values of maps.
func parts(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				yield(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() && !yield(v.Field(i)) {
					return
				}
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				if !yield(v.Index(i)) {
					return
				}
			}
		case reflect.Map:
			for it := v.MapRange(); it.Next(); {
				if !yield(it.Value()) {
					return
				}
			}
		}
	}
}

// isFlat reports whether v is a list of basic values. Walks do not enter such lists, which may have
// millions of elements and nothing below them.
func isFlat(v reflect.Value) bool {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return false
	}
	k := v.Type().Elem().Kind()
	return k < reflect.Array || k == reflect.String
}

// walk calls visit with v and, while visit returns true, with the parts below it.
func walk(v reflect.Value, depth int, visit func(reflect.Value) bool) {
	if depth > deepest || !visit(v) || isFlat(v) {
		return
	}
	for part := range parts(v) {
		walk(part, depth+1, visit)
	}
}

// ownForm reports whether a type has a marshal method of its own. Such values are not changed,
// because the method might refuse the changed content.
func ownForm(t reflect.Type) bool {
	return ownFormOf(t) || ownFormOf(reflect.PointerTo(t))
}

// ownFormOf reports whether the method set of t itself has a marshal method.
func ownFormOf(t reflect.Type) bool {
	for _, name := range []string{"MarshalJSON", "MarshalText", "MarshalBinary", "GobEncode"} {
		if _, ok := t.MethodByName(name); ok {
			return true
		}
	}
	return false
}

// OwnCode reports whether marshaling a value of type t may run methods that write to the value, such
// as a MarshalText that keeps its text. It looks for marshal methods outside of the standard
// library, and cannot look into interfaces with methods. A method on a plain value, such as an array
// of bytes, cannot write to it.
func OwnCode(t reflect.Type) bool { return ownCode(t, map[reflect.Type]bool{}) }

func ownCode(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if t.Kind() != reflect.Pointer && ownForm(t) {
		return !standard(t.PkgPath()) && !(isPlain(t) && ownFormOf(t))
	}
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() > 0
	case reflect.Map:
		return ownCode(t.Key(), seen) || ownCode(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return ownCode(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if ownCode(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// standard reports whether a package is one of those of the standard library whose types marshal
// themselves. Several goroutines may marshal the same value of these.
func standard(pkg string) bool {
	return slices.Contains([]string{"database/sql", "encoding/json", "encoding/json/jsontext", "log/slog", "math/big", "net", "net/netip",
		"net/url", "regexp", "time"}, pkg)
}

// isPlain reports whether a value of type t holds no reference but to a string.
func isPlain(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return isPlain(t.Elem())
	default:
		return k < reflect.Array || k == reflect.String
	}
}

// HasMap reports whether the value contains a map with at least two entries.
func HasMap(value any) (found bool) {
	walk(reflect.ValueOf(&value).Elem(), 0, func(x reflect.Value) bool {
		found = found || x.Kind() == reflect.Map && x.Len() > 1
		return !found
	})
	return found
}

// Change applies set to the value at p and to all parts below it, also to values of maps. set says
// whether it has changed a part; Change does not look below such parts. It reports whether anything
// was changed.
func Change(p any, set func(reflect.Value) bool) bool {
	return change(reflect.ValueOf(p).Elem(), set)
}

func change(v reflect.Value, set func(reflect.Value) bool) (changed bool) {
	walk(v, 0, func(x reflect.Value) bool {
		if set(x) {
			changed = true
			return false
		}
		if x.Kind() != reflect.Map {
			return true
		}
		for _, k := range x.MapKeys() { // values of maps cannot be set in place
			if elem := copyOf(x.MapIndex(k)); change(elem, set) {
				x.SetMapIndex(k, elem)
				changed = true
			}
		}
		return false
	})
	return changed
}

// copyOf returns a copy of v that can be set.
func copyOf(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
