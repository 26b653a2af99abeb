//go:build purego

package jsonrt

import (
	"reflect"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// newDocument returns a padded copy of b in memory of its own.
func newDocument(b []byte) []byte { return jsonwire.Padded(nil, b) }

// isZero reports whether *v is the zero value, all bits of it.
func isZero[T any](v *T) bool { return reflect.ValueOf(v).Elem().IsZero() }

// newBuffer returns an empty slice with room for n bytes.
func newBuffer(n int) []byte { return make([]byte, 0, n) }

// typeID identifies the type of v, which is not nil.
func typeID(v any) uintptr { return reflect.ValueOf(reflect.TypeOf(v)).Pointer() }

// boxString returns any(s).
func (*Dec) boxString(s string) any { return s }

// boxFloat returns any(f).
func (*Dec) boxFloat(f float64) any { return f }

// spareRoom returns no memory: here a document has no room for numbers.
func spareRoom[E Signed | Float](*Dec) []E { return nil }

// useSpare is never given memory of spareRoom here.
func useSpare[E Signed | Float](_ *Dec, a []E) []E { return a }
