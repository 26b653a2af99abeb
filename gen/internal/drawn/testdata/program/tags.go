package main

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"

	"github.com/zmylab/zmy/fxjson"
)

// current is the pool from which fromPool takes values of interfaces: that of package main or that
// of package twin.
var current = pool

// missing counts the errors for required members.
var missing int

// pair makes all checks with type i and its twin. Both have struct tags fxjson, which encoding/json
// does not know. So pair compares the generated code of the type with fxjson's reflection for the
// twin, which has no generated code.
func pair(i int) {
	t, u := reflect.TypeOf(all[i]).Elem(), reflect.TypeOf(twins[i]).Elem()
	v, w := reflect.New(t), reflect.New(u)
	alike(v, w, 4)
	for range 2 {
		a, b := v.Interface(), w.Interface()
		if r.IntN(2) == 0 {
			a, b = v.Elem().Interface(), w.Elem().Interface()
		}
		got := try(func() ([]byte, error) { return fxjson.Marshal(a) })
		want := try(func() ([]byte, error) { return fxjson.Marshal(b) })
		checks++
		if !got.like(ofTwin(want)) && !otherKey(b, got, want) {
			fault("Marshal with tags", "%s:\n%s\nwant\n%s", t, got, want)
		}
		if got.out == nil {
			continue
		}
		keepsRest(v.Elem(), got.out)
		tree := parse(got.out)
		for _, doc := range [][]byte{got.out, damage(got.out), tree.vary(6), tree.vary(3)} {
			decodeTags(t, u, doc)
		}
	}
}

// otherKey reports whether marshaling the twin v returns the error in got in one of 300 more calls.
// If several keys of a map cannot be marshaled, the error names the first one in the random order
// of the map.
func otherKey(v any, got, want result) bool {
	for n := 0; got.err != "" && want.err != "" && n < 300; n++ {
		if again := try(func() ([]byte, error) { return fxjson.Marshal(v) }); got.like(ofTwin(again)) {
			return true
		}
	}
	return false
}

// alike fills v and its twin w with the same random values.
func alike(v, w reflect.Value, depth int) {
	seed := r.Uint64()
	for _, p := range []reflect.Value{v, w} {
		r = rand.New(rand.NewPCG(seed, 9))
		if current = pool; p == w {
			current = twinPool
		}
		fill(p.Elem(), depth)
	}
	current = pool
}

// ofTwin returns the result x of a twin with names of types as in package main.
func ofTwin(x result) result {
	x.err = strings.ReplaceAll(x.err, "twin.", "main.")
	return x
}

var structField = regexp.MustCompile(`Go struct field .+ of`)

// pathless returns the result x with an error that names no field. Types with the struct tag fxjson
// get the errors of the option FastErrors, in which only reflection names the field.
func pathless(x result) result {
	x.err = structField.ReplaceAllString(x.err, "Go value of")
	return x
}

func decodeTags(t, u reflect.Type, doc []byte) {
	got, want := reflect.New(t), reflect.New(u)
	used := r.IntN(3) == 0
	if used {
		alike(got, want, 3)
	}
	opt := fxjson.UnmarshalOptions{DisallowUnknownFields: r.IntN(6) == 0, UseNumber: r.IntN(6) == 0}
	var err error
	g := pathless(try(func() ([]byte, error) { err = opt.Unmarshal(doc, got.Interface()); return nil, err }))
	w := pathless(ofTwin(try(func() ([]byte, error) { return nil, opt.Unmarshal(doc, want.Interface()) })))
	checks++
	switch {
	case !g.like(w):
		fault("Unmarshal error with tags", "%s from %s: %v, want %v", t, doc, g, w)
	case g.panic != nil: // in a method of the types
	case !sameShape(got.Elem(), want.Elem()):
		fault("Unmarshal with tags", "%s from %s (%v):\n%s\nwant\n%s", t, doc, g, show(got), show(want))
	case err == nil:
		hasRequired(t, doc)
	case errors.As(err, new(*fxjson.MissingError)):
		missing++
	}
}

func show(v reflect.Value) string {
	return try(func() ([]byte, error) { return json.Marshal(v.Interface()) }).String()
}

// direct returns the fields that t itself declares by their names in JSON. It leaves out names that
// several fields have.
func direct(t reflect.Type) map[string]reflect.StructField {
	out := map[string]reflect.StructField{}
	count := map[string]int{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || strings.ContainsAny(name, "\\") {
			name = f.Name
		}
		count[name]++
		out[name] = f
	}
	for name, n := range count {
		if n > 1 {
			delete(out, name)
		}
	}
	return out
}

// hooked reports whether the type has methods that encoding/json calls.
func hooked(t reflect.Type) bool {
	for _, m := range []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"} {
		if _, ok := reflect.PointerTo(t).MethodByName(m); ok {
			return true
		}
	}
	return false
}

// hasRequired reports a fault for each member that t itself requires and that the accepted document
// doc lacks.
func hasRequired(t reflect.Type, doc []byte) {
	var members map[string]json.RawMessage
	if t.Kind() != reflect.Struct || hooked(t) || json.Unmarshal(doc, &members) != nil || members == nil {
		return
	}
	for name, f := range direct(t) {
		if f.Anonymous || f.Tag.Get("fxjson") != "required" {
			continue
		}
		found := false
		for key := range members {
			found = found || strings.EqualFold(key, name) || strings.EqualFold(key, f.Name)
		}
		checks++
		if !found {
			fault("Unmarshal accepts a document that lacks a member", "%s from %s: %s", t, doc, name)
		}
	}
}

// keepsRest reports a fault for each member of an inlined map that is not in the output.
func keepsRest(v reflect.Value, out []byte) {
	if v.Kind() != reflect.Struct || hooked(v.Type()) {
		return
	}
	rest, ok := v.Type().FieldByName("Rest")
	if !ok || len(rest.Index) > 1 || rest.Type.Kind() != reflect.Map {
		return
	}
	f := v.FieldByIndex(rest.Index)
	var members map[string]json.RawMessage
	json.Unmarshal(out, &members)
	for _, k := range f.MapKeys() {
		checks++
		if _, ok := members[strings.ToValidUTF8(k.String(), "\ufffd")]; !ok && !strings.Contains(k.String(), "\xff") {
			fault("Marshal leaves a member out", "%s: %s in %s", v.Type(), k, out)
		}
	}
}

// sameShape reports whether two values are equal, although their types have different names.
func sameShape(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String()
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float() || a.Float() != a.Float()
	case reflect.Interface, reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || sameShape(a.Elem(), b.Elem()))
	case reflect.Struct:
		for i := range a.NumField() {
			if !sameShape(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() || a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() {
			return false
		}
		for i := range a.Len() {
			if !sameShape(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return a.IsNil() == b.IsNil() && a.Len() == b.Len() && sameMembers(a, b)
	case reflect.Func, reflect.Chan:
		return a.IsNil() == b.IsNil()
	}
	if a.CanInt() {
		return a.Int() == b.Int()
	}
	return a.Uint() == b.Uint()
}

func sameMembers(a, b reflect.Value) bool {
	if a.Type().Key().Kind() == reflect.Pointer || !a.Type().Key().ConvertibleTo(b.Type().Key()) {
		return true // keys that cannot be compared
	}
	for _, k := range a.MapKeys() {
		if x := b.MapIndex(k.Convert(b.Type().Key())); !x.IsValid() || !sameShape(a.MapIndex(k), x) {
			return false
		}
	}
	return true
}
