package codec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Fallback returns a codec that marshals with primary. If that fails with an error err and
// when(err) is true, it marshals with secondary:
//
//	codec.Fallback(codec.Gob{}, codec.WhenClass(codec.ClassType, codec.ClassUnsupported), codec.StdJSON{})
//
// The first byte of a message says which codec wrote the rest: 0 for primary, 1 for secondary. So a
// reader never guesses. A message that the named codec does not accept is refused, and not tried
// with the other one.
//
// Both sides need the same Fallback. Its messages are neither those of primary nor those of
// secondary, so it has no media type. If the transport itself names the codec, as HTTP does in
// Content-Type, use [AppendFirst], which adds no byte.
//
// If when(err) is false, that error is returned. A panic of primary is not recovered; wrap primary
// in [Guarded] to get an error of [ClassPanic] instead. To count how often secondary is used,
// observe the two codecs, not the result. The result's name joins their names: "gob+json".
func Fallback(primary Codec, when func(error) bool, secondary Codec) Codec {
	return &fallback{[]Codec{primary, secondary}, when}
}

// WhenClass returns a function that is true for errors of the given classes.
func WhenClass(classes ...Class) func(error) bool {
	return func(err error) bool { return slices.Contains(classes, ClassOf(err)) }
}

// AppendFirst appends the message of v by the first of the codecs that can marshal v, and returns
// that codec. Its [MediaType] or name tells the reader which one it was. If a codec fails with an
// error err and when(err) is true, AppendFirst tries the next codec. If AppendFirst fails, it
// returns dst, and its error wraps the errors of all codecs that were tried.
func AppendFirst(dst []byte, v any, when func(error) bool, codecs ...Codec) ([]byte, Codec, error) {
	b, by, err := appendFirst(dst, v, when, codecs)
	if by < 0 {
		return b, nil, err
	}
	return b, codecs[by], nil
}

// appendFirst is AppendFirst but returns the index of the codec, or -1 with an error. An index can
// be compared; comparing codecs panics if they are structs with slices, maps or functions.
func appendFirst(dst []byte, v any, when func(error) bool, codecs []Codec) (b []byte, by int, err error) {
	var errs []error
	for i, c := range codecs {
		b, err := Append(c, dst, v)
		if err == nil {
			return b, i, nil
		}
		errs = append(errs, err)
		if i == len(codecs)-1 || !when(err) { // when may count its calls, so it is called only if there is a next codec
			break
		}
	}
	return dst, -1, errors.Join(errs...)
}

type fallback struct {
	codecs []Codec // two; the first byte of a message is the index of its codec
	when   func(error) bool
}

var (
	_ Appender   = (*fallback)(nil)
	_ Contextual = (*fallback)(nil)
)

func (f *fallback) Name() string { return f.codecs[0].Name() + "+" + f.codecs[1].Name() }

func (f *fallback) WithContext(ctx context.Context) Codec {
	bound := &fallback{slices.Clone(f.codecs), f.when}
	for i, c := range f.codecs {
		bound.codecs[i] = WithContext(ctx, c)
	}
	return bound
}

func (f *fallback) Marshal(v any) ([]byte, error) { return f.AppendMarshal(nil, v) }

func (f *fallback) AppendMarshal(dst []byte, v any) ([]byte, error) {
	at := len(dst)
	b, by, err := appendFirst(append(dst, 0), v, f.when, f.codecs)
	if err != nil {
		return dst, err
	}
	b[at] = byte(by)
	return b, nil
}

func (f *fallback) Unmarshal(b []byte, v any) error {
	if len(b) == 0 {
		return NewError(f, OpUnmarshal, v, io.ErrUnexpectedEOF)
	}
	if int(b[0]) >= len(f.codecs) {
		return NewError(f, OpUnmarshal, v, WithClass(ClassSyntax,
			fmt.Errorf("the first byte is %#02x, want 0 for %s or 1 for %s; the writer needs the same Fallback",
				b[0], f.codecs[0].Name(), f.codecs[1].Name())))
	}
	return f.codecs[b[0]].Unmarshal(b[1:], v)
}
