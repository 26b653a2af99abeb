package values

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// A type of an API has hundreds of optional parts, of which a value has a few. If all were
// drawn as often as those of a small type, values would be a hundred times as large as real
// ones. So their frequency falls with depth, as fast as it takes for the median value to be
// of a plausible size.
const (
	plausible = 800     // bytes of the median value as JSON, about
	mostSpent = 8 << 10 // bytes after which a value gets no more optional parts
)

// thinning is how often optional parts are drawn that the filler's own rules would draw.
type thinning struct {
	top  float64 // of the value itself
	keep float64 // of a struct within it; a struct within that has the square of it, and so on
}

// thinnings are those to choose from: as long as it will do, the value itself keeps all parts.
var thinnings = []thinning{{1, 1}, {1, 0.8}, {1, 0.65}, {1, 0.5}, {1, 0.4}, {1, 0.3}, {1, 0.2}, {1, leastKept},
	{0.7, 0.3}, {0.6, 0.2}, {0.5, 0.15}, {0.4, 0.12}, {0.3, 0.1}, {0.2, 0.08}, {0.15, 0.05}, {0.1, 0.03}, {0.05, 0.01}}

// leastKept is the least that nested structs keep before the value itself goes without parts.
const leastKept = 0.12

// trials is how many values are drawn to see how large they are.
const trials = 15

// thin chooses one by the type and its samplers alone: the first by which values are of a
// plausible size, or not much larger than what they cannot go without.
func (m *Maker[T]) thin() thinning {
	m.thinning = thinnings[len(thinnings)-1]
	limit := max(plausible, m.typical()*3/2)
	for _, m.thinning = range thinnings {
		if m.keep == leastKept && m.top == 1 {
			limit = max(limit, 15*plausible/8) // rather than to leave out what the value itself has
		}
		if m.typical() <= limit {
			break
		}
	}
	return m.thinning
}

// typical is the median size of a few values, 0 where none can be made.
func (m *Maker[T]) typical() int {
	var sizes []int
	for i := range uint64(trials) {
		f := m.filler(rand.New(rand.NewPCG(0x7468696e, i))) // "thin"
		var v T
		f.fill(reflect.ValueOf(&v).Elem(), hint{})
		if f.err != nil {
			return 0 // at will tell
		}
		sizes = append(sizes, f.spent)
	}
	slices.Sort(sizes)
	return sizes[trials/2]
}

// absent decides whether an optional field of a struct is left out.
func (f *filler) absent(sf *reflect.StructField) bool {
	if !f.thins() || f.dense || !optional(sf) {
		return false
	}
	return f.r.Float64() >= f.frequency()
}

// thins reports whether anything is left out.
func (f *filler) thins() bool { return f.keep < 1 }

// frequency is that of optional parts of the struct that is being filled.
func (f *filler) frequency() float64 {
	if f.depth <= 1 {
		return f.top
	}
	return math.Pow(f.keep, float64(f.depth-1))
}

// optional reports a field that JSON may go without.
func optional(sf *reflect.StructField) bool {
	switch sf.Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return !spellsItself(sf.Type) // an address is no list
	}
	return omitted(sf)
}

// omitted reports a field whose zero value leaves no trace in JSON.
func omitted(sf *reflect.StructField) bool {
	_, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
	empties := sf.Type.Kind() != reflect.Struct && sf.Type.Kind() != reflect.Chan && sf.Type.Kind() != reflect.Func
	return strings.Contains(options, "omitempty") && empties || strings.Contains(options, "omitzero")
}

// unwritable reports a field that JSON neither writes nor leaves out.
func unwritable(sf *reflect.StructField) bool {
	switch sf.Type.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128:
		return sf.Tag.Get("json") != "-" && !omitted(sf)
	}
	return false
}

// spend counts a leaf, about as long as JSON writes it.
func (f *filler) spend(v reflect.Value) {
	n := 6
	switch v.Kind() {
	case reflect.String:
		n = v.Len() + 3
	case reflect.Slice:
		n = v.Len()*4/3 + 3 // bytes
	case reflect.Struct:
		n = 24
	}
	f.spent += n
}
