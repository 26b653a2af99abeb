package stock

import "sync"

// Code is an enum.
type Code int32

// Item has a field that other packages cannot write.
type Item struct {
	Sku  string `proto:"1"`
	Size Code   `proto:"2"`

	cached string
}

// Locked must not be copied.
type Locked struct {
	Mu sync.Mutex `proto:"-"`
	N  int        `proto:"1"`
}

// Pair is generic.
type Pair[K comparable, V any] struct {
	Key   K `proto:"1"`
	Value V `proto:"2"`
}
