package fxjson

import (
	"fmt"
	"iter"
)

// Elements goes through the elements of the array that dec reads next, one in memory at a time:
// each is decoded into a new T. null is an empty array. An error of the grammar, of the reader or
// of an element is the last that is yielded, with what the element holds by then. After the last
// element dec stands behind the array; a loop that ends early leaves it behind an element, where
// [Decoder.Token] goes on.
func Elements[T any](dec *Decoder) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		switch t, err := dec.Token(); {
		case err != nil:
			yield(zero, err)
			return
		case t == nil:
			return
		case t != Delim('['):
			yield(zero, fmt.Errorf("fxjson: elements at offset %d: want an array, found %v", dec.InputOffset(), t))
			return
		}
		for dec.More() {
			var v T
			err := dec.Decode(&v)
			if !yield(v, err) || err != nil {
				return
			}
		}
		if _, err := dec.Token(); err != nil {
			yield(zero, err)
		}
	}
}
