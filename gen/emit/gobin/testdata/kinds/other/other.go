// Package other has types that generated code of another package carries.
package other

// Money is in another package than its user.
type Money struct {
	Units    int64  `zmy:"0"`
	Currency string `zmy:"1"`
}

// Code is a named string.
type Code string

// Box is generic.
type Box[T any] struct {
	What  T            `zmy:"0"`
	More  []T          `zmy:"1"`
	By    map[string]T `zmy:"2"`
	Inner *Box[T]      `zmy:"3"`
}
