package fidelity

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// NOTE: walk compares a pair of values: special (special.go) takes types whose meaning is more than
// their fields, parts takes all others by kind. Structs end in walkHidden, which looks at the
// unexported fields that a codec may have carried by methods of the type.
//
// Almost all values are equal to their round trip, and every value of every codec is compared. So
// the walker spells no paths and no values to compare equal ones. Only add spells them.

// walker compares two values side by side.
type walker struct {
	opt   Options
	path  path
	dyn   int // number of interfaces on the path
	diffs []Diff
	seen  map[visit]bool     // pairs of references that were met, so that cycles end
	kinds map[[2]string]bool // (pattern, cause) already reported
}

// visit is a pair of references of the same type.
type visit struct {
	a, b uintptr
	n    int // length of slices, since a prefix of a slice is another value
	typ  reflect.Type
}

func newWalker(opt Options) *walker {
	return &walker{opt: opt, seen: map[visit]bool{}, kinds: map[[2]string]bool{}}
}

// add reports a difference at the current path. Unless Options.Every is set, it skips one whose
// pattern and cause were reported before.
func (w *walker) add(kind, cause, before, after string) {
	pattern := w.path.Pattern()
	if !w.opt.Every {
		key := [2]string{pattern, cause}
		if w.kinds[key] {
			return
		}
		w.kinds[key] = true
	}
	w.diffs = append(w.diffs, Diff{Path: w.path.String(), Pattern: pattern,
		Before: before, After: after, Kind: kind, Cause: cause})
}

// changed reports that the value itself changed while its type did not.
func (w *walker) changed(a, b reflect.Value) {
	w.add(Lossy, "value", render(a), render(b))
}

func (w *walker) push(s step) {
	s.dyn = w.dyn > 0
	w.path = append(w.path, s)
}

func (w *walker) pop() { w.path = w.path[:len(w.path)-1] }

// maxDepth bounds the length of paths. Deeper parts are reported as lossy.
const maxDepth = 10_000

// walk compares two values of the same static type.
func (w *walker) walk(a, b reflect.Value) {
	if len(w.path) > maxDepth {
		w.add(Lossy, "depth", "too deep to compare", "too deep to compare")
		return
	}
	if !w.special(a, b) {
		w.parts(a, b)
	}
}

// parts compares two values part by part, according to their kind.
func (w *walker) parts(a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Interface:
		w.walkInterface(a, b)
	case reflect.Pointer:
		w.walkPointer(a, b)
	case reflect.Struct:
		w.walkStruct(a, b)
	case reflect.Slice:
		w.walkSlice(a, b)
	case reflect.Array:
		w.walkElems(a, b, a.Len())
	case reflect.Map:
		w.walkMap(a, b)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if a.IsNil() != b.IsNil() {
			w.changed(a, b)
		}
	default:
		if !sameScalar(a, b) {
			w.changed(a, b)
		}
	}
}

// sameScalar compares two values of the same basic type. Floats are compared by their bits, so -0
// differs from 0; but all NaNs are equal.
func sameScalar(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String()
	case reflect.Float32, reflect.Float64:
		return sameFloat(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return sameFloat(real(x), real(y)) && sameFloat(imag(x), imag(y))
	}
	if a.CanInt() {
		return a.Int() == b.Int()
	}
	return a.Uint() == b.Uint()
}

