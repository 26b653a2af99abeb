package wire

// A user's type may have its own methods for marshalling. The bytes that such a method writes are
// not interpreted here, except that text must be UTF-8. The zero value takes no bytes.

// AppendMethod appends the bytes that f appends. f is a value's method AppendZMY, AppendBinary or
// AppendText; text says that f is AppendText.
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

// AppendMarshaled appends the bytes that f returns. f is a value's method MarshalBinary or
// MarshalText; text says that f is MarshalText.
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

// UnmarshalMethod calls f with the slot b, which must not be empty. f is a value's method
// UnmarshalZMY, UnmarshalBinary or UnmarshalText, and must not keep b.
func UnmarshalMethod(b []byte, f func([]byte) error, text bool) *Error {
	if text && !Valid(b) {
		return Fail(ErrUTF8, 0)
	}
	if err := f(b[:len(b):len(b)]); err != nil {
		return FailMethod(err)
	}
	return nil
}

// FailMethod returns the error for err, which a method of the type returned.
//
//go:noinline
func FailMethod(err error) *Error { return &Error{Code: ErrMethod, Cause: err} }
