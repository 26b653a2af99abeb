package protort

import (
	"fmt"

	"github.com/zmylab/zmy/fxproto"
)

// MarshalError returns dst and the error why v has no message.
func MarshalError(dst []byte, v any, o fxproto.MarshalOptions) ([]byte, error) {
	o.Reflection = true
	_, err := o.Append(dst, v)
	return dst, agreed(err, v)
}

// SizeError returns the error why v has no size.
func SizeError(v any) (int, error) {
	_, err := fxproto.MarshalOptions{Reflection: true}.Size(v)
	return 0, agreed(err, v)
}

// UnmarshalError returns the error why b is not a message of the type of v.
func UnmarshalError(b []byte, v any, o fxproto.UnmarshalOptions) error {
	o.Reflection = true
	return agreed(o.Verify(b, v), v)
}

// agreed returns err, or an error that says that reflection has none.
func agreed(err error, v any) error {
	if err == nil {
		err = fmt.Errorf("fxproto: generated code and reflection disagree on a %T; run go generate, and report it if it happens again", v)
	}
	return err
}
