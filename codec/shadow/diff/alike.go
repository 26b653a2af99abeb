package diff

import (
	"bytes"
	"reflect"
)

// alike reports whether walk would find nothing. It does not keep track of the path, and takes a
// fifth of walk's time (BenchmarkCompareSession). That pays because almost all values that a shadow
// compares are alike. If alike returns false, walk must still compare the values. TestAlike
// compares the two functions.
func (w *walker) alike(p *plan, a, b reflect.Value) bool {
	if len(w.Equal) > 0 {
		return false
	}
	if w.alikeAt(p, a, b, 0) && !w.truncated {
		return true
	}
	w.values, w.truncated = 0, false
	return false
}

// alikeAt is alike at a depth. The limit of the depth ends the comparison of values that contain
// themselves.
func (w *walker) alikeAt(p *plan, a, b reflect.Value, depth int) bool {
	if depth > commonDepth || depth >= w.MaxDepth || !w.spend(1) {
		return false
	}
	if p.own != nil {
		if !a.CanInterface() || p.kind == reflect.Pointer {
			return false
		}
		same, known := p.own(w, a, b)
		return same && known
	}
	switch p.kind {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Struct:
		return w.alikeStructs(p, a, b, depth+1)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return a.Pointer() == b.Pointer() || w.alikeAt(p.elem, a.Elem(), b.Elem(), depth+1)
	case reflect.Slice:
		return w.alikeSlices(p, a, b, depth+1)
	case reflect.Array:
		return w.alikeElems(p.elem, a, b, depth+1)
	case reflect.Map:
		return w.walkCommon(p, a, b) || w.alikeMaps(p, a, b, depth+1)
	case reflect.Interface:
		x, y := a.Elem(), b.Elem()
		if !x.IsValid() || !y.IsValid() {
			return !x.IsValid() && !y.IsValid()
		}
		return x.Type() == y.Type() && w.alikeAt(planOf(x.Type()), x, y, depth+1)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer: // no codec carries them
		return true
	}
	return w.sameScalar(a, b)
}

func (w *walker) alikeStructs(p *plan, a, b reflect.Value, depth int) bool {
	if p.opaque {
		return sameOpaque(p, a, b)
	}
	for i := range p.fields {
		f := &p.fields[i]
		if !w.alikeAt(f.plan, a.Field(f.index), b.Field(f.index), depth) {
			return false
		}
	}
	return true
}

// sameOpaque compares structs without readable fields, such as netip.Addr, by ==. Structs whose
// type == cannot compare count as the same. A field of interface type may hold a value for which ==
// panics. Two structs with such values count as the same; if only one of the two has one, they
// differ.
func sameOpaque(p *plan, a, b reflect.Value) bool {
	if !p.typ.Comparable() || !a.CanInterface() {
		return true
	}
	if x, y := a.Comparable(), b.Comparable(); !x || !y {
		return x == y
	}
	return a.Interface() == b.Interface()
}

func (w *walker) alikeSlices(p *plan, a, b reflect.Value, depth int) bool {
	switch {
	case a.Len() != b.Len() || w.Nil && a.IsNil() != b.IsNil():
		return false
	case p.elem.kind == reflect.Uint8:
		return bytes.Equal(a.Bytes(), b.Bytes())
	}
	return w.walkCommon(p, a, b) || w.alikeElems(p.elem, a, b, depth)
}

func (w *walker) alikeElems(p *plan, a, b reflect.Value, depth int) bool {
	for i := range a.Len() {
		if !w.alikeAt(p, a.Index(i), b.Index(i), depth) {
			return false
		}
	}
	return true
}

func (w *walker) alikeMaps(p *plan, a, b reflect.Value, depth int) bool {
	if a.Len() != b.Len() || w.Nil && a.IsNil() != b.IsNil() {
		return false
	}
	if p.key.kind == reflect.Pointer { // such maps are compared by their length only
		return true
	}
	for it := a.MapRange(); it.Next(); {
		y := b.MapIndex(it.Key())
		if !y.IsValid() || !w.alikeAt(p.elem, it.Value(), y, depth) {
			return false
		}
	}
	return true
}
