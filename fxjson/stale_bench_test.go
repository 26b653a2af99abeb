package fxjson_test

import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// BenchmarkPrint is the first use of generated code, of all types that a root is made of
// together and of one (ns/type), and what remains of it afterwards.
func BenchmarkPrint(b *testing.B) {
	b.Run("session", benchmarkPrint[jsontypes.Session])
	b.Run("methods", benchmarkPrint[jsontypes.Methods])
	b.Run("composites", benchmarkPrint[jsontypes.Composites])
	b.Run("afterwards", func(b *testing.B) {
		var code jsonrt.Code[jsontypes.Session]
		for b.Loop() {
			code.NewEnc(false).Done()
		}
	})
}

func benchmarkPrint[T any](b *testing.B) {
	for b.Loop() {
		var code jsonrt.Code[T]
		code.NewEnc(false).Done()
	}
	types := map[reflect.Type]bool{}
	countTypes(reflect.TypeFor[T](), types)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(types)), "ns/type")
}

// countTypes adds what t is made of, as far as encoding/json looks.
func countTypes(t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		countTypes(t.Key(), seen)
		countTypes(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		countTypes(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				countTypes(f.Type, seen)
			}
		}
	}
}
