package fidelity

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// shape is what the walker must know of a struct type. It is cached, since asking reflect for each
// of thousands of items would be slow.
type shape struct {
	fields []field // fields that a codec can see
	unseen []field // fields that a codec sees only through the type's own methods
	opaque bool    // whether there are fields, but none that a codec can see
}

type field struct {
	index int
	name  string
	tag   reflect.StructTag // "" unless one of its keys has the value "-"
}

var shapes sync.Map // reflect.Type → *shape

// shapeOf lists the fields of a struct. A codec can see exported fields, and embedded structs of
// any name, since their exported fields are promoted.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() || embedsStruct(f) {
			s.fields = append(s.fields, field{i, f.Name, dashed(f.Tag)})
		} else {
			s.unseen = append(s.unseen, field{index: i, name: f.Name})
		}
	}
	s.opaque = len(s.fields) == 0 && t.NumField() > 0
	shapes.Store(t, s)
	return s
}

// embedsStruct reports whether f is an embedded struct or pointer to one.
func embedsStruct(f reflect.StructField) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct
}

// dashed returns the tag of a field if one of its keys has the value "-", else "".
func dashed(tag reflect.StructTag) reflect.StructTag {
	if strings.Contains(string(tag), `:"-"`) {
		return tag
	}
	return ""
}

// leftBy reports whether a codec that reads these keys of struct tags leaves the field out. The
// first key that the field has decides.
func (f *field) leftBy(keys []string) bool {
	if f.tag == "" {
		return false
	}
	for _, key := range keys {
		if name := f.tag.Get(key); name != "" {
			return name == "-"
		}
	}
	return false
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// jsonKeys are the keys of struct tags that encoding/json reads.
var jsonKeys = []string{"json"}

// KeptByJSON returns the fields with struct tag json:"-" that encoding/json nevertheless writes,
// because methods of their struct do. It finds them by the round trips of vals, and if none reads
// them, by the JSON of structs without them. A codec that loses such a field loses data that is in JSON.
func KeptByJSON[T any](vals []T) map[Field]bool {
	if !mayKeep(reflect.TypeFor[T]()) {
		return nil
	}
	out, w := map[Field]bool{}, &writing{map[Field]int{}}
	for i := range vals {
		if back, ok := throughJSON(&vals[i]); ok {
			keptFields(out, reflect.ValueOf(&vals[i]).Elem(), reflect.ValueOf(back).Elem(), w, 0)
		}
	}
	return out
}

func throughJSON[T any](v *T) (back *T, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	back = new(T)
	doc, err := json.Marshal(v)
	return back, err == nil && json.Unmarshal(doc, back) == nil
}

// mayKeep reports whether t contains a struct with MarshalJSON and a field tagged json:"-".
func mayKeep(t reflect.Type) bool {
	return anyLeft(t, map[reflect.Type]bool{}, func(t reflect.Type) bool {
		return reflect.PointerTo(t).Implements(marshaler)
	})
}

// anyLeft reports whether t contains a struct of the wanted kind with a field tagged json:"-".
func anyLeft(t reflect.Type, seen map[reflect.Type]bool, wanted func(t reflect.Type) bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return anyLeft(t.Elem(), seen, wanted)
	case reflect.Struct:
		for _, f := range shapeOf(t).fields {
			if f.leftBy(jsonKeys) && wanted(t) || anyLeft(t.Field(f.index).Type, seen, wanted) {
				return true
			}
		}
	}
	return false
}

// CameBack adds to out the fields with struct tag json:"-" that are set both in a value and in its
// round trip, so that the codec's messages must contain them.
func CameBack(out map[Field]bool, before, after any) {
	a, b := reflect.ValueOf(before), reflect.ValueOf(after)
	if a.IsValid() && b.IsValid() && a.Type() == b.Type() && mayComeBack(a.Type()) {
		keptFields(out, a, b, nil, 0)
	}
}

var comesBack sync.Map // reflect.Type → bool

// mayComeBack reports whether t contains a field with struct tag json:"-".
func mayComeBack(t reflect.Type) bool {
	may, ok := comesBack.Load(t)
	if !ok {
		may = anyLeft(t, map[reflect.Type]bool{}, func(reflect.Type) bool { return true })
		comesBack.Store(t, may)
	}
	return may.(bool)
}

// keptDepth bounds the walk, since values may contain themselves.
const keptDepth = 64

// writing finds the fields that MarshalJSON of their struct writes.
type writing struct {
	tried map[Field]int // structs whose JSON does not depend on the field
}

// mostTried is the number of structs after which a field counts as one that is not written.
const mostTried = 8

// depends reports whether the JSON of a struct, which a method makes, depends on one of its fields. A
// method that panics without the field, or writes something else at each call, tells nothing.
func (w *writing) depends(s reflect.Value, f *field) (yes bool) {
	at := Field{s.Type(), f.name}
	if w == nil || w.tried[at] >= mostTried || !s.CanInterface() {
		return false
	}
	if !s.Type().Implements(marshaler) && !(s.CanAddr() && reflect.PointerTo(s.Type()).Implements(marshaler)) {
		return false
	}
	defer func() {
		if yes = recover() == nil && yes; !yes {
			w.tried[at]++
		}
	}()
	p := reflect.New(s.Type())
	p.Elem().Set(s)
	with, err1 := json.Marshal(p.Interface())
	again, err2 := json.Marshal(p.Interface())
	p.Elem().Field(f.index).SetZero()
	without, err3 := json.Marshal(p.Interface())
	return err1 == nil && err2 == nil && err3 == nil && bytes.Equal(with, again) && !bytes.Equal(with, without)
}

// keptFields adds to out the fields with struct tag json:"-" that are set in both values, and those
// that are set in a and written. It walks along the parts that the values have in common.
func keptFields(out map[Field]bool, a, b reflect.Value, w *writing, depth int) {
	if depth > keptDepth {
		return
	}
	switch a.Kind() {
	case reflect.Pointer:
		if !a.IsNil() && !b.IsNil() {
			keptFields(out, a.Elem(), b.Elem(), w, depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range min(a.Len(), b.Len()) {
			keptFields(out, a.Index(i), b.Index(i), w, depth+1)
		}
	case reflect.Map:
		for it := a.MapRange(); it.Next(); {
			if y := b.MapIndex(it.Key()); y.IsValid() {
				keptFields(out, it.Value(), y, w, depth+1)
			}
		}
	case reflect.Struct:
		for _, f := range shapeOf(a.Type()).fields {
			x, y := a.Field(f.index), b.Field(f.index)
			at := Field{a.Type(), f.name}
			if f.leftBy(jsonKeys) && !x.IsZero() && !out[at] && (!y.IsZero() || w.depends(a, &f)) {
				out[at] = true
			}
			keptFields(out, x, y, w, depth+1)
		}
	}
}
