package codec

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/fxjson/jsonrt"
	"github.com/zmylab/zmy/wire"
)

// Class is what kind of mistake an error is, in few words that never grow with
// the input: a label for metrics, a reason for an answer's status.
type Class uint8

// The classes of errors.
const (
	ClassNone        Class = iota // no error; the end of a stream is none either
	ClassLimit                    // larger, deeper or more than the limits allow
	ClassSyntax                   // bytes that are no message of the codec: torn, damaged, of another format
	ClassType                     // a message or a value that does not fit the Go type: a string for a number, nil
	ClassSchema                   // a message of a type that the reader does not know: other version, other fingerprint
	ClassUnsupported              // what the codec cannot carry or do at all: a channel, a codec not registered
	ClassCanceled                 // the request is over
	ClassPanic                    // the codec, or a method of the type, panicked
	ClassOther                    // all else, failures of reading and writing among them

	NumClasses = int(ClassOther) + 1 // for arrays with one element a class
)

var classNames = [NumClasses]string{"none", "limit", "syntax", "type", "schema", "unsupported", "canceled", "panic", "other"}

// String is the class in one lower-case word.
func (c Class) String() string {
	if int(c) >= NumClasses {
		return "other"
	}
	return classNames[c]
}

// Classified is an error that knows its class. Adapters of other codecs give it to
// errors whose class [ClassOf] cannot tell from the standard library's and this
// project's own: see [WithClass].
type Classified interface {
	error
	ErrorClass() Class
}

// WithClass returns err with a class, for what others' packages return. A nil
// error stays nil.
func WithClass(c Class, err error) error {
	if err == nil {
		return nil
	}
	return &classed{err, c}
}

type classed struct {
	error
	class Class
}

func (e *classed) ErrorClass() Class { return e.class }
func (e *classed) Unwrap() error     { return e.error }

// ClassOf returns the class of an error, by what it wraps.
func ClassOf(err error) Class {
	if err == nil || err == io.EOF {
		return ClassNone
	}
	if c, ok := find[Classified](err); ok {
		return c.ErrorClass()
	}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			return s.class
		}
	}
	if code, ok := find[wire.Code](err); ok {
		return classOfCode(code)
	}
	return classOfJSON(err)
}

// find is errors.As as a function of the type.
func find[T error](err error) (T, bool) {
	var t T
	ok := errors.As(err, &t)
	return t, ok
}

// sentinels in the order of precedence: a cancelled request may surface as
// anything else.
var sentinels = []struct {
	err   error
	class Class
}{
	{context.Canceled, ClassCanceled},
	{context.DeadlineExceeded, ClassCanceled},
	{ErrPanicked, ClassPanic},
	{ErrTooLarge, ClassLimit},
	{ErrTypeMismatch, ClassType},
	{ErrNilTarget, ClassType},
	{ErrNilValue, ClassType},
	{ErrTrailingData, ClassSyntax},
	{ErrUnsupported, ClassUnsupported},
	{ErrNotRegistered, ClassUnsupported},
	{zmy.ErrNoGeneratedCode, ClassUnsupported},
	{zmy.ErrType, ClassUnsupported},
	{zmy.ErrMagic, ClassSyntax},
	{zmy.ErrChecksum, ClassSyntax},
	{zmy.ErrSequence, ClassSyntax},
	{zmy.ErrCompression, ClassSyntax},
	{io.ErrUnexpectedEOF, ClassSyntax},
}

// classOfCode is the class of a code of the native format.
func classOfCode(c wire.Code) Class {
	switch c {
	case wire.ErrTooLarge, wire.ErrBudget, wire.ErrDepth:
		return ClassLimit
	case wire.ErrVersion, wire.ErrMixed:
		return ClassSchema
	case wire.ErrNil:
		return ClassType
	case wire.ErrNoWireType:
		return ClassUnsupported
	case wire.ErrMethod:
		return ClassOther
	}
	return ClassSyntax
}

// classOfJSON is the class of an error of encoding/json or fxjson, whose types
// are the same.
func classOfJSON(err error) Class {
	if e, ok := find[*json.SyntaxError](err); ok {
		if strings.HasSuffix(e.Error(), "exceeded max depth") { // its field msg is not exported
			return ClassLimit
		}
		return ClassSyntax
	}
	if _, ok := find[*jsonrt.SyntaxError](err); ok { // fxjson with FastErrors
		return ClassSyntax
	}
	if _, ok := find[*json.UnmarshalTypeError](err); ok {
		return ClassType
	}
	if _, ok := find[*json.InvalidUnmarshalError](err); ok {
		return ClassType
	}
	if _, ok := find[*json.UnsupportedTypeError](err); ok {
		return ClassUnsupported
	}
	if _, ok := find[*json.UnsupportedValueError](err); ok {
		return ClassUnsupported
	}
	return ClassOther
}
