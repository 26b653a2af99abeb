package side

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/values"
)

// separate names the extremes that some codec refuses in a place where another one does not. Their
// places are tried apart, so that one refusal does not hide the others.
var separate = map[string]bool{
	"string invalid UTF-8":     true,
	"map key invalid UTF-8":    true,
	"any string invalid UTF-8": true,
}

// cases calls visit with each adversarial case and its number. visit returns whether the case was
// taken; see values.Adversarial.
func (s *server[T]) cases(visit func(n int, c *values.Case[T]) bool) {
	if s.dense == nil {
		return
	}
	n := 0
	_ = values.Adversarial(func(c *values.Case[T]) bool { // the error is that of values.Dense
		took := visit(n, c)
		n++
		return took
	})
}

// Names returns the names of the members that structs below t have as JSON, sorted. A member with
// another name belongs to a map or to an interface.
func Names(t reflect.Type) []string {
	found, seen := map[string]bool{}, map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" && f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
					continue
				}
				if name == "" {
					name = f.Name
				}
				found[name] = true
				walk(f.Type)
			}
		}
	}
	walk(t)
	var out []string
	for name := range found {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Shape returns a digest of a type: the names, types and struct tags of all fields below it. Two
// versions of a type with the same shape draw the same values.
func Shape(t reflect.Type) uint64 {
	var lines []string
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		lines = append(lines, t.String()+" "+t.Kind().String())
		switch t.Kind() {
		case reflect.Map:
			walk(t.Key())
			walk(t.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				lines = append(lines, fmt.Sprintf("%s %s %q", f.Name, f.Type, f.Tag))
				walk(f.Type)
			}
		}
	}
	walk(t)
	return sumLines(lines)
}
