package codec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Sentinels for [errors.Is].
var (
	// ErrNotRegistered: the registry has no codec of that name, media type or Go type.
	ErrNotRegistered = errors.New("not registered")
	// ErrDuplicate: a codec of that name is registered already.
	ErrDuplicate = errors.New("already registered")
	// ErrUnsupported: the codec lacks the extension asked for.
	ErrUnsupported = errors.New("not supported")
	// ErrTooLarge: a frame is larger than the limit.
	ErrTooLarge = errors.New("frame too large")
	// ErrNilTarget: the target of an unmarshal is nil.
	ErrNilTarget = errors.New("target is nil, want a pointer")
	// ErrNilValue: the value to marshal is a nil pointer or interface, which the codec has no bytes
	// for.
	ErrNilValue = errors.New("value is nil")
	// ErrTrailingData: bytes follow the message.
	ErrTrailingData = errors.New("data after the message")
	// ErrTypeMismatch: the message is of another type than the target, or the value of a type that
	// the codec does not carry.
	ErrTypeMismatch = errors.New("type mismatch")
	// ErrPanicked: the codec did not return but panicked; see PanicError.
	ErrPanicked = errors.New("panicked")
)

// Error is what the adapters of this package return: which codec failed at what.
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

// NewError wraps err in an [Error], for codecs outside this package: v is the value
// or target. A nil error stays nil. See [WithClass] for errors whose class nobody
// else can know.
func NewError(c Codec, op Op, v any, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Codec: c.Name(), Op: op, Type: fmt.Sprintf("%T", v), Err: err}
}

// LookupError says what a [Registry] was asked for and what it has.
type LookupError struct {
	What string   // codec | media type | Go type
	Key  string   // what was asked for
	Have []string // what would have been found, sorted
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
