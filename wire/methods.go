package wire

// Types of the user's that have methods of their own take part by them. What
// such a method writes is opaque here, or UTF-8 if it is text; nothing at all
// stands for the zero value.

// AppendMethod appends what f appends: a value's AppendZMY, AppendBinary or
// AppendText.
func AppendMethod(b []byte, f func([]byte) ([]byte, error), text bool) ([]byte, *Error) {
	out, err := f(b)
	switch {
	case err != nil:
		return b, FailMethod(err)
	case len(out) < len(b):
		return b, Fail(ErrMethod, 0)
	case text && !Valid(out[len(b):]):
		return b, Fail(ErrUTF8, 0)
	}
	return out, nil
}

// AppendMarshaled appends what f returns: a value's MarshalBinary or MarshalText.
func AppendMarshaled(b []byte, f func() ([]byte, error), text bool) ([]byte, *Error) {
	out, err := f()
	switch {
	case err != nil:
		return b, FailMethod(err)
	case text && !Valid(out):
		return b, Fail(ErrUTF8, 0)
	}
	return append(b, out...), nil
}

// UnmarshalMethod hands the slot b, not empty, to f: a value's UnmarshalZMY,
// UnmarshalBinary or UnmarshalText, which must not keep it.
func UnmarshalMethod(b []byte, f func([]byte) error, text bool) *Error {
	if text && !Valid(b) {
		return Fail(ErrUTF8, 0)
	}
	if err := f(b[:len(b):len(b)]); err != nil {
		return FailMethod(err)
	}
	return nil
}

// FailMethod makes the error of a method that refused.
//
//go:noinline
func FailMethod(err error) *Error { return &Error{Code: ErrMethod, Cause: err} }
