package values

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Lengths. Formats write short lengths in fewer bytes than long ones. A codec that picks the wrong
// width, or is off by one where two widths meet, loses data. The lengths lie at the limits of
// widths that formats use (4, 5, 7, 8, 14 and 16 bits), or beyond.

var (
	longSlices = []change{longSlice(16), longSlice(256)}
	longMaps   = []change{longMap(16), longMap(300)}

	// manyScalars have more elements than 8 and 16 bits can count. The same number of structs would
	// take megabytes.
	manyScalars = []change{longSlice(300), {name: "slice of 65,537", most: 1, groups: 2, plain: true, from: by(extended, 65_537)}}
)

// longSlice and longMap return extremes of n elements. One case puts them into few places, so that
// it has at most 2,048 elements more, since the elements may be large structs.
func longSlice(n int) change {
	return change{name: "slice of " + strconv.Itoa(n), most: 2048 / n, groups: 3, plain: true, from: by(extended, n)}
}

func longMap(n int) change {
	return change{name: "map of " + strconv.Itoa(n), most: 2048 / n, groups: 3, plain: true, from: by(widened, n)}
}

// by returns a function that lengthens a list or map to n elements.
func by(lengthen func(was reflect.Value, n int) reflect.Value, n int) func(was reflect.Value) reflect.Value {
	return func(was reflect.Value) reflect.Value { return lengthen(was, n) }
}

// textOf and blobOf return extremes of n bytes. One case puts them into few places, so that it has
// at most 150 KiB more.
func textOf(n int) change {
	text := strings.Repeat("0123456789abcdef", (n+15)/16)[:n]
	return change{name: fmt.Sprintf("string of %d bytes", n), to: is("", text).to, most: max(1, 512*300/n), plain: true}
}

func blobOf(n int) change {
	blob := bytes.Repeat(everyByte(), (n+255)/256)[:n]
	return change{name: fmt.Sprintf("bytes of %d", n), to: bytesOf(blob), most: max(1, 512*300/n), plain: true}
}

// extended returns the list with n elements; the additional ones are like those that it has. The
// result is invalid for an empty list.
func extended(was reflect.Value, n int) reflect.Value {
	if was.Len() == 0 {
		return reflect.Value{}
	}
	s := reflect.MakeSlice(was.Type(), n, n)
	for i := reflect.Copy(s, was); i < n; i++ {
		s.Index(i).Set(lean(was.Index(i%was.Len()), i))
	}
	return s
}

// widened returns the map with n entries, or with fewer if vary makes fewer different keys; the
// additional elements are like those that the map has. The result is invalid for an empty map, and
// if vary cannot make keys of its type.
func widened(was reflect.Value, n int) reflect.Value {
	t := was.Type()
	if was.Len() == 0 || spellsItself(t.Key()) || !varies(t.Key()) || t.Key().Kind() == reflect.Bool {
		return reflect.Value{}
	}
	m := reflect.MakeMapWithSize(t, n)
	keys := sortedKeys(was)
	for i := 0; m.Len() < n && i < 2*n; i++ {
		k := keys[i%len(keys)]
		e := was.MapIndex(k)
		if i >= len(keys) {
			e, k = lean(e, i), reflect.New(t.Key()).Elem()
			vary(k, i)
		}
		m.SetMapIndex(k, e)
	}
	return m
}

// lean returns a copy of an element without its lists, maps and pointers, so that a long list stays
// small. The first number, time or string in it is set by index i, so that elements differ.
func lean(e reflect.Value, i int) reflect.Value {
	t := e.Type()
	c := reflect.New(t).Elem()
	c.Set(e)
	switch {
	case varies(t):
		vary(c, i)
	case isWhole(t):
	case t.Kind() == reflect.Pointer && !e.IsNil() && t.Elem().Kind() == reflect.Struct:
		c.Set(lean(e.Elem(), i).Addr())
	case t.Kind() == reflect.Struct:
		told := false
		for k := range c.NumField() {
			switch f := c.Field(k); {
			case !f.CanSet():
			case nilable(f.Type()) && !spellsItself(f.Type()):
				f.SetZero()
			case !told || f.Kind() == reflect.Struct:
				f.Set(lean(f, i))
				told = told || varies(f.Type())
			}
		}
	}
	return c
}

