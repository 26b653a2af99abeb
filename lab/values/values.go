// Package values makes the values that a type is measured on.
//
// New and Values draw realistic values from field names and types: a string named Email is an
// address, a float named Price has two decimals, an int named Qty is small. The same seed gives the
// same values in every process. FromDocuments reads values from captured JSON instead. FromFit
// draws them from a fit that Learn made of captured JSON. Adversarial puts extremes into values,
// which may break codecs.
//
// Drawn values contain only what every codec should carry, so that the checks before the
// measurement judge codecs and not values:
//
//   - nine of ten values of a type with declared constants are among these;
//   - times are UTC, without monotonic clock, in whole microseconds;
//   - slices and maps are nil or filled, never empty and not nil;
//   - elements of slices and maps are never nil; pointers in fields sometimes are;
//   - a struct with text or JSON methods is read from a form that the type reads, see
//     forms.go; if that form is a JSON object, its fields are drawn;
//   - in types whose values would otherwise be too large, optional parts become rarer with
//     depth, see thin.go;
//   - *big.Float has precision 64, as when parsed from text; raw JSON is compact
//     and escaped as encoding/json does.
//
// A value of type any is drawn by weight: string 32%, int 22%, float64 12%, bool 10%,
// map[string]any 8%, []any 6%, time.Time 6%, []byte 4%; it nests at most twice.
//
// The source of this package is also compiled into every worker, so it imports only the standard
// library.
package values

import (
	"fmt"
	"math/rand/v2"
	"reflect"
)

// Options say which values are made, and how many.
type Options struct {
	Seed     uint64
	N        int       // values wanted; 0 means 256
	MaxBytes int64     // bound on the estimated memory of all values; 0 means 64 MiB
	Samplers []Sampler // make the parts of their types inside drawn values
	// Constants are the declared constants of string and integer types, as text, by import path and
	// name of the type: "example.com/shop.Status". Nine of ten values of such a type are among
	// them.
	Constants map[string][]string
}

// DefaultMaxBytes is the default bound on the estimated memory of a set of values.
const DefaultMaxBytes = 64 << 20

// Maker makes values of one type.
type Maker[T any] struct {
	seed uint64
	n    uint64 // of the next value
	lore
}

// New returns a maker of values of T. It returns an error if T has only unexported fields, reads
// neither text nor JSON, and has no sampler. Parts of such types stay zero, and Untested names
// them.
func New[T any](seed uint64, own ...Sampler) (*Maker[T], error) {
	return newMaker[T](Options{Seed: seed, Samplers: own})
}

func newMaker[T any](o Options) (*Maker[T], error) {
	m := &Maker[T]{seed: o.Seed, lore: newLore()}
	m.own, m.named = samplersOf(o.Samplers), o.Constants
	m.thin()
	for i := range uint64(16) { // enough values to meet rare branches
		if _, err := m.at(i); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// fillWhole fills v, which is a whole value and not a part of one.
func fillWhole[T any](f *filler, v *T) error {
	f.fill(reflect.ValueOf(v).Elem(), hint{})
	if f.err != nil {
		return fmt.Errorf("values: %s: %w", reflect.TypeFor[T](), f.err)
	}
	return nil
}

// Next makes the next value.
func (m *Maker[T]) Next() (T, error) {
	v, err := m.at(m.n)
	m.n++
	return v, err
}

// at makes the i-th value, which depends only on the seed and i.
func (m *Maker[T]) at(i uint64) (v T, err error) {
	f := newFiller(rand.New(rand.NewPCG(m.seed, i)), m.lore)
	return v, fillWhole(f, &v)
}

// Values makes o.N values. It makes fewer if they would exceed o.MaxBytes, but at least one.
func Values[T any](o Options) ([]T, error) {
	m, err := newMaker[T](o)
	if err != nil {
		return nil, err
	}
	var failed error
	out := Fill(o, func(uint64) T {
		v, err := m.Next()
		if err != nil && failed == nil {
			failed = err
		}
		return v
	})
	return out, failed
}

// Sampled makes values with the user's own function, within the same limits. Value i is drawn from
// a source of its own, seeded with (o.Seed, i).
func Sampled[T any](o Options, sample func(*rand.Rand) T) []T {
	return Fill(o, func(i uint64) T { return sample(rand.New(rand.NewPCG(o.Seed, i))) })
}

// Fill collects make(0), make(1), … until o.N or o.MaxBytes is reached.
func Fill[T any](o Options, make func(i uint64) T) []T {
	if o.N <= 0 {
		o.N = 256
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	var out []T
	var total int64
	for i := range uint64(o.N) {
		v := make(i)
		total += Size(&v)
		if total > o.MaxBytes && len(out) > 0 {
			break
		}
		out = append(out, v)
	}
	return out
}
