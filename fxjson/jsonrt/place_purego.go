//go:build purego

package jsonrt

import "reflect"

type place = reflect.Value

func placeOf(v reflect.Value) place { return v }

func placeIn(v any, t reflect.Type) place {
	x := reflect.New(t).Elem()
	x.Set(reflect.ValueOf(v))
	return x
}

func at[T any](p place) *T { return p.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T) }

func value(_ reflect.Type, p place) reflect.Value { return p }

func fieldAt(p place, s step) place { return p.Field(s.index) }

func pointee(p place) (place, bool) { return p.Elem(), !p.IsNil() }

func elems(v reflect.Value) place { return v }

func elemAt(first place, i int, _ uintptr) place { return first.Index(i) }

func sliceAt(_ reflect.Type, p place) (first place, n int, ok bool) { return p, p.Len(), !p.IsNil() }

func zeroAt(_ reflect.Type, p place) bool { return p.IsZero() }
