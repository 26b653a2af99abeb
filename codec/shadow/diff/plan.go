package diff

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"time"
)

// plan is everything that comparing needs to know about a type. It is made once for each type.
type plan struct {
	typ    reflect.Type
	kind   reflect.Kind
	own    ownEqual // compares values of the type; nil for most types
	opaque bool     // a struct that has fields but none that a codec sees
	fields []field  // of a struct: the fields that a codec sees
	key    *plan    // of a map
	elem   *plan    // of pointers, slices, arrays and maps
	plain  bool     // numbers, strings and booleans, which sameScalar compares
	cyclic bool     // a value may contain itself
}

type field struct {
	index int
	name  string
	plan  *plan
}

// ownEqual compares two values of a type for which comparing fields would be wrong. known is false
// if it cannot compare them.
type ownEqual func(w *walker, a, b reflect.Value) (same, known bool)

var plans sync.Map // reflect.Type → *plan

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	b := builder{}
	p := b.build(t)
	// Only now are the plans of types that contain themselves complete.
	for _, p := range b {
		p.cyclic = p.reaches(p, map[*plan]bool{})
	}
	for t, p := range b {
		plans.LoadOrStore(t, p)
	}
	return p
}

// reaches reports whether a value of p's type may contain a value of goal's type. An interface may
// contain any.
func (p *plan) reaches(goal *plan, met map[*plan]bool) bool {
	if p.kind == reflect.Interface {
		return true
	}
	next := make([]*plan, 0, len(p.fields)+1)
	if p.elem != nil {
		next = append(next, p.elem)
	}
	for _, f := range p.fields {
		next = append(next, f.plan)
	}
	for _, n := range next {
		if n == goal {
			return true
		}
		if !met[n] {
			met[n] = true
			if n.reaches(goal, met) {
				return true
			}
		}
	}
	return false
}

// builder has the plans that one build makes. A type that contains itself is found here the second
// time, so building ends.
type builder map[reflect.Type]*plan

func (b builder) build(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if p, ok := b[t]; ok {
		return p
	}
	p := &plan{typ: t, kind: t.Kind(), own: ownEqualOf(t)}
	b[t] = p
	switch p.kind {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		p.elem = b.build(t.Elem())
	case reflect.Map:
		p.key, p.elem = b.build(t.Key()), b.build(t.Elem())
	case reflect.Struct:
		p.fields = b.fields(t)
		p.opaque = len(p.fields) == 0 && t.NumField() > 0
	default:
		p.plain = p.own == nil && (p.kind >= reflect.Bool && p.kind <= reflect.Complex128 || p.kind == reflect.String)
	}
	return p
}

// fields returns the exported fields, and embedded structs, whose exported fields are promoted even
// if the struct's type is not exported. It leaves out fields that begin with XXX_, in which
// gogo/protobuf keeps sizes and unknown bytes.
func (b builder) fields(t reflect.Type) (out []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && (!f.Anonymous || f.Type.Kind() != reflect.Struct) || strings.HasPrefix(f.Name, "XXX_") {
			continue
		}
		out = append(out, field{i, f.Name, b.build(f.Type)})
	}
	return out
}

var ownEquals = map[reflect.Type]ownEqual{
	reflect.TypeFor[time.Time]():       sameTime,
	reflect.TypeFor[big.Int]():         sameBigInt,
	reflect.TypeFor[big.Rat]():         sameBigRat,
	reflect.TypeFor[big.Float]():       sameBigFloat,
	reflect.TypeFor[json.RawMessage](): sameRaw,
}

// ownEqualOf returns the comparison for values of a type, or nil if they are compared by their
// fields or contents.
func ownEqualOf(t reflect.Type) ownEqual {
	if own, ok := ownEquals[t]; ok || t.Kind() == reflect.Interface {
		return own
	}
	for _, receiver := range []reflect.Type{t, reflect.PointerTo(t)} {
		m, ok := receiver.MethodByName("Equal")
		if !ok || m.Type.NumIn() != 2 || m.Type.NumOut() != 1 || m.Type.Out(0).Kind() != reflect.Bool {
			continue
		}
		if in := m.Type.In(1); in == t || in == reflect.PointerTo(t) {
			return methodEqual(m, receiver != t, in != t)
		}
	}
	return nil
}

// methodEqual returns a comparison by the method Equal. Its receiver and argument may be pointers.
func methodEqual(m reflect.Method, pointerReceiver, pointerArgument bool) ownEqual {
	return func(_ *walker, a, b reflect.Value) (bool, bool) {
		if pointerReceiver {
			a = addressable(a).Addr()
		}
		if pointerArgument {
			b = addressable(b).Addr()
		}
		return m.Func.Call([]reflect.Value{a, b})[0].Bool(), true
	}
}

// addressable returns v if it has an address, else a copy that has one.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}
