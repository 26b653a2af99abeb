//go:build ignore

// Package tables has the errors of conversions for formats with tables.
package tables

import "fmt"

// Length returns the error for an array whose length in a message differs from that of its type.
func Length(want, have int) error {
	return fmt.Errorf("an array of %d has %d elements", want, have)
}

// Nil returns the error for a list with a nil element, which vectors cannot represent.
func Nil(path string) error {
	return fmt.Errorf("%s holds nil, which a vector cannot", path)
}
