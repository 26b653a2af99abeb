package diff

import (
	"maps"
	"reflect"
)

var (
	stringMapType  = reflect.TypeFor[map[string]string]()
	dynamicMapType = reflect.TypeFor[map[string]any]()
	dynamicType    = reflect.TypeFor[[]any]()
)

// walkCommon compares values of the types into which decoders read dynamic data. It uses no
// reflection as long as the values are alike, and takes a third of the general walk's time
// (BenchmarkCompareSession). It returns true if the values are alike. If it returns false, it has
// reported nothing, and the general walk finds the differences. TestCommonTypes compares walkCommon
// with the general walk.
func (w *walker) walkCommon(p *plan, a, b reflect.Value) bool {
	if w.Equal != nil || !a.CanInterface() {
		return false
	}
	before, same := w.values, false
	switch p.typ {
	case stringMapType:
		x, y := a.Interface().(map[string]string), b.Interface().(map[string]string)
		same = maps.Equal(x, y) && !(w.Nil && (x == nil) != (y == nil)) && w.spend(len(x))
	case dynamicMapType:
		same = w.sameDynamicMap(a.Interface().(map[string]any), b.Interface().(map[string]any), 0)
	case dynamicType:
		same = w.sameDynamicSlice(a.Interface().([]any), b.Interface().([]any), 0)
	}
	if !same {
		w.values = before // the general walk counts them again
	}
	return same
}

// spend counts values that are alike. It returns false if that exceeds the limit; then the general
// walk reports it.
func (w *walker) spend(n int) bool {
	if w.values+n >= w.MaxValues {
		return false
	}
	w.values += n
	return true
}

// commonDepth limits the nesting of values here, since these functions do not notice cycles.
const commonDepth = 16

func (w *walker) sameDynamicMap(a, b map[string]any, depth int) bool {
	if len(a) != len(b) || w.Nil && (a == nil) != (b == nil) || depth > commonDepth || !w.spend(len(a)) {
		return false
	}
	for k, x := range a {
		if y, ok := b[k]; !ok || !w.sameDynamic(x, y, depth) {
			return false
		}
	}
	return true
}

func (w *walker) sameDynamicSlice(a, b []any, depth int) bool {
	if len(a) != len(b) || w.Nil && (a == nil) != (b == nil) || depth > commonDepth || !w.spend(len(a)) {
		return false
	}
	for i := range a {
		if !w.sameDynamic(a[i], b[i], depth) {
			return false
		}
	}
	return true
}

// sameDynamic reports whether two values are certainly alike. For zeros and NaN it returns false,
// since the options decide about them.
func (w *walker) sameDynamic(a, b any, depth int) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case string:
		y, ok := b.(string)
		return ok && x == y
	case bool, int:
		return a == b
	case float64:
		y, ok := b.(float64)
		return ok && x == y && x != 0
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && w.sameDynamicMap(x, y, depth+1)
	case []any:
		y, ok := b.([]any)
		return ok && w.sameDynamicSlice(x, y, depth+1)
	}
	return false
}