// varies reports whether vary has values for type t.
func varies(t reflect.Type) bool {
	return t == timeType || !spellsItself(t) && (t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String)
}

// vary sets v to the i-th of a series of values, most of which differ.
func vary(v reflect.Value, i int) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000+int64(i), 0).UTC()))
	case v.Kind() == reflect.Bool:
		v.SetBool(i%3 == 0 || i%7 == 0)
	case v.CanInt():
		v.SetInt(int64(i)*37 - 500)
		if bits := v.Type().Bits(); bits < 32 {
			v.SetInt(int64(i) << (64 - bits) >> (64 - bits))
		}
	case v.CanUint():
		v.SetUint(uint64(i) * 37 << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case v.CanFloat():
		v.SetFloat(float64(i) + 0.5)
	default:
		v.SetString("n" + strconv.Itoa(i))
	}
}

func manyAny(n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = "n" + strconv.Itoa(i)
	}
	return all
}

func manyKeys(n int) map[string]any {
	all := make(map[string]any, n)
	for i := range n {
		all["n"+strconv.Itoa(i)] = "v" + strconv.Itoa(i)
	}
	return all
}

// Most formats write small integers in fewer than 8 bytes. limits are the bounds of these widths,
// for signed and unsigned numbers, at which a codec may go wrong. -1 is what some formats write for
// nil. 2^53+1 is the least positive integer that float64 cannot hold.
var limits = []int64{-1, -129, -1<<31 - 1, 128, 255, 1<<16 - 1, 1 << 31, 1<<32 - 1, 1<<53 + 1}

// limitsOf returns an extreme for each limit that fits an integer type.
func limitsOf(t reflect.Type) (out []change) {
	add := func(n any, text string) {
		c := is(t.Kind().String()+" "+text, n)
		c.plain = true
		out = append(out, c)
	}
	for _, n := range limits {
		if v := reflect.Zero(t); v.CanInt() && !v.OverflowInt(n) || v.CanUint() && n > 0 && !v.OverflowUint(uint64(n)) {
			add(n, strconv.FormatInt(n, 10))
		}
	}
	if t.Kind() >= reflect.Uint && t.Bits() == 64 {
		add(uint64(1)<<63, "2^63")
	}
	return out
}

// deepLevels is the depth of values of types that contain themselves.
const deepLevels = 64

var nested = change{name: "nested 64 deep", plain: true, most: 32, groups: 1, from: deepened}

// loop returns the index of a field with type t in the struct that t points to or is a list of, or
// -1.
func loop(t reflect.Type) int {
	e := t
	if t.Kind() == reflect.Slice {
		e = t.Elem()
	}
	if e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	if e == t || e.Kind() != reflect.Struct || isWhole(e) {
		return -1
	}
	for i := range e.NumField() {
		if f := e.Field(i); f.Type == t && f.IsExported() && f.Tag.Get("json") != "-" {
			return i
		}
	}
	return -1
}

// deepened returns a value of a type that contains itself, deepLevels deep. The result is invalid
// if was contains no value to copy.
func deepened(was reflect.Value) reflect.Value {
	t, e := was.Type(), was
	if t.Kind() == reflect.Slice {
		if was.Len() == 0 {
			return reflect.Value{}
		}
		e = was.Index(0)
	}
	if e.Kind() == reflect.Pointer {
		if e = e.Elem(); !e.IsValid() {
			return e
		}
	}
	inner := reflect.Zero(t)
	for i := range deepLevels {
		c := lean(e, i)
		c.Field(loop(t)).Set(inner)
		if t.Kind() == reflect.Pointer {
			inner = c.Addr()
			continue
		}
		if t.Elem().Kind() == reflect.Pointer {
			c = c.Addr()
		}
		inner = reflect.Append(reflect.MakeSlice(t, 0, 1), c)
	}
	return inner
}
