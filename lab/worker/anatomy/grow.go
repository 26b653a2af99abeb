package anatomy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/values"
)

// Grow resizes a value by changing the lengths of its lists, maps, byte strings or strings. It
// tries these kinds in order, and stops at the first kind with which some value gets close to the
// size. It does not look inside lists, maps and interfaces. Added elements repeat the present ones,
// so that large values look like small ones.

// growable lists the kinds of parts that can grow, in the order in which they are tried.
var growable = []struct {
	what string
	is   func(t reflect.Type) bool
}{
	{"lists", func(t reflect.Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 }},
	{"maps", func(t reflect.Type) bool { return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String }},
	{"byte strings", func(t reflect.Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 }},
	{"strings", func(t reflect.Type) bool { return t.Kind() == reflect.String }},
}

// errFixed says that a type has no part that can grow.
var errFixed = errors.New("the type cannot grow: it has no list, map, byte string or string that is filled and can be set")

// place is a part of a value that can grow: its path, its original content, and the part itself.
type place struct {
	path string
	was  reflect.Value
	at   reflect.Value
}

// Grow changes every value to about size bytes of JSON, and says what it changed. It may also
// shorten values. It leaves out values that do not get close to the size.
func Grow[T any](vals []T, size int64) (out []T, what string, err error) {
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

// growDepth bounds the nesting of structs and pointers that find looks through.
const growDepth = 12

// find collects the outermost non-empty parts of the kind. It replaces pointers by pointers to
// copies, since values may share their targets.
func (g *grower) find(v reflect.Value, path string, depth int) {
	t := v.Type()
	if depth > growDepth || !v.CanSet() || ownForm(t) {
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

// scale sets every part to factor times its original length, but at least one element.
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

// stretched returns text of n bytes or a little more, never cut inside a character.
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

// larger returns a map of n entries: those of m in the order of their keys, then the same elements
// under new keys.
func larger(m reflect.Value, n int) reflect.Value {
	out := reflect.MakeMapWithSize(m.Type(), n)
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
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

// near is the largest allowed difference between a value's size and the size asked for, as a share
// of the size asked for.
const near = 0.1

// fit finds a factor at which the value gets close to the size. It returns false if there is none,
// for example because one element in each part is too large already, or because the size grows in
// steps.
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

// jsonSize returns the size of v as JSON, in bytes. If encoding/json refuses v, it returns the size
// of v in memory.
func jsonSize(v any) float64 {
	if b, err := json.Marshal(v); err == nil {
		return float64(len(b))
	}
	return float64(values.Size(v))
}
