//go:build ignore

package pb

import "fmt"

// ZZLength returns the error for a list whose length differs from that of a Go array.
func ZZLength(want, have int) error {
	return fmt.Errorf("protobuf: array of %d elements, message has %d", want, have)
}

// ZZGrow returns a slice of n elements: s itself if its capacity is large enough, and nil if n is
// 0.
func ZZGrow[S ~[]E, E any](s S, n int) S {
	switch {
	case n == 0:
		return nil
	case cap(s) >= n:
		return s[:n]
	}
	return make(S, n)
}

// ZZWide returns a pointer to its argument.
func ZZWide(c complex128) *complex128 { return &c }
