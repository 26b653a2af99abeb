package bad

// Page needs a type argument.
type Page[T any] struct{ Items []T }
