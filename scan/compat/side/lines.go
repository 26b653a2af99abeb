package side

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
)

// deepest bounds the walks, since values may contain themselves.
const deepest = 100

// longest is the number of bytes of a string that a line shows; of a longer one it has the length
// and a hash.
const longest = 120

// Lines spells a value, one line for each leaf: `Items[0].Qty = 3`. Two values with the same lines
// are the same to a program that compares them field by field. Nil and empty slices and maps have
// different lines. Addresses do not occur.
func Lines(v reflect.Value) []string {
	s := &speller{}
	s.walk(v, "", 0)
	return s.lines
}

type speller struct {
	lines []string
}

func (s *speller) leaf(path, text string) {
	if path == "" {
		path = "."
	}
	s.lines = append(s.lines, path+" = "+text)
}

func (s *speller) walk(v reflect.Value, path string, depth int) {
	if depth > deepest {
		s.leaf(path, "…")
		return
	}
	if v.Type() == timeType && v.CanInterface() {
		t := v.Interface().(time.Time)
		s.leaf(path, t.Format("2006-01-02T15:04:05.999999999Z07:00:00"))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			s.leaf(path, "nil")
		} else if v.Type().Elem() == locationType {
			s.leaf(path, "location")
		} else {
			s.walk(v.Elem(), path, depth+1)
		}
	case reflect.Interface:
		if v.IsNil() {
			s.leaf(path, "nil")
		} else {
			s.walk(v.Elem(), path+".("+v.Elem().Type().String()+")", depth+1)
		}
	case reflect.Struct:
		if v.NumField() == 0 {
			s.leaf(path, "{}")
		}
		for i := range v.NumField() {
			s.walk(v.Field(i), join(path, v.Type().Field(i).Name), depth+1)
		}
	case reflect.Slice, reflect.Array:
		s.list(v, path, depth)
	case reflect.Map:
		s.entries(v, path, depth)
	default:
		s.leaf(path, scalar(v))
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (s *speller) list(v reflect.Value, path string, depth int) {
	switch {
	case v.Kind() == reflect.Slice && v.IsNil():
		s.leaf(path, "nil")
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		s.leaf(path, quote(string(v.Bytes())))
	case v.Len() == 0:
		s.leaf(path, "[]")
	default:
		for i := range v.Len() {
			s.walk(v.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1)
		}
	}
}

func (s *speller) entries(v reflect.Value, path string, depth int) {
	switch {
	case v.IsNil():
		s.leaf(path, "nil")
	case v.Len() == 0:
		s.leaf(path, "{}")
	}
	for _, k := range keys(v) {
		s.walk(v.MapIndex(k.v), path+"["+k.text+"]", depth+1)
	}
}

type key struct {
	v    reflect.Value
	text string
}

// keys returns the keys of a map in the order of their texts.
func keys(m reflect.Value) []key {
	var out []key
	for _, k := range m.MapKeys() {
		in := &speller{}
		in.walk(k, "", 0)
		out = append(out, key{k, strings.Join(in.lines, ",")})
		out[len(out)-1].text = strings.TrimPrefix(out[len(out)-1].text, ". = ")
	}
	sort.Slice(out, func(i, j int) bool { return out[i].text < out[j].text })
	return out
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	locationType = reflect.TypeFor[time.Location]()
)

// scalar spells a value without parts.
func scalar(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		return float(v.Float(), 32)
	case reflect.Float64:
		return float(v.Float(), 64)
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(v.Complex())
	case reflect.String:
		return quote(v.String())
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if v.IsZero() {
			return "nil"
		}
		return "a " + v.Kind().String()
	}
	return v.Kind().String()
}

func float(f float64, bits int) string {
	if f == 0 && math.Signbit(f) {
		return "-0"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// quote returns a string in quotes. A long one is shortened, with its length and a hash.
func quote(s string) string {
	if len(s) <= longest {
		return strconv.Quote(s)
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return fmt.Sprintf("%q… (%d bytes, %x)", s[:longest/2], len(s), h.Sum64())
}

// Spell writes a value as Go source would, without its zero fields: Order{Qty: 3}. It is cut after
// some hundred bytes.
func Spell(v reflect.Value) string {
	var b strings.Builder
	spell(&b, v, 0)
	const most = 600
	if b.Len() > most {
		return b.String()[:most] + "…"
	}
	return b.String()
}

func spell(b *strings.Builder, v reflect.Value, depth int) {
	if depth > 12 || b.Len() > 1000 {
		b.WriteString("…")
		return
	}
	if v.Type() == timeType && v.CanInterface() {
		fmt.Fprintf(b, "time(%s)", v.Interface().(time.Time).Format(time.RFC3339Nano))
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		if v.Kind() == reflect.Pointer {
			b.WriteByte('&')
		}
		spell(b, v.Elem(), depth+1)
	case reflect.Struct:
		b.WriteString(name(v.Type()) + "{")
		n := 0
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				separator(b, n)
				b.WriteString(v.Type().Field(i).Name + ": ")
				spell(b, f, depth+1)
				n++
			}
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		spellList(b, v, depth)
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString(name(v.Type()) + "{")
		for i, k := range keys(v) {
			separator(b, i)
			b.WriteString(k.text + ": ")
			spell(b, v.MapIndex(k.v), depth+1)
		}
		b.WriteByte('}')
	default:
		b.WriteString(scalar(v))
	}
}

func spellList(b *strings.Builder, v reflect.Value, depth int) {
	switch {
	case v.Kind() == reflect.Slice && v.IsNil():
		b.WriteString("nil")
		return
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		fmt.Fprintf(b, "%s(%s)", name(v.Type()), quote(string(v.Bytes())))
		return
	}
	b.WriteString(name(v.Type()) + "{")
	for i := range v.Len() {
		separator(b, i)
		spell(b, v.Index(i), depth+1)
	}
	b.WriteByte('}')
}

func separator(b *strings.Builder, n int) {
	if n > 0 {
		b.WriteString(", ")
	}
}

// name returns a type's name without its package.
func name(t reflect.Type) string {
	if t.Name() != "" {
		short, _, _ := strings.Cut(t.Name(), "[")
		return short
	}
	return t.String()
}
