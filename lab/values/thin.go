package values

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// An API type has hundreds of optional parts, of which a real value has a few. If all were drawn as
// often as those of a small type, values would be a hundred times as large as real ones. So
// optional parts become rarer with depth, just enough for the median value to have a plausible
// size.
const (
	plausible = 800     // approximate size of the median value as JSON, in bytes
	mostSpent = 8 << 10 // size in bytes beyond which a value gets no more optional parts
)

// thinning says which share the filler keeps of the optional parts that it would otherwise draw.
type thinning struct {
	top  float64 // share kept in the outermost struct
	keep float64 // share kept in structs within it; its square in structs within those, and so on
}

// thinnings are the choices, in the order in which they are tried. The first ones keep all parts of
// the outermost struct.
var thinnings = []thinning{{1, 1}, {1, 0.8}, {1, 0.65}, {1, 0.5}, {1, 0.4}, {1, 0.3}, {1, 0.2}, {1, leastKept},
	{0.7, 0.3}, {0.6, 0.2}, {0.5, 0.15}, {0.4, 0.12}, {0.3, 0.1}, {0.2, 0.08}, {0.15, 0.05}, {0.1, 0.03}, {0.05, 0.01}}

// leastKept is the smallest share for nested structs before the outermost struct loses parts too.
const leastKept = 0.12

// trials is the number of values that are drawn to find their typical size.
const trials = 15

// thin chooses a thinning, which depends only on the type and its samplers: the first one that
// makes values of a plausible size, or of at most 1.5 times the size with the strongest thinning.
func (m *Maker[T]) thin() {
	m.thinning = thinnings[len(thinnings)-1]
	limit := max(plausible, m.typical()*3/2)
	for _, m.thinning = range thinnings {
		if m.keep == leastKept && m.top == 1 {
			limit = max(limit, 15*plausible/8) // rather than take parts from the outermost struct
		}
		if m.typical() <= limit {
			break
		}
	}
}

// typical returns the median size of a few values, or 0 if one of them cannot be made.
func (m *Maker[T]) typical() int {
	var sizes []int
	for i := range uint64(trials) {
		f := newFiller(rand.New(rand.NewPCG(0x7468696e, i)), m.lore) // "thin"
		if fillWhole(f, new(T)) != nil {
			return 0 // at reports the error
		}
		sizes = append(sizes, f.spent)
	}
	slices.Sort(sizes)
	return sizes[trials/2]
}

// absent decides whether an optional field is left out.
func (f *filler) absent(sf *reflect.StructField) bool {
	return f.keep < 1 && !f.dense && optional(sf) && f.r.Float64() >= f.frequency()
}

// frequency returns the share of optional parts that is kept in the struct being filled.
func (f *filler) frequency() float64 {
	if f.depth <= 1 {
		return f.top
	}
	return math.Pow(f.keep, float64(f.depth-1))
}

// optional reports whether JSON can leave the field out or write null for it.
func optional(sf *reflect.StructField) bool {
	if nilable(sf.Type) {
		return !spellsItself(sf.Type) // a list with its own form, such as an address, is a value
	}
	return omitted(sf)
}

// omitted reports whether JSON omits the field if it is zero.
func omitted(sf *reflect.StructField) bool {
	_, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
	empties := sf.Type.Kind() != reflect.Struct && sf.Type.Kind() != reflect.Chan && sf.Type.Kind() != reflect.Func
	return strings.Contains(options, "omitempty") && empties || strings.Contains(options, "omitzero")
}

// unwritable reports whether JSON can neither write nor omit the field.
func unwritable(sf *reflect.StructField) bool {
	switch sf.Type.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128:
		return sf.Tag.Get("json") != "-" && !omitted(sf)
	}
	return false
}

// spend adds the approximate length of a leaf as JSON.
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
