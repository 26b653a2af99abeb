//go:build ignore

package pb

import "fmt"

// ZZLength is the error of a list whose length does not fit a Go array.
func ZZLength(want, have int) error {
	return fmt.Errorf("protobuf: array of %d elements, message has %d", want, have)
}

// ZZGrow returns a slice of n elements, s itself where it is large enough.
func ZZGrow[S ~[]E, E any](s S, n int) S {
	switch {
	case n == 0:
		return nil
	case cap(s) >= n:
		return s[:n]
	}
	return make(S, n)
}

// ZZWide is a pointer to its argument.
func ZZWide(c complex128) *complex128 { return &c }
