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
