package wire

import "strconv"

// Error is a [Code] with its place. It is made where the fault is found, and
// each caller on the way out adds its part: success pays nothing.
type Error struct {
	Code   Code
	Offset int    // from the start of the slot of the function that returns it
	Path   string // "Items[3].Price", seen from the same place
	Need   int    // bytes, for ErrTruncated, ErrTooLarge and ErrBudget; else 0
	Have   int    //
	Value  any    // the value at fault, for ErrNoWireType
	Cause  error  // what a method of the type returned, for ErrMethod
	Note   string // what else there is to say
}

// Fail makes an error at offset off of the slot at hand.
//
//go:noinline
func Fail(c Code, off int) *Error { return &Error{Code: c, Offset: off} }

// FailSlot makes the error of the slot b as a whole: at its start, or at its end
// where it is too short.
//
//go:noinline
func FailSlot(c Code, b []byte) *Error {
	if c == ErrTruncated {
		return Fail(c, len(b))
	}
	return Fail(c, 0)
}

// FailShort makes the error of a slot that has fewer bytes than it needs.
//
//go:noinline
func FailShort(need, have int) *Error {
	return &Error{Code: ErrTruncated, Offset: have, Need: need, Have: have}
}

// In places e inside a field whose slot starts at off.
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

// At places e inside element i of a list, which starts at off.
//
//go:noinline
func (e *Error) At(i, off int) *Error {
	return e.In("["+strconv.Itoa(i)+"]", off)
}

// AtInt places e inside the value under an integer key of a map, AtUint inside
// that under an unsigned one.
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

// AtKey places e inside the value under key of a map.
//
//go:noinline
func (e *Error) AtKey(key string, off int) *Error {
	if len(key) > 40 {
		key = key[:40] + "…"
	}
	return e.In("["+strconv.QuoteToASCII(key)+"]", off)
}

// Shift moves e by off without a step in the path.
func (e *Error) Shift(off int) *Error {
	e.Offset += off
	return e
}

// Error is the code, the path and the offset. Package zmy has the full text.
func (e *Error) Error() string {
	s := e.Code.Error()
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	return s + " at offset " + strconv.Itoa(e.Offset)
}

// Unwrap gives the code to errors.Is.
func (e *Error) Unwrap() error { return e.Code }
