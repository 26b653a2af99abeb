// Package diff compares two Go values of one type, such as a sent message and the received one. It
// names each difference by its path: Order.Items[3].Price.
//
// It is made for values that have been through a codec, in production. So properties that codecs do
// not usually keep count as equal unless [Options] says otherwise: the zone of a time, nil or empty.
// Unexported fields are not compared. A method Equal of the type decides if there is one. The work
// has a limit, however large or tangled the values are.
package diff

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Kind is the kind of a difference.
type Kind string

// Kinds of differences.
const (
	Value   Kind = "value"   // two values of one type are unequal
	Nil     Kind = "nil"     // one side is nil
	Length  Kind = "length"  // slices of different lengths
	Missing Kind = "missing" // a key of a map is in the first value only
	Added   Kind = "added"   // a key of a map is in the second value only
	Type    Kind = "type"    // two interfaces hold different types
)

// Difference is one place in which two values differ.
type Difference struct {
	Path    string `json:"path"`    // Order.Items[3].Price
	Pattern string `json:"pattern"` // Order.Items[].Price: the same for all elements
	Kind    Kind   `json:"kind"`
	Before  string `json:"before"` // at most 64 bytes of text
	After   string `json:"after"`
}

// String returns the difference on one line: Order.Items[3].Price: 1.1 vs 1.
func (d Difference) String() string { return d.Path + ": " + d.Before + " vs " + d.After }

// Options say what counts as a difference, and how much work a comparison may take. With the zero
// value NaN equals NaN, times are equal if they are the same instant, nil slices and maps equal
// empty ones, and 0 equals -0. Numbers of one type are compared by value; numbers of different
// types are never equal.
type Options struct {
	NaN          bool // a NaN differs from a NaN
	Zone         bool // a time differs from the same instant in a zone with another offset
	Nil          bool // a nil slice or map differs from an empty one
	NegativeZero bool // -0 differs from 0
	Precision    bool // a *big.Float differs from an equal one with another precision
	Spelling     bool // a json.RawMessage differs from one that has other spaces

	// LooseNumbers lets numbers in interfaces be equal whatever their types. JSON gives any(1) back
	// as float64, binary formats as an integer.
	LooseNumbers bool

	// Ignore lists patterns of places. Neither these places nor anything below them is compared:
	// "Order.Cache", "Order.Items[].ETag".
	Ignore []string

	// Equal has functions that compare values of a type instead of this package.
	Equal map[reflect.Type]func(before, after any) bool

	// Hide leaves contents out of Before, After and Path: they have types and lengths instead, and
	// keys of maps are *. Show, unless it is nil, returns how a text appears; it is also called for
	// keys of maps. pattern is the Pattern of the place, see Difference.
	Hide bool
	Show func(pattern, text string) string

	MaxValues      int // most values that a comparison visits; 0 means 65,536
	MaxDepth       int // deepest nesting that it follows; 0 means 200
	MaxDifferences int // most differences that it reports; 0 means 16
}

// Result is the result of one comparison.
type Result struct {
	Differences []Difference // sorted by path
	Truncated   bool         // a limit ended the comparison: there may be more
}

// Equal reports whether the values were compared to the end and no difference was found.
func (r Result) Equal() bool { return len(r.Differences) == 0 && !r.Truncated }

// Compare compares two values. It follows pointers. That includes before and after if these are
// pointers. It does not change the values, and nobody else may change them meanwhile. It calls
// methods Equal of types that have one, and the functions in o.Equal. If these panic, so does
// Compare.
func Compare(before, after any, o Options) Result {
	w := walker{Options: o.withDefaults()}
	a, b := pointee(before), pointee(after)
	switch {
	case !a.IsValid() && !b.IsValid():
	case !a.IsValid() || !b.IsValid():
		w.path = append(w.path, step{name: "."})
		w.report(Nil, a, b)
	case a.Type() != b.Type():
		w.path = append(w.path, step{name: root(a.Type())})
		w.retyped(a, b)
	default:
		p := planOf(a.Type())
		if w.alike(p, a, b) {
			return Result{}
		}
		w.path = append(w.path, step{name: root(a.Type())})
		w.walk(p, a, b)
	}
	slices.SortFunc(w.found, func(x, y Difference) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), strings.Compare(string(x.Kind), string(y.Kind)))
	})
	return Result{w.found, w.truncated}
}

// pointee returns the value that v points to, or v itself.
func pointee(v any) reflect.Value {
	p := reflect.ValueOf(v)
	for p.Kind() == reflect.Pointer && !p.IsNil() {
		p = p.Elem()
	}
	return p
}

// root returns the first word of a path: the name of the type without its package.
func root(t reflect.Type) string {
	if t.Name() == "" {
		return t.String()
	}
	return t.Name()
}

func (o Options) withDefaults() Options {
	o.MaxValues = cmp.Or(max(o.MaxValues, 0), 1<<16)
	o.MaxDepth = cmp.Or(max(o.MaxDepth, 0), 200)
	o.MaxDifferences = cmp.Or(max(o.MaxDifferences, 0), 16)
	return o
}

// ignores reports whether o.Ignore has the pattern, or the pattern of a place that contains this
// one.
func (o *Options) ignores(pattern string) bool {
	return slices.ContainsFunc(o.Ignore, func(i string) bool {
		rest, found := strings.CutPrefix(pattern, i)
		return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}
