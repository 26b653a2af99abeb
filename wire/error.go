package wire

import "strconv"

// Error is a [Code] and where it applies. The function that finds the fault makes the Error, and
// each caller on the way out adds its part of the path. So success costs nothing.
type Error struct {
	Code   Code
	Offset int    // bytes from the start of the slot that the returning function read
	Path   string // path from that slot to the fault: "Items[3].Price"
	Need   int    // bytes, for ErrTruncated, ErrTooLarge and ErrBudget; else 0
	Have   int    //
	Value  any    // the value that cannot be encoded, for ErrNoWireType
	Cause  error  // the error of a method of the type, for ErrMethod
	Note   string // further explanation
}

// Fail returns an error at offset off of the slot that the caller reads.
//
//go:noinline
func Fail(c Code, off int) *Error { return &Error{Code: c, Offset: off} }

// FailSlot returns an error of the slot b as a whole. Its offset is the end of b for ErrTruncated,
// and the start for other codes.
//
//go:noinline
func FailSlot(c Code, b []byte) *Error {
	if c == ErrTruncated {
		return Fail(c, len(b))
	}
	return Fail(c, 0)
}

// FailShort returns the error of a slot that has fewer bytes than it needs.
//
//go:noinline
func FailShort(need, have int) *Error {
	return &Error{Code: ErrTruncated, Offset: have, Need: need, Have: have}
}

// In puts field in front of e's path, and adds off, the offset of that field's slot, to e's offset.
// It changes and returns e.
//
//go:noinline
func (e *Error) In(field string, off int) *Error {
	e.Offset += off
	switch {
	case e.Path == "":
		e.Path = field
	case e.Path[0] == '[':
		e.Path = field + e.Path
	default:
		e.Path = field + "." + e.Path
	}
	return e
}

// At puts element i of a list in front of e's path, and adds off, the offset of that element, to
// e's offset.
//
//go:noinline
func (e *Error) At(i, off int) *Error {
	return e.In("["+strconv.Itoa(i)+"]", off)
}

// AtInt puts a signed map key in front of e's path, and adds off, the offset of the key's value, to
// e's offset. AtUint does the same for an unsigned key.
//
//go:noinline
func (e *Error) AtInt(key int64, off int) *Error {
	return e.In("["+strconv.FormatInt(key, 10)+"]", off)
}

// AtUint is described at [Error.AtInt].
//
//go:noinline
func (e *Error) AtUint(key uint64, off int) *Error {
	return e.In("["+strconv.FormatUint(key, 10)+"]", off)
}

// AtKey puts a map key in front of e's path, and adds off, the offset of the key's value, to e's
// offset. Keys of more than 40 bytes are shortened.
//
//go:noinline
func (e *Error) AtKey(key string, off int) *Error {
	if len(key) > 40 {
		key = key[:40] + "…"
	}
	return e.In("["+strconv.QuoteToASCII(key)+"]", off)
}

// Shift adds off to the offset of e and leaves its path unchanged.
func (e *Error) Shift(off int) *Error {
	e.Offset += off
	return e
}

// Error returns the path, the code and the offset as a text. The errors of package zmy say more.
func (e *Error) Error() string {
	s := e.Code.Error()
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	return s + " at offset " + strconv.Itoa(e.Offset)
}

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Code }