func sameFloat(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

// enter reports whether a pair of references is new. Pairs stay marked after the walker has left
// them, so a value that two fields share is compared once.
func (w *walker) enter(a, b reflect.Value) bool {
	v := visit{a: a.Pointer(), b: b.Pointer(), typ: a.Type()}
	if a.Kind() == reflect.Slice {
		v.n = a.Len()
	}
	if w.seen[v] {
		return false
	}
	w.seen[v] = true
	return true
}

func (w *walker) walkPointer(a, b reflect.Value) {
	switch {
	case a.IsNil() && b.IsNil():
	case a.IsNil() || b.IsNil():
		w.add(Lossy, nilCause(a, "pointer"), render(a), render(b))
	case a.Pointer() != b.Pointer() && w.enter(a, b):
		w.walk(a.Elem(), b.Elem())
	}
}

// nilCause returns the cause of a change from nil to what, or from what to nil if a is not nil.
func nilCause(a reflect.Value, what string) string {
	if a.IsNil() {
		return cause("nil", what)
	}
	return cause(what, "nil")
}

func (w *walker) walkStruct(a, b reflect.Value) {
	for _, f := range shapeOf(a.Type()).fields {
		w.push(step{kind: stepField, name: f.name})
		at := Field{a.Type(), f.name}
		if x, y := a.Field(f.index), b.Field(f.index); !f.leftBy(w.opt.Tags) && !w.opt.LeftOut[at] || !y.IsZero() || w.opt.Kept[at] {
			w.walk(x, y)
		} else if !x.IsZero() {
			w.add(Normalised, "left out", render(x), render(y))
		}
		w.pop()
	}
	w.walkHidden(a, b)
}

func (w *walker) walkSlice(a, b reflect.Value) {
	n := a.Len()
	switch {
	case a.IsNil() != b.IsNil() && n == 0 && b.Len() == 0:
		w.emptied(a, b)
	case n != b.Len():
		w.add(Lossy, "length", render(a), render(b))
	case n == 0 || a.Pointer() == b.Pointer():
	case a.Type().Elem().Kind() == reflect.Uint8:
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			w.changed(a, b)
		}
	case w.enter(a, b):
		w.walkElems(a, b, n)
	}
}

// emptied reports a change between nil and an empty slice or map.
func (w *walker) emptied(a, b reflect.Value) {
	if !w.opt.EmptyIsNil {
		w.add(Normalised, nilCause(a, "empty"), render(a), render(b))
	}
}

// walkElems compares the first n elements of slices or arrays. Equal elements of a basic type take
// a shorter way, since values may hold thousands of floats.
func (w *walker) walkElems(a, b reflect.Value, n int) {
	basic := isBasic(a.Type().Elem())
	for i := range n {
		x, y := a.Index(i), b.Index(i)
		if basic && sameScalar(x, y) {
			continue
		}
		w.push(step{kind: stepIndex, index: i})
		w.walk(x, y)
		w.pop()
	}
}

// isBasic reports whether sameScalar alone can compare values of type t.
func isBasic(t reflect.Type) bool {
	k := t.Kind()
	return t.PkgPath() == "" && (k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String)
}

// walkMap compares the elements of equal keys, then looks for keys that only one map has. A lost
// key may have come back in another form; respelt finds it among the added ones. NaN keys differ
// from all keys, also from themselves. So they are counted, and their elements compared only if
// each map has one.
func (w *walker) walkMap(a, b reflect.Value) {
	if a.Len() == 0 && b.Len() == 0 {
		if a.IsNil() != b.IsNil() {
			w.emptied(a, b)
		}
		return
	}
	if a.Pointer() == b.Pointer() || !w.enter(a, b) {
		return
	}
	var lost []reflect.Value
	for _, k := range sortedKeys(a) {
		y := b.MapIndex(k)
		if !y.IsValid() {
			lost = append(lost, k)
			continue
		}
		w.push(step{kind: stepKey, key: k})
		w.walk(a.MapIndex(k), y)
		w.pop()
	}
	var added []reflect.Value
	for _, k := range sortedKeys(b) {
		if !a.MapIndex(k).IsValid() {
			added = append(added, k)
		}
	}
	for _, k := range lost {
		w.push(step{kind: stepKey, key: k})
		if i := w.respelt(k, added); i >= 0 {
			w.add(Normalised, "key", render(k), render(added[i]))
			w.walk(a.MapIndex(k), b.MapIndex(added[i]))
			added = slices.Delete(added, i, i+1)
		} else {
			w.add(Lossy, "key lost", render(a.MapIndex(k)), "missing")
		}
		w.pop()
	}
	for _, k := range added {
		w.push(step{kind: stepKey, key: k})
		w.add(Lossy, "key added", "missing", render(b.MapIndex(k)))
		w.pop()
	}
	x, y := nanKeys(a), nanKeys(b)
	if len(x)+len(y) == 0 {
		return
	}
	w.push(step{kind: stepKey, name: "NaN"})
	if len(x) != len(y) {
		w.add(Lossy, "NaN keys", strconv.Itoa(len(x))+" keys", strconv.Itoa(len(y))+" keys")
	} else if len(x) == 1 { // with several, nothing says which belong together
		w.walk(x[0], y[0])
	}
	w.pop()
}

