package fxjson

import (
	"fmt"
	"iter"
)

// Elements iterates over the elements of the array that dec reads next. Each element is decoded
// into a new T, so only one is in memory at a time. null is an empty array. If reading or decoding
// fails, the iteration yields the error together with the partly decoded element, and ends. After
// the last element, dec goes on with what follows the array. If the loop ends early, the next token
// of dec is the one after the last element that the loop got; [Decoder.Token] reads the rest of the
// array.
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
