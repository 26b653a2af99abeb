//go:build ignore

// Package tables has the errors of conversions to and from formats of tables.
package tables

import "fmt"

// Length says that an array has another length than its type.
func Length(want, have int) error {
	return fmt.Errorf("an array of %d has %d elements", want, have)
}

// Nil says that a list holds nil, for which vectors have no form.
func Nil(path string) error {
	return fmt.Errorf("%s holds nil, which a vector cannot", path)
}
