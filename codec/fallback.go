package codec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Fallback returns a codec that marshals by primary and, where that fails with an
// error for which when returns true, by secondary:
//
//	codec.Fallback(codec.Gob{}, codec.WhenClass(codec.ClassType, codec.ClassUnsupported), codec.StdJSON{})
//
// Its messages begin with one byte that says which of the two has written the
// others: 0 the primary, 1 the secondary. So a reader never guesses, and never
// reads by one codec what the other has written; a message that its codec does not accept
// is refused. Both sides need the same Fallback: its bytes are neither those of
// primary nor of secondary, for which it has no media type. Where a transport names
// the codec beside the bytes, as HTTP does by Content-Type, use [AppendFirst], which
// adds nothing to them.
//
// Errors that when refuses are returned, and panics go on; a [Guarded] primary has
// errors of [ClassPanic] instead. To count how often the secondary serves, let the two
// be observed, not the result. The name is "gob+json".
func Fallback(primary Codec, when func(error) bool, secondary Codec) Codec {
	return &fallback{[]Codec{primary, secondary}, when}
}

// WhenClass is true for errors of the given classes.
func WhenClass(classes ...Class) func(error) bool {
	return func(err error) bool { return slices.Contains(classes, ClassOf(err)) }
}

// AppendFirst appends v by the first of the codecs that can, and returns that codec,
// whose [MediaType] or name is what tells the reader. It goes on to the next one
// after an error for which when returns true. After an error the bytes are dst; it
// wraps the errors of all codecs that were tried.
func AppendFirst(dst []byte, v any, when func(error) bool, codecs ...Codec) ([]byte, Codec, error) {
	b, by, err := appendFirst(dst, v, when, codecs)
	if by < 0 {
		return b, nil, err
	}
	return b, codecs[by], nil
}

// appendFirst is AppendFirst that returns an index, -1 with an error. Codecs are not
// to be compared: those that are structs with slices, maps or functions panic.
func appendFirst(dst []byte, v any, when func(error) bool, codecs []Codec) (b []byte, by int, err error) {
	var errs []error
	for i, c := range codecs {
		b, err := Append(c, dst, v)
		if err == nil {
			return b, i, nil
		}
		errs = append(errs, err)
		if i == len(codecs)-1 || !when(err) { // when may count: it is asked about what is passed on only
			break
		}
	}
	return dst, -1, errors.Join(errs...)
}

type fallback struct {
	codecs []Codec // two: the byte in front of a message is an index
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

func (f *fallback) Marshal(v any) ([]byte, error) {
	b, err := f.AppendMarshal(nil, v)
	if err != nil {
		return nil, err
	}
	return b, nil
}

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
