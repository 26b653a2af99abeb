package worker

import (
	"reflect"
	"time"
)

// Dynamic returns one value of each concrete type in the interfaces inside vals, in the order in
// which they are met. Codecs such as gob must be told of these types.
func Dynamic[N any](vals []N) []any {
	d := dynamic{seen: map[reflect.Type]bool{}, refs: map[ref]bool{}, holds: map[reflect.Type]bool{}}
	for i := range vals {
		d.walk(reflect.ValueOf(&vals[i]).Elem())
	}
	return d.found
}

type dynamic struct {
	seen  map[reflect.Type]bool
	found []any
	refs  map[ref]bool          // references that were met, so that cycles end
	holds map[reflect.Type]bool // whether values of a type can hold interfaces
}

type ref struct {
	p uintptr
	t reflect.Type
}

func (d *dynamic) walk(v reflect.Value) {
	if !d.mayHold(v.Type(), map[reflect.Type]bool{}) {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			d.meet(v.Elem())
			d.walk(v.Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() && d.enter(v) {
			d.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				d.walk(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			d.walk(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() || !d.enter(v) {
			return
		}
		for it := v.MapRange(); it.Next(); {
			d.walk(it.Key())
			d.walk(it.Value())
		}
	}
}

func (d *dynamic) enter(v reflect.Value) bool {
	r := ref{v.Pointer(), v.Type()}
	if d.refs[r] {
		return false
	}
	d.refs[r] = true
	return true
}

func (d *dynamic) meet(v reflect.Value) {
	if t := v.Type(); !d.seen[t] && v.CanInterface() {
		d.seen[t] = true
		d.found = append(d.found, v.Interface())
	}
}

// mayHold reports whether a value of type t can contain an interface. It saves the walk through
// long lists of numbers.
func (d *dynamic) mayHold(t reflect.Type, open map[reflect.Type]bool) bool {
	if holds, known := d.holds[t]; known {
		return holds
	}
	if open[t] || t == reflect.TypeFor[time.Time]() {
		return false
	}
	open[t] = true
	holds := false
	switch t.Kind() {
	case reflect.Interface:
		holds = true
	case reflect.Map:
		holds = d.mayHold(t.Key(), open) || d.mayHold(t.Elem(), open)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		holds = d.mayHold(t.Elem(), open)
	case reflect.Struct:
		for i := range t.NumField() {
			holds = holds || d.mayHold(t.Field(i).Type, open)
		}
	}
	delete(open, t)
	if holds || len(open) == 0 { // a "no" found inside a cycle is not final
		d.holds[t] = holds
	}
	return holds
}
