package diff

import (
	"bytes"
	"reflect"
)

// walker compares two values part by part.
type walker struct {
	Options
	path      []step
	values    int // visited so far
	found     []Difference
	truncated bool
	seen      map[visit]struct{} // pairs of references that were visited
}

// visit is a pair of references of one type.
type visit struct {
	a, b uintptr
	n    int // length of slices: a prefix of a slice is another value
	typ  reflect.Type
}

// over reports whether a limit ends the comparison.
func (w *walker) over() bool {
	if w.values >= w.MaxValues || len(w.path) > w.MaxDepth {
		w.truncated = true
		return true
	}
	return len(w.found) >= w.MaxDifferences && w.truncated
}

// walk compares two values of the type that p describes.
func (w *walker) walk(p *plan, a, b reflect.Value) {
	if w.over() {
		return
	}
	w.values++
	if w.Equal != nil && a.CanInterface() {
		if equal, ok := w.Equal[p.typ]; ok {
			if !equal(a.Interface(), b.Interface()) {
				w.report(Value, a, b)
			}
			return
		}
	}
	if p.plain {
		if !w.sameScalar(a, b) {
			w.report(Value, a, b)
		}
		return
	}
	if p.own != nil && a.CanInterface() && !(p.kind == reflect.Pointer && (a.IsNil() || b.IsNil())) {
		if w.walkOwn(p, a, b) {
			return
		}
	}
	w.walkKind(p, a, b)
}

// walkOwn compares by the type's own function, and reports whether that was decisive. If a struct
// is unequal, it first looks for the fields that differ, to name them.
func (w *walker) walkOwn(p *plan, a, b reflect.Value) bool {
	same, known := p.own(w, a, b)
	if !known || same {
		return known
	}
	before := len(w.found)
	if p.kind == reflect.Struct && !p.opaque {
		w.walkKind(p, a, b)
	}
	if len(w.found) == before {
		w.report(Value, a, b)
	}
	return true
}

func (w *walker) walkKind(p *plan, a, b reflect.Value) {
	if (p.kind == reflect.Map || p.kind == reflect.Slice) && w.walkCommon(p, a, b) {
		return
	}
	switch p.kind {
	case reflect.Struct:
		w.walkStruct(p, a, b)
	case reflect.Pointer:
		w.walkPointer(p, a, b)
	case reflect.Slice:
		w.walkSlice(p, a, b)
	case reflect.Array:
		w.walkElems(p.elem, a, b, a.Len())
	case reflect.Map:
		w.walkMap(p, a, b)
	case reflect.Interface:
		w.walkInterface(a, b)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer: // no codec carries them
	default: // a scalar that its own method could not compare
		if !w.sameScalar(a, b) {
			w.report(Value, a, b)
		}
	}
}

func (w *walker) walkStruct(p *plan, a, b reflect.Value) {
	if p.opaque {
		if !sameOpaque(p, a, b) {
			w.report(Value, a, b)
		}
		return
	}
	w.path = append(w.path, step{})
	last := len(w.path) - 1
	for i := range p.fields {
		f := &p.fields[i]
		w.path[last] = step{name: f.name}
		w.walk(f.plan, a.Field(f.index), b.Field(f.index))
	}
	w.path = w.path[:last]
}

// enter reports whether a pair of references is visited for the first time, so that cycles end.
// Values of types that cannot contain themselves are not remembered.
func (w *walker) enter(p *plan, a, b reflect.Value) bool {
	if !p.cyclic {
		return true
	}
	v := visit{a: a.Pointer(), b: b.Pointer(), typ: a.Type()}
	if a.Kind() == reflect.Slice {
		v.n = a.Len()
	}
	if _, met := w.seen[v]; met {
		return false
	}
	if w.seen == nil {
		w.seen = map[visit]struct{}{}
	}
	w.seen[v] = struct{}{}
	return true
}

