package worker

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/lab/values"
)

// Growing brings values to a size by the length of what they hold: their outermost lists,
// or without any their maps, their byte strings, their strings, in this order. What is
// added repeats what is there, so that large values look like small ones.

// kinds of what can grow, in the order in which they are tried.
var growable = []struct {
	what string
	is   func(t reflect.Type) bool
}{
	{"lists", func(t reflect.Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 }},
	{"maps", func(t reflect.Type) bool { return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String }},
	{"byte strings", func(t reflect.Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 }},
	{"strings", func(t reflect.Type) bool { return t.Kind() == reflect.String }},
}

// errFixed says that a type has nothing to grow.
var errFixed = errors.New("the type cannot grow: it has no list, map, byte string or string that is filled and can be set")

// place is something to grow in a value: as it was, and where it stands.
type place struct {
	path string
	was  reflect.Value
	at   reflect.Value
}

// grow changes every value to about size bytes of JSON, and says what it changed. Values
// that have nothing to grow are left out.
func grow[T any](vals []T, size int64) (out []T, what string, err error) {
	err = errFixed
	for _, kind := range growable {
		var paths []string
		for i := range vals {
			v := vals[i]
			g := grower{is: kind.is}
			g.find(reflect.ValueOf(&v).Elem(), "", 0)
			if len(g.places) == 0 {
				continue
			}
			if !g.fit(&v, float64(size)) {
				if err == errFixed {
					err = fmt.Errorf("no value comes within %.0f%% of %d bytes by the length of its %s", 100*near, size, kind.what)
				}
				continue
			}
			if out = append(out, v); len(paths) == 0 {
				for _, p := range g.places {
					paths = append(paths, strings.TrimPrefix(p.path, "."))
				}
			}
		}
		if len(out) > 0 {
			return out, fmt.Sprintf("the length of %s (%s)", strings.Join(paths[:min(len(paths), 4)], ", "), kind.what), nil
		}
	}
	return nil, "", err
}

type grower struct {
	is     func(reflect.Type) bool
	places []place
}

// deepest is how many structs and pointers are looked through.
const deepest = 12

// find collects the outermost places of the kind that hold something. Pointers are
// replaced by copies first: values share what they point to.
func (g *grower) find(v reflect.Value, path string, depth int) {
	t := v.Type()
	if depth > deepest || !v.CanSet() || spellsItself(t) {
		return
	}
	if g.is(t) {
		if v.Len() > 0 {
			was := reflect.New(t).Elem()
			was.Set(v)
			g.places = append(g.places, place{path, was, v})
		}
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if name := t.Field(i).Name; name != "_" {
				g.find(v.Field(i), path+"."+name, depth+1)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(t.Elem())
			c.Elem().Set(v.Elem())
			v.Set(c)
			g.find(c.Elem(), path, depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			g.find(v.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1)
		}
	}
}

// spellsItself reports types that have their own text or JSON: their parts are not for
// others to change.
func spellsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	for _, i := range []reflect.Type{reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[json.Marshaler](),
		reflect.TypeFor[encoding.BinaryMarshaler]()} {
		if t.Implements(i) || p.Implements(i) {
			return true
		}
	}
	return false
}

// scale sets every place to factor times its length, at least one element.
func (g *grower) scale(factor float64) {
	for _, p := range g.places {
		n := max(1, int(math.Round(factor*float64(p.was.Len()))))
		switch p.at.Kind() {
		case reflect.Slice:
			s := reflect.MakeSlice(p.was.Type(), n, n)
			for i := 0; i < n; i += p.was.Len() {
				reflect.Copy(s.Slice(i, n), p.was)
			}
			p.at.Set(s)
		case reflect.String:
			p.at.SetString(stretched(p.was.String(), n))
		case reflect.Map:
			p.at.Set(larger(p.was, n))
		}
	}
}

// stretched is text n bytes long or a little longer, not cut inside a character.
func stretched(s string, n int) string {
	if n >= len(s) {
		return strings.Repeat(s, (n+len(s)-1)/len(s))
	}
	for i := range s {
		if i >= n {
			return s[:i]
		}
	}
	return s
}

// larger is a map of n entries: those of m in the order of their keys, again under new keys.
func larger(m reflect.Value, n int) reflect.Value {
	out := reflect.MakeMapWithSize(m.Type(), n)
	keys := m.MapKeys()
	sortByText(keys)
	for i := range n {
		k := keys[i%len(keys)]
		name := reflect.New(k.Type()).Elem()
		name.Set(k)
		if turn := i / len(keys); turn > 0 {
			name.SetString(fmt.Sprintf("%s_%d", k.String(), turn))
		}
		out.SetMapIndex(name, m.MapIndex(k))
	}
	return out
}

func sortByText(keys []reflect.Value) {
	for i := range keys { // few: those of one small map
		for j := i; j > 0 && keys[j].String() < keys[j-1].String(); j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
}

// near is how far from the size a value may be.
const near = 0.1

// fit finds the factor at which the value has the size. One that is large with a single
// element in each place, or grows in leaps beyond the bounds, does not fit.
func (g *grower) fit(v any, size float64) bool {
	factor, lo, hi := 1.0, 0.0, math.Inf(1)
	for range 24 {
		g.scale(factor)
		got := jsonSize(v)
		switch {
		case math.Abs(got-size) <= near*size:
			return true
		case got < size:
			lo = factor
		default:
			hi = factor
		}
		next := factor * size / got
		if next <= lo || next >= hi {
			next = (lo + hi) / 2
			if math.IsInf(hi, 1) {
				next = 2 * lo
			}
		}
		if math.Abs(next-factor) < 1e-6*factor {
			break
		}
		factor = next
	}
	return false
}

// jsonSize is the size as JSON, or the memory where that cannot be had.
func jsonSize(v any) float64 {
	if b, err := json.Marshal(v); err == nil {
		return float64(len(b))
	}
	return float64(values.Size(v))
}
