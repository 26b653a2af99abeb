// Package fidelity judges what a codec did to a value: it compares an original
// with its round trip and names every change by its path.
//
// Terms: a difference is lossy when the value itself changed, and normalised
// when only its form did. Normalised are
//
//   - nil ↔ empty slices and maps, also inside an interface;
//   - the same instant in another time zone, or without its monotonic clock;
//   - another Go integer type with an equal value (int 5 → int64 5);
//   - a pointer and what it points to inside an interface, where the values are equal;
//   - a json.Number spelled differently (1.0, 1, 10e-1);
//   - a big.Float of equal value whose precision or rounding mode changed;
//   - []byte ↔ json.RawMessage with the same bytes, and raw JSON that means the
//     same (white space, escapes, key order, spelling of numbers; none is null);
//   - a field that the codec says beforehand it leaves out ([Options.LeftOut]), or that a
//     struct tag which the codec reads keeps out of messages ([Options.Tags], json:"-");
//   - an unexported field, beside exported ones, that came back zero;
//   - a type with its own Equal method that calls both values equal while their
//     text forms differ.
//
// Everything else is lossy, among it int → float64, *big.Int → string, []byte →
// string, time → string, a lost key, a lost type inside an interface, nil → pointer
// to zero, and -0 → 0. NaN equals NaN.
//
// Unexported fields are compared where a codec could carry them: in types
// that marshal themselves (time.Time, math/big, net/netip, a Money with a currency for
// all to see and cents of its own), by those methods and by a method Equal. Types of package
// sync/atomic are compared by what they hold. Elsewhere what comes back zero is a change: a lossy
// one in a struct that has no other fields (url.Userinfo). What does come back was carried by
// methods that this package does not know, and is compared like exported fields.
//
// The package's source is also compiled into every worker: it imports the
// standard library only.
package fidelity

import (
	"reflect"
	"strings"
)

// The kinds of difference.
const (
	Lossy      = "lossy"
	Normalised = "normalised"
)

// The grades of a round trip, as run.json spells them.
const (
	GradeLossless   = "LOSSLESS"
	GradeNormalised = "NORMALISED"
	GradeLossy      = "LOSSY"
)

// Diff is one change of value.
type Diff struct {
	Path    string // Items[3].Attrs["k"]; "." for the whole value
	Pattern string // Items[].Attrs[*]: the path without its indices and keys; an interface's content is one place
	Before  string // rendered short; with its type when the types differ
	After   string
	Kind    string // Lossy | Normalised
	Cause   string // class of the change: "int → float64", "nil → empty", "value"
}

// String is the diff as a line: `Metadata["qty"] int 5 → float64 5`.
func (d Diff) String() string {
	return d.Path + " " + d.Before + " → " + d.After
}

// Options adjust Compare. The zero value is right for the lab.
type Options struct {
	// Every returns every difference. Otherwise the first of each (Pattern,
	// Cause) is returned, which is enough for a grade and bounded by the type.
	Every bool
	// Width is the most runes that a rendered value takes, 48 when 0.
	Width int
	// MaxDepth bounds nesting, 10,000 when 0. Deeper parts are reported as lossy
	// ("too deep to compare"), never passed over in silence.
	MaxDepth int
	// LeftOut are fields that the codec says beforehand it does not carry: that one comes
	// back zero is normalised, with the cause "left out".
	LeftOut map[Field]bool
	// Tags are the keys of struct tags that the codec reads. A field with the value "-" under the
	// first of them that it has is left out, as if it were in LeftOut.
	Tags []string
	// Kept are fields that encoding/json carries, though their struct tags say otherwise: see
	// KeptByJSON. One that comes back zero is lossy, whoever left it out.
	Kept map[Field]bool
}

// Field is a field of a struct.
type Field struct {
	Type reflect.Type // the struct
	Name string
}

// String is the field with its package: k8s.io/api/core/v1.Pod.Spec.
func (f Field) String() string {
	s := f.Type.String()
	if path := f.Type.PkgPath(); path != "" {
		s = path + "." + f.Type.Name()
	}
	return s + "." + f.Name
}

// Compare returns what changed between before and after, in the order of the
// type's fields, indices and sorted keys. It returns nil when nothing did.
//
// Pointers and interfaces are followed and leave no trace in paths. Cycles are
// followed once. Channels and functions differ only by being nil or not.
func Compare(before, after any, opt Options) []Diff {
	w := newWalker(opt)
	w.top(before, after)
	return w.diffs
}

// Grade sums up the differences of one or many values.
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

// cause of a change between two spellings of types.
func cause(before, after string) string {
	return strings.Join([]string{before, after}, " → ")
}
