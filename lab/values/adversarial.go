package values

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sort"
)

// Case is a value that breaks codecs: a plain one with one thing changed.
type Case[T any] struct {
	Name  string // "float64 NaN"
	Path  string // where it was changed: Items[0].Price; "." for the whole value
	Value T
}

// Adversarial returns the cases that T has room for: the zero value, all nil, and
// for the first place of each kind in T its extremes (see extremes.go). They fill the
// capability matrix and are no part of the gate. Every call returns the same cases.
func Adversarial[T any]() ([]Case[T], error) {
	plain, err := dense[T]()
	if err != nil {
		return nil, err
	}
	nilled := plain
	clearRefs(reflect.ValueOf(&nilled).Elem())
	out := []Case[T]{{Name: "plain", Path: ".", Value: plain}, {Name: "zero", Path: "."}, {Name: "all nil", Path: ".", Value: nilled}}
	for i, place := range targets(&plain) {
		for j := range place.changes {
			v, err := dense[T]() // afresh: cases share no memory
			if err != nil {
				return nil, err
			}
			t := targets(&v)[i]
			c := t.changes[j]
			if to := c.to(t.typ); to.IsValid() {
				t.put(to)
				out = append(out, Case[T]{Name: c.name, Path: t.path, Value: v})
			}
		}
	}
	return out, nil
}

// Places is the number of kinds of places in v that have extremes.
func Places[T any](v *T) int { return len(targets(v)) }

// Around calls try with the extremes that v has room for, each put into v and taken back
// afterwards, and with v whose references are all nil. It is Adversarial for types whose
// dense value a codec, or a method of the type, refuses.
func Around[T any](v *T, try func(name, path string, v *T)) {
	nilled := *v
	clearRefs(reflect.ValueOf(&nilled).Elem())
	try("all nil", ".", &nilled)
	for _, t := range targets(v) {
		old := reflect.New(t.typ).Elem()
		old.Set(t.was)
		for _, c := range t.changes {
			if to := c.to(t.typ); to.IsValid() {
				t.put(to)
				try(c.name, t.path, v)
				t.put(old)
			}
		}
	}
}

// dense makes the value that cases start from: nothing in it is nil.
func dense[T any]() (v T, err error) {
	f := newFiller(rand.New(rand.NewPCG(1, 1)), hints{})
	f.dense = true
	f.fill(reflect.ValueOf(&v).Elem(), hint{})
	if f.err != nil {
		err = fmt.Errorf("values: %s: %w", reflect.TypeFor[T](), f.err)
	}
	return v, err
}

// clearRefs sets every slice, map, pointer and interface that v holds to nil.
func clearRefs(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		if v.CanSet() {
			v.SetZero()
		}
	case reflect.Array:
		for i := range v.Len() {
			clearRefs(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			clearRefs(v.Field(i))
		}
	}
}

// target is a place in a value that can be changed.
type target struct {
	path    string
	typ     reflect.Type
	was     reflect.Value
	put     func(reflect.Value)
	changes []change
}

// finder collects the first target of each class.
type finder struct {
	taken map[string]bool
	found []target
}

func targets[T any](v *T) []target {
	f := finder{taken: map[string]bool{}}
	rv := reflect.ValueOf(v).Elem()
	f.visit(rv, "", rv.Set)
	return f.found
}

// visit records v, then what is in it. put replaces v in its place.
func (f *finder) visit(v reflect.Value, path string, put func(reflect.Value)) {
	for _, c := range classesOf(v.Type()) {
		if f.taken[c.name] {
			continue
		}
		f.taken[c.name] = true
		at := path
		if at == "" {
			at = "."
		}
		f.found = append(f.found, target{at, v.Type(), v, put, c.changes})
	}
	if isWhole(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			f.visit(v.Elem(), path, v.Elem().Set)
		}
	case reflect.Struct:
		f.visitStruct(v, path, put)
	case reflect.Slice:
		if v.Len() > 0 {
			f.visit(v.Index(0), path+"[0]", v.Index(0).Set)
		}
	case reflect.Array:
		if c := settableCopy(v); c.Len() > 0 {
			f.visit(c.Index(0), path+"[0]", func(x reflect.Value) { c.Index(0).Set(x); put(c) })
		}
	case reflect.Map:
		if k, ok := firstKey(v); ok {
			f.visit(v.MapIndex(k), fmt.Sprintf("%s[%#v]", path, k), func(x reflect.Value) { v.SetMapIndex(k, x) })
		}
	}
}

func (f *finder) visitStruct(v reflect.Value, path string, put func(reflect.Value)) {
	c := settableCopy(v)
	for i := range c.NumField() {
		sf := c.Type().Field(i)
		if !c.Field(i).CanSet() {
			continue
		}
		name := sf.Name
		if path != "" {
			name = path + "." + name
		}
		f.visit(c.Field(i), name, func(x reflect.Value) { c.Field(i).Set(x); put(c) })
	}
}

// settableCopy is v itself where it can be set, as outside of maps, else a copy.
func settableCopy(v reflect.Value) reflect.Value {
	if v.CanSet() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func firstKey(m reflect.Value) (reflect.Value, bool) {
	keys := m.MapKeys()
	if len(keys) == 0 {
		return reflect.Value{}, false
	}
	sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(keys[i]) < fmt.Sprint(keys[j]) })
	return keys[0], true
}
