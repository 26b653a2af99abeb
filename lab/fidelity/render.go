package fidelity

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// render returns a short text of v, without its type.
func render(v reflect.Value) string { return clip(spell(v)) }

// renderTyped returns a short text of v after its type: `int 5`, `[]string (3 elements)`.
func renderTyped(v reflect.Value) string {
	name, text := typeName(v.Type()), spell(v)
	if rest, ok := strings.CutPrefix(text, name); ok {
		text = strings.TrimPrefix(rest, " ")
	}
	return strings.TrimSuffix(name+" "+clip(text), " ")
}

// width bounds the text of a value, or of a key in a path, in runes: a difference is one line.
const width = 48

// clip shortens s to at most width runes. A shortened text ends in an ellipsis, which counts.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == width {
			return s[:i] + "…"
		}
	}
	return s
}

// typeName returns the name of a type, with any for interface {}.
func typeName(t reflect.Type) string {
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}

func spell(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	if text, ok := spellSpecial(v); ok {
		return text
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return "nil"
		}
	}
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		return strconv.Quote(s[:min(len(s), 1024)]) // most of a longer text is clipped
	case reflect.Float32:
		return spellFloat(v.Float(), 32)
	case reflect.Float64:
		return spellFloat(v.Float(), 64)
	case reflect.Pointer, reflect.Interface:
		if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Pointer {
			return typeName(v.Type())
		}
		return spell(v.Elem())
	case reflect.Slice:
		return spellSlice(v)
	case reflect.Map:
		return fmt.Sprintf("%s (%s)", typeName(v.Type()), count(v.Len(), "key"))
	case reflect.Array:
		if isBasic(v.Type().Elem()) && v.Len() <= 32 && v.CanInterface() {
			return fmt.Sprint(v.Interface())
		}
		return typeName(v.Type())
	case reflect.Struct:
		return typeName(v.Type()) + "{…}"
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return typeName(v.Type())
	}
	return fmt.Sprint(v) // fmt prints the number or bool in a Value
}

func spellFloat(f float64, bits int) string {
	if f == 0 && math.Signbit(f) {
		return "-0"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func spellSlice(v reflect.Value) string {
	switch {
	case v.Len() == 0:
		return "empty"
	case isRaw(v):
		return string(v.Bytes()[:min(v.Len(), 1024)])
	case isBytes(v):
		text := "0x" + hex.EncodeToString(v.Bytes()[:min(v.Len(), 12)])
		if v.Len() > 12 {
			text += "…"
		}
		return fmt.Sprintf("%s (%s)", text, count(v.Len(), "byte"))
	}
	return fmt.Sprintf("%s (%s)", typeName(v.Type()), count(v.Len(), "element"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func spellSpecial(v reflect.Value) (string, bool) {
	if !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", false
	}
	switch v.Type() {
	case timeType:
		return timeText(v.Interface().(time.Time)), true
	case durationType:
		return v.Interface().(time.Duration).String(), true
	case bigIntType:
		return pointer(v).(*big.Int).String(), true
	case bigRatType:
		return pointer(v).(*big.Rat).RatString(), true
	case bigFloatType:
		return bigFloatText(pointer(v).(*big.Float)), true
	}
	if v.Kind() == reflect.Struct && shapeOf(v.Type()).opaque {
		return textOf(v)
	}
	return "", false
}

func bigFloatText(f *big.Float) string {
	return fmt.Sprintf("%s (precision %d)", f.Text('g', -1), f.Prec())
}

// sortedKeys returns the keys of a map except NaN keys, which cannot be looked up. Integers and
// strings are sorted by value, other keys by their text.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := make([]reflect.Value, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		if k := it.Key(); k.Equal(k) { // a NaN key cannot be looked up
			keys = append(keys, k)
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		case a.Kind() == reflect.String:
			return a.String() < b.String()
		}
		return spell(a) < spell(b)
	})
	return keys
}

// nanKeys returns the elements whose keys are not equal to themselves.
func nanKeys(m reflect.Value) (elems []reflect.Value) {
	for it := m.MapRange(); it.Next(); {
		if k := it.Key(); !k.Equal(k) {
			elems = append(elems, it.Value())
		}
	}
	return elems
}
