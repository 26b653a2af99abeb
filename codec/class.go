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

// Class is the kind of an error. There are few classes and their number is fixed, so a class can be
// a label of metrics, and it can decide the status of an answer.
type Class uint8

// The classes of errors.
const (
	ClassNone        Class = iota // no error, or the end of a stream
	ClassLimit                    // larger, deeper or more than the limits allow
	ClassSyntax                   // the bytes are not a message of the codec: torn, damaged, in another format
	ClassType                     // a message or a value that does not fit the Go type: a string for a number, nil
	ClassSchema                   // the reader does not know the type of the message: another version or fingerprint
	ClassUnsupported              // the codec can never do this, such as carry a channel; or no such codec is registered
	ClassCanceled                 // the request is over
	ClassPanic                    // the codec, or a method of the type, panicked
	ClassOther                    // anything else, such as a connection that fails

	NumClasses = int(ClassOther) + 1 // length of an array with one element for each class
)

var classNames = [NumClasses]string{"none", "limit", "syntax", "type", "schema", "unsupported", "canceled", "panic", "other"}

// String returns the class in one lower-case word.
func (c Class) String() string {
	if int(c) >= NumClasses {
		return "other"
	}
	return classNames[c]
}

// Classified is an error that knows its class. [ClassOf] itself knows only errors of the standard
// library and of this project. For other errors, the adapters of other libraries call [WithClass],
// which returns a Classified.
type Classified interface {
	error
	ErrorClass() Class
}

// WithClass returns err with a class, for errors of other packages. A nil error stays nil.
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

// ClassOf returns the class of an error. It looks at all errors that err wraps.
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
	if e, ok := find[*json.SyntaxError](err); ok && strings.HasSuffix(e.Error(), "exceeded max depth") { // its field msg is not exported
		return ClassLimit
	}
	for _, k := range kinds {
		if k.has(err) {
			return k.class
		}
	}
	return ClassOther
}

// find is errors.As with the type as a parameter.
func find[T error](err error) (T, bool) {
	var t T
	ok := errors.As(err, &t)
	return t, ok
}

// sentinels are in the order in which they decide. Cancellation is first, because an operation on a
// canceled request may fail with a further error.
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
	{wire.ErrTooLarge, ClassLimit},
	{wire.ErrBudget, ClassLimit},
	{wire.ErrDepth, ClassLimit},
	{wire.ErrVersion, ClassSchema},
	{wire.ErrMixed, ClassSchema},
	{wire.ErrNil, ClassType},
	{wire.ErrNoWireType, ClassUnsupported},
	{wire.ErrMethod, ClassOther},
}

// kinds maps types of errors to classes: the codes of ZMY native that are not sentinels, and the
// errors of JSON. fxjson returns the error types of encoding/json, except that with FastErrors its
// syntax errors are jsonrt's.
var kinds = []struct {
	has   func(error) bool
	class Class
}{
	{has[wire.Code], ClassSyntax},
	{has[*json.SyntaxError], ClassSyntax},
	{has[*jsonrt.SyntaxError], ClassSyntax},
	{has[*json.UnmarshalTypeError], ClassType},
	{has[*json.InvalidUnmarshalError], ClassType},
	{has[*json.UnsupportedTypeError], ClassUnsupported},
	{has[*json.UnsupportedValueError], ClassUnsupported},
}

// has reports whether err wraps a T.
func has[T error](err error) bool {
	_, ok := find[T](err)
	return ok
}
