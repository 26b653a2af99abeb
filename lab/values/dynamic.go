package values

import (
	"reflect"
	"strings"
	"time"
)

// anyKind is one kind of value that an interface may hold, with names under which maps hold such
// values.
type anyKind struct {
	weight int // percent
	typ    reflect.Type
	keys   []string
}

var anyKinds = []anyKind{
	{32, reflect.TypeFor[string](), strings.Fields("color source campaign locale note channel city status brand region")},
	{22, reflect.TypeFor[int](), strings.Fields("qty priority attempt floor stock version user_id count level port")},
	{12, reflect.TypeFor[float64](), strings.Fields("weight score discount rate height temperature price lat lng distance")},
	{10, reflect.TypeFor[bool](), strings.Fields("gift express fragile verified insured returned taxable public")},
	{8, reflect.TypeFor[map[string]any](), strings.Fields("dimensions origin geo extra labels context")},
	{6, reflect.TypeFor[[]any](), strings.Fields("tags history codes options path")},
	{6, reflect.TypeFor[time.Time](), strings.Fields("updated_at delivered_at shipped_at seen_at")},
	{4, reflect.TypeFor[[]byte](), strings.Fields("thumbnail signature checksum")},
}

// nests reports whether values of k hold further values of type any.
func (k anyKind) nests() bool {
	return k.typ.Kind() == reflect.Map || k.typ.Kind() == reflect.Slice && k.typ.Elem().Kind() == reflect.Interface
}

// drawOf draws a value of kind k for the name h.
func (f *filler) drawOf(k anyKind, h hint, depth int) any {
	switch k.typ.Kind() {
	case reflect.String:
		return f.drawString(h)
	case reflect.Int:
		return int(f.drawInt(h, 64))
	case reflect.Float64:
		return f.drawFloat(h)
	case reflect.Bool:
		return f.drawBool(h)
	case reflect.Map:
		return f.anyMap(depth + 1)
	case reflect.Struct:
		return f.drawTime(h)
	}
	if k.nests() {
		return f.anyList(h.single(), depth+1)
	}
	h.element = true // never nil
	return f.drawBytes(h)
}

// maxAny bounds the nesting of maps and lists inside an interface.
const maxAny = 2

// drawKind draws a kind by weight. At depth maxAny it draws only kinds that do not nest.
func (f *filler) drawKind(depth int) anyKind {
	for {
		n := f.r.IntN(100)
		for _, k := range anyKinds {
			if n -= k.weight; n >= 0 {
				continue
			}
			if depth >= maxAny && k.nests() {
				break
			}
			return k
		}
	}
}

// drawPair draws a key and a value that suits the key.
func (f *filler) drawPair(depth int) (string, any) {
	k := f.drawKind(depth)
	key := pick(f.r, k.keys)
	return key, f.drawOf(k, f.hints.of(key, ""), depth)
}

func (f *filler) anyMap(depth int) map[string]any {
	m := map[string]any{}
	for range 1 + f.r.IntN(4) {
		k, v := f.drawPair(depth)
		m[k] = v
	}
	return m
}

func (f *filler) anyList(h hint, depth int) []any {
	list := make([]any, 1+f.r.IntN(4))
	k := f.drawKind(depth) // most lists have elements of one kind
	for i := range list {
		if f.chance(15) {
			k = f.drawKind(depth)
		}
		list[i] = f.drawOf(k, h, depth)
	}
	return list
}

// keyFor draws a key for a map whose values have type t.
func (f *filler) keyFor(t reflect.Type) string {
	for _, k := range anyKinds {
		if t == k.typ || class(t.Kind()) != reflect.Invalid && class(t.Kind()) == class(k.typ.Kind()) {
			return pick(f.r, k.keys)
		}
	}
	return f.word() + "-" + f.word()
}

// class returns the kind in anyKinds that represents k, or Invalid.
func class(k reflect.Kind) reflect.Kind {
	switch {
	case k >= reflect.Int && k <= reflect.Uintptr:
		return reflect.Int
	case k == reflect.Float32 || k == reflect.Float64:
		return reflect.Float64
	case k == reflect.String || k == reflect.Bool:
		return k
	}
	return reflect.Invalid
}