func (w *walker) walkPointer(p *plan, a, b reflect.Value) {
	switch {
	case a.IsNil() && b.IsNil():
	case a.IsNil() || b.IsNil():
		w.report(Nil, a, b)
	case a.Pointer() == b.Pointer():
		w.values++
	case w.enter(p, a, b):
		w.walk(p.elem, a.Elem(), b.Elem())
	}
}

func (w *walker) walkSlice(p *plan, a, b reflect.Value) {
	n := a.Len()
	switch {
	case n == 0 && b.Len() == 0:
		if w.Nil && a.IsNil() != b.IsNil() {
			w.report(Nil, a, b)
		}
	case n != b.Len():
		w.report(Length, a, b)
	case p.elem.kind == reflect.Uint8:
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			w.report(Value, a, b)
		}
	case w.enter(p, a, b):
		w.walkElems(p.elem, a, b, n)
	}
}

func (w *walker) walkElems(p *plan, a, b reflect.Value, n int) {
	w.path = append(w.path, step{})
	last := len(w.path) - 1
	for i := range n {
		if w.over() {
			break
		}
		w.path[last] = step{index: i, kind: stepIndex}
		w.walk(p, a.Index(i), b.Index(i))
	}
	w.path = w.path[:last]
}

// walkMap compares maps key by key. Keys that do not equal themselves, such as NaN, are only
// counted. So are the entries of maps whose keys are pointers.
func (w *walker) walkMap(p *plan, a, b reflect.Value) {
	if w.Nil && a.IsNil() != b.IsNil() && a.Len() == 0 && b.Len() == 0 {
		w.report(Nil, a, b)
		return
	}
	if p.key.kind == reflect.Pointer {
		if a.Len() != b.Len() {
			w.report(Length, a, b)
		}
		return
	}
	if a.Len() == 0 && b.Len() == 0 || !w.enter(p, a, b) {
		return
	}
	w.path = append(w.path, step{})
	last := len(w.path) - 1
	var lost, gained int
	var missing bool
	for it := a.MapRange(); it.Next() && !w.over(); {
		k := it.Key()
		w.path[last] = step{key: k, kind: stepKey}
		if y := b.MapIndex(k); y.IsValid() {
			w.walk(p.elem, it.Value(), y)
		} else if a.MapIndex(k).IsValid() {
			w.report(Missing, it.Value(), reflect.Value{})
			missing = true
		} else {
			lost++
		}
	}
	if lost == 0 && !missing && a.Len() == b.Len() { // all keys of a are in b, which has no others
		w.path = w.path[:last]
		return
	}
	for it := b.MapRange(); it.Next() && !w.over(); {
		k := it.Key()
		w.path[last] = step{key: k, kind: stepKey}
		if !b.MapIndex(k).IsValid() {
			gained++
		} else if w.values++; !a.MapIndex(k).IsValid() {
			w.report(Added, reflect.Value{}, it.Value())
		}
	}
	w.path = w.path[:last]
	if lost != gained && !w.truncated {
		w.report(Length, a, b)
	}
}

func (w *walker) walkInterface(a, b reflect.Value) {
	x, y := a.Elem(), b.Elem()
	switch {
	case !x.IsValid() && !y.IsValid():
	case !x.IsValid() || !y.IsValid():
		if w.Nil || !emptyOrInvalid(x) || !emptyOrInvalid(y) {
			w.report(Nil, x, y)
		}
	case x.Type() == y.Type():
		w.walk(planOf(x.Type()), x, y)
	default:
		w.retyped(x, y)
	}
}

// emptyOrInvalid reports whether v is nil, or a slice or map without elements.
func emptyOrInvalid(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil()
	}
	return false
}

// retyped compares two values of different types.
func (w *walker) retyped(a, b reflect.Value) {
	w.values++
	if w.LooseNumbers {
		x, isNumber := number(a)
		y, too := number(b)
		if isNumber && too && x.Cmp(y) == 0 {
			return
		}
	}
	w.report(Type, a, b)
}
