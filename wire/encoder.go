package wire

import "slices"

// Encoder is the state of one marshal call.
type Encoder struct {
	MaxWire int // bytes of the message
	start   int
}

// NewEncoder returns the state for a message that starts after the first n bytes of a buffer.
func NewEncoder(n, maxWire int) Encoder { return Encoder{MaxWire: maxWire, start: n} }

// Fits returns ErrTooLarge if the message, which ends at the end of b, exceeds its limit.
func (e *Encoder) Fits(b []byte) *Error {
	if n := len(b) - e.start; n > e.MaxWire {
		return e.tooLarge(n)
	}
	return nil
}

//go:noinline
func (e *Encoder) tooLarge(n int) *Error {
	return &Error{Code: ErrTooLarge, Need: n, Have: e.MaxWire}
}

// Extend lengthens b by n bytes of unspecified content. The caller must set them.
func Extend(b []byte, n int) []byte {
	if n <= cap(b)-len(b) {
		return b[:len(b)+n]
	}
	return extendSlow(b, n)
}

// Room is Extend for a whole message of n bytes. If b has no capacity, the result has no spare
// capacity either.
func Room(b []byte, n int) []byte {
	if n <= cap(b)-len(b) {
		return b[:len(b)+n]
	}
	return roomSlow(b, n)
}

//go:noinline
func roomSlow(b []byte, n int) []byte {
	if cap(b) == 0 {
		return make([]byte, n)
	}
	return extendSlow(b, n)
}

// extendSlow at least doubles b. append alone grows large slices by a quarter, so a message of 23
// MB was copied three times over (153 MB allocated in place of 68).
//
//go:noinline
func extendSlow(b []byte, n int) []byte { return slices.Grow(b, max(n, cap(b)))[:len(b)+n] }

// IsZero reports whether all bytes of b are zero.
func IsZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if U64(b) != 0 {
			return false
		}
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
