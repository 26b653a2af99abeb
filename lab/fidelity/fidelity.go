// Package fidelity judges what a codec did to a value. It compares the original with its round trip
// and reports every change with its path.
//
// Terms: a difference is lossy if the value itself changed, and normalised if only its form did.
// Normalised are
//
//   - nil ↔ empty slices and maps, also inside an interface;
//   - the same instant in another time zone, or without its monotonic clock;
//   - another Go integer type with an equal value (int 5 → int64 5);
//   - a pointer and its target inside an interface, if the values are equal;
//   - a json.Number spelled differently (1.0, 1, 10e-1);
//   - a big.Float of equal value with another precision or rounding mode;
//   - []byte ↔ json.RawMessage with the same bytes, and raw JSON with the same meaning
//     (white space, escapes, key order, spelling of numbers; no text is null);
//   - a field that the codec announces it leaves out ([Options.LeftOut]), or that a struct tag
//     of the codec keeps out of messages ([Options.Tags], json:"-");
//   - an unexported field that came back zero, in a struct that has exported fields too;
//   - two values that their type's Equal method calls equal although their text forms differ.
//
// Everything else is lossy: int → float64, *big.Int → string, []byte → string, time → string, a
// lost key, a lost type inside an interface, nil → pointer to zero, -0 → 0, and more. NaN equals
// NaN.
//
// Unexported fields are compared if a codec could carry them. Types that marshal themselves
// (time.Time, math/big, net/netip, a Money with an exported currency and unexported cents) are
// compared by their marshal methods and by a method Equal. Types of package sync/atomic are
// compared by the values that they hold. In other types, an unexported field that came back zero is
// a change, and a lossy one if the struct has no exported fields (url.Userinfo). A field that did
// come back was carried by methods that this package does not know, and is compared like exported
// fields.
//
// The source of this package is also compiled into every worker, so it imports only the standard
// library.
package fidelity

import "reflect"

// Kinds of difference.
const (
	Lossy      = "lossy"
	Normalised = "normalised"
)

// Grades of a round trip, as run.json spells them.
const (
	GradeLossless   = "LOSSLESS"
	GradeNormalised = "NORMALISED"
	GradeLossy      = "LOSSY"
)

// Diff is one difference between a value and its round trip.
type Diff struct {
	Path    string // Items[3].Attrs["k"]; "." for the whole value
	Pattern string // path without indices and keys: Items[].Attrs[*]; see path.Pattern
	Before  string // short text of the value, with its type if the types differ
	After   string
	Kind    string // Lossy | Normalised
	Cause   string // class of the change: "int → float64", "nil → empty", "value"
}

// String returns the diff as one line: `Metadata["qty"] int 5 → float64 5`.
func (d Diff) String() string {
	return d.Path + " " + d.Before + " → " + d.After
}

// Options adjust Compare. The zero value is valid. The lab sets LeftOut, Tags and Kept for each
// codec.
type Options struct {
	// Every makes Compare return every difference. Otherwise it returns the first of each (Pattern,
	// Cause), which suffices for a grade and bounds the result by the type.
	Every bool
	// LeftOut holds fields that the codec announces it does not carry. If one comes back zero, that
	// is normalised, with the cause "left out".
	LeftOut map[Field]bool
	// Tags are the keys of struct tags that the codec reads. The first of them that a field has
	// decides: if its value is "-", the field is treated as in LeftOut.
	Tags []string
	// Kept holds fields that encoding/json carries although their struct tags say otherwise; see
	// KeptByJSON. If one comes back zero, that is lossy, whatever LeftOut and Tags say.
	Kept map[Field]bool
	// EmptyIsNil makes Compare report no change between nil and an empty slice or map. It is for
	// two results of one codec: a decoder that takes memory from a pool may return either.
	EmptyIsNil bool
}

// Field identifies a field of a struct type.
type Field struct {
	Type reflect.Type // the struct
	Name string
}

// String returns the field with its type and package: k8s.io/api/core/v1.Pod.Spec.
func (f Field) String() string {
	s := f.Type.String()
	if path := f.Type.PkgPath(); path != "" {
		s = path + "." + f.Type.Name()
	}
	return s + "." + f.Name
}

// Compare returns the differences between before and after, in the order of fields, indices and
// sorted keys, or nil if there are none.
//
// Pointers and interfaces are followed but do not show in paths. Cycles are followed once. Channels
// and functions differ only if exactly one is nil.
func Compare(before, after any, opt Options) []Diff {
	w := newWalker(opt)
	w.dyn = -1 // the interfaces of before and after are not part of the value
	w.walk(reflect.ValueOf(&before).Elem(), reflect.ValueOf(&after).Elem())
	return w.diffs
}

// Grade returns the grade of one or many values with these differences.
func Grade(diffs []Diff) string {
	grade := GradeLossless
	for _, d := range diffs {
		if d.Kind == Lossy {
			return GradeLossy
		}
		grade = GradeNormalised
	}
	return grade
}

// cause returns the cause of a change between two spellings of types.
func cause(before, after string) string { return before + " → " + after }
