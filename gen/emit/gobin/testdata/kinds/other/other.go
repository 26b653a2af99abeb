// Package other has types that generated code of another package carries.
package other

// Money is in another package than its user.
type Money struct {
	Units    int64  `zmy:"0"`
	Currency string `zmy:"1"`
}

// Code is a named string.
type Code string
