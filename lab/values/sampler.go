package values

import (
	"math/rand/v2"
	"reflect"
)

// Sampler makes values of one type wherever it occurs. It wraps a function SampleT of the user's
// package.
type Sampler struct {
	Name string
	typ  reflect.Type
	fill func(r *rand.Rand, v reflect.Value)
}

// SamplerOf returns a sampler that calls the function sample.
func SamplerOf[T any](name string, sample func(*rand.Rand) T) Sampler {
	return Sampler{name, reflect.TypeFor[T](), func(r *rand.Rand, v reflect.Value) {
		x := sample(r)
		v.Set(reflect.ValueOf(&x).Elem()) // through a pointer, so that a T that is an interface stays one
	}}
}

// samplers holds samplers by type.
type samplers map[reflect.Type]Sampler

func samplersOf(list []Sampler) samplers {
	m := samplers{}
	for _, s := range list {
		m[s.typ] = s
	}
	return m
}

// Used returns the names of the samplers whose types occur in T: in fields, elements, keys and
// pointers.
func Used[T any](list []Sampler) []string {
	all := samplersOf(list)
	var names []string
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if s, ok := all[t]; ok {
			names = append(names, s.Name)
			return
		}
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(t.Elem())
		case reflect.Map:
			walk(t.Key())
			walk(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				walk(t.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[T]())
	return names
}
