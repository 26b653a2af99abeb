package codec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Sentinels for [errors.Is].
var (
	// ErrNotRegistered means that the registry has no codec of that name, media type or Go type.
	ErrNotRegistered = errors.New("not registered")
	// ErrDuplicate means that a codec of that name is registered already.
	ErrDuplicate = errors.New("already registered")
	// ErrUnsupported means that the codec lacks a power that was asked for.
	ErrUnsupported = errors.New("not supported")
	// ErrTooLarge means that a frame is larger than the limit.
	ErrTooLarge = errors.New("frame too large")
	// ErrNilTarget means that the target of an unmarshal is nil.
	ErrNilTarget = errors.New("target is nil, want a pointer")
	// ErrNilValue means that the value to marshal is a nil pointer or interface, for which the
	// codec has no bytes.
	ErrNilValue = errors.New("value is nil")
	// ErrTrailingData means that bytes follow the message.
	ErrTrailingData = errors.New("data after the message")
	// ErrTypeMismatch means that the message does not fit the type of the target, or that the codec
	// does not carry the type of the value.
	ErrTypeMismatch = errors.New("type mismatch")
	// ErrPanicked means that the codec panicked; see PanicError.
	ErrPanicked = errors.New("panicked")
)

// Error is the type of errors that the codecs of this package return. It names the codec, the
// operation and the Go type.
//
//	codec: gob: unmarshal *order.Order: unexpected EOF
type Error struct {
	Codec string // its name
	Op    Op
	Type  string // the Go type, as %T prints it
	Err   error
}

func (e *Error) Error() string {
	return "codec: " + e.Codec + ": " + e.Op.String() + " " + e.Type + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// NewError wraps err in an [Error], for codecs in other packages. v is the value or the target. A
// nil error stays nil. Use [WithClass] too if [ClassOf] cannot know the class of err.
func NewError(c Codec, op Op, v any, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Codec: c.Name(), Op: op, Type: fmt.Sprintf("%T", v), Err: err}
}

// LookupError is the error of a [Registry] that does not have what it was asked for.
type LookupError struct {
	What string   // codec | media type | Go type
	Key  string   // what was asked for
	Have []string // what is registered, sorted
}

func (e *LookupError) Error() string {
	have := "nothing is registered"
	if len(e.Have) > 0 {
		have = "registered: " + strings.Join(e.Have, ", ")
	}
	return fmt.Sprintf("codec: %s %q is %v; %s", e.What, e.Key, ErrNotRegistered, have)
}

// Is makes errors.Is(err, ErrNotRegistered) true.
func (e *LookupError) Is(target error) bool { return target == ErrNotRegistered }

// isNil reports whether v is nil or a nil pointer.
func isNil(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}
