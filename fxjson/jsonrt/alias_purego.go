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

// numbers returns no memory: here texts are bytes only.
func numbers[E Signed | Float](*Dec) []E { return nil }

// useNumbers is never given memory of numbers here.
func useNumbers[E Signed | Float](_ *Dec, a []E) []E { return a }

// maxNumbers is the length of the longest list of integers among the texts of a document.
const maxNumbers = 0

// newPiece returns an empty slice with room for at least n bytes.
func newPiece(n int) []byte { return make([]byte, 0, n) }
