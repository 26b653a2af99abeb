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
	ClassUnsupported              // the codec can never carry or do this: a channel; or it is not registered
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

// Classified is an error that knows its class. Adapters of other libraries return such errors, by
// [WithClass], where [ClassOf] could not find the class: it knows only errors of the standard
// library and of this project.
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
	if code, ok := find[wire.Code](err); ok {
		return classOfCode(code)
	}
	return classOfJSON(err)
}

// find is errors.As with the type as a parameter.
func find[T error](err error) (T, bool) {
	var t T
	ok := errors.As(err, &t)
	return t, ok
}

// sentinels are in the order in which they decide: when a request is canceled, the codec may fail
// in any other way too.
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

// classOfCode returns the class of an error code of ZMY native.
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

// classOfJSON returns the class of an error of encoding/json or fxjson, which have the same error
// types.
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