// mostRespelt bounds the number of keys that respelt compares.
const mostRespelt = 64

// respelt returns the index of a key that means the same as k although == says otherwise: a time in
// another zone, a pointer to an equal value, an int that became an int64. If there is none, it
// returns -1.
func (w *walker) respelt(k reflect.Value, keys []reflect.Value) int {
	if isBasic(k.Type()) || !k.CanInterface() {
		return -1
	}
	return slices.IndexFunc(keys[:min(len(keys), mostRespelt)], func(other reflect.Value) bool {
		return Grade(Compare(k.Interface(), other.Interface(), w.opt)) != GradeLossy
	})
}

// walkInterface compares the values in two interfaces.
func (w *walker) walkInterface(a, b reflect.Value) {
	x, y := a.Elem(), b.Elem()
	switch {
	case !x.IsValid() && !y.IsValid():
	case !x.IsValid() || !y.IsValid():
		w.nilInterface(x, y)
	case x.Type() == y.Type():
		w.dyn++
		w.walk(x, y)
		w.dyn--
	default:
		w.retyped(x, y)
	}
}

// nilInterface judges a change between a nil interface and a value. Most formats do not distinguish
// nil from an empty slice or map or from a nil pointer, so these changes are normalised.
func (w *walker) nilInterface(x, y reflect.Value) {
	v := x
	if !x.IsValid() {
		v = y
	}
	kind, what := Lossy, typeName(v.Type())
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		if v.Len() == 0 && w.opt.EmptyIsNil {
			return
		}
		if v.Len() == 0 {
			kind, what = Normalised, "empty"
		}
	case reflect.Pointer:
		if v.IsNil() {
			kind, what = Normalised, "nil "+what
		}
	}
	if !x.IsValid() {
		w.add(kind, cause("nil", what), "nil", renderTyped(y))
	} else {
		w.add(kind, cause(what, "nil"), renderTyped(x), "nil")
	}
}

// retyped judges two values of different types.
func (w *walker) retyped(x, y reflect.Value) {
	kind := Lossy
	switch {
	case isInteger(x) && isInteger(y):
		if sameInteger(x, y) {
			kind = Normalised
		}
	case isBytes(x) && isBytes(y):
		if bytes.Equal(x.Bytes(), y.Bytes()) || isRaw(x) && isRaw(y) && sameRaw(x.Bytes(), y.Bytes()) {
			kind = Normalised
		}
	case pointed(x, y):
		if Grade(Compare(reflect.Indirect(x).Interface(), reflect.Indirect(y).Interface(), w.opt)) != GradeLossy {
			kind = Normalised
		}
	}
	w.add(kind, cause(typeName(x.Type()), typeName(y.Type())), renderTyped(x), renderTyped(y))
}

// pointed reports whether one value is a non-nil pointer to the type of the other.
func pointed(x, y reflect.Value) bool {
	if y.Kind() == reflect.Pointer {
		x, y = y, x
	}
	return x.Kind() == reflect.Pointer && !x.IsNil() && x.Type().Elem() == y.Type() && x.CanInterface() && y.CanInterface()
}

func isInteger(v reflect.Value) bool { return v.CanInt() || v.CanUint() }

// sameInteger compares by value, whatever the types are. A negative number equals no unsigned one,
// though both have the same bits.
func sameInteger(x, y reflect.Value) bool {
	switch {
	case x.CanInt() && y.CanInt():
		return x.Int() == y.Int()
	case x.CanUint() && y.CanUint():
		return x.Uint() == y.Uint()
	case x.CanInt():
		return x.Int() >= 0 && uint64(x.Int()) == y.Uint()
	}
	return y.Int() >= 0 && uint64(y.Int()) == x.Uint()
}
