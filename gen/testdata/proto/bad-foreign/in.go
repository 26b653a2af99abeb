package bad

import "example.org/golden/proto/bad-foreign/hidden"

// Order holds a type with types that this package cannot write.
type Order struct {
	Line hidden.Line `proto:"1"`
}

// Page has type parameters.
type Page[T any] struct {
	N T `proto:"1"`
}
