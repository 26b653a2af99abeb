package zmy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/wire"
)

// The errors of types, to be found with errors.Is.
var (
	// ErrNoGeneratedCode is returned for a type that has no generated code and cannot be marshalled
	// without it: unions, and structs without struct tags zmy.
	ErrNoGeneratedCode = errors.New("type has no generated ZMY code")
	// ErrType is returned for a type that the format cannot represent.
	ErrType = errors.New("type has no ZMY form")
)

// The error codes, to be found with errors.Is. They are the same in every language.
const (
	ErrTruncated  = wire.ErrTruncated
	ErrReserved   = wire.ErrReserved
	ErrMixed      = wire.ErrMixed
	ErrEnds       = wire.ErrEnds
	ErrWidth      = wire.ErrWidth
	ErrDomain     = wire.ErrDomain
	ErrZero       = wire.ErrZero
	ErrUTF8       = wire.ErrUTF8
	ErrKeyOrder   = wire.ErrKeyOrder
	ErrCount      = wire.ErrCount
	ErrDepth      = wire.ErrDepth
	ErrNotMinimal = wire.ErrNotMinimal
	ErrLength     = wire.ErrLength
	ErrTooLarge   = wire.ErrTooLarge
	ErrBudget     = wire.ErrBudget
	ErrNil        = wire.ErrNil
	ErrNoWireType = wire.ErrNoWireType
	ErrVersion    = wire.ErrVersion
	ErrMethod     = wire.ErrMethod
	ErrSparse     = wire.ErrSparse
	ErrMemory     = wire.ErrMemory
)

// Unknown keeps the fields that a newer version of a struct has and this version does not know, so
// that they survive unmarshalling and marshalling. Give the struct a field of this type; it has no
// number and may be unexported.
type Unknown = wire.Unknown

// RawStruct, RawAny and Decimal are types of this module that a field of type any may hold, in
// addition to Go's own: see package wire.
type (
	RawStruct = wire.RawStruct
	RawAny    = wire.RawAny
	Decimal   = wire.Decimal
)

// DecodeError says why bytes are not a message of a type, and where.
type DecodeError struct {
	Type   string // the type asked for: "Order"
	Path   string // the field inside it: "Items[3].Price"; "" is the message itself
	Offset int    // bytes from the start of the message
	Err    error  // for errors.Is: a code such as ErrTruncated, or ErrMethod and its cause

	detail string
}

// Error returns one line that says what failed, where and why.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("zmy: unmarshal %s: %v at offset %d%s", place(e.Type, e.Path), e.Err, e.Offset, e.detail)
}

// Unwrap returns e.Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// EncodeError says which part of a value cannot be written to a message, and why.
type EncodeError struct {
	Type string
	Path string
	Err  error

	detail string
}

// Error returns one line that says what failed, where and why.
func (e *EncodeError) Error() string {
	return fmt.Sprintf("zmy: marshal %s: %v%s", place(e.Type, e.Path), e.Err, e.detail)
}

// Unwrap returns e.Err.
func (e *EncodeError) Unwrap() error { return e.Err }

func place(typ, path string) string {
	path = shortened(path)
	if path == "" || strings.HasPrefix(path, "[") {
		return typ + path
	}
	return typ + "." + path
}

// shortened returns the beginning of a long path and the number of steps that it leaves out. Values
// that refer to themselves have such paths. The field Path of the error keeps all steps.
func shortened(path string) string {
	const long, keep = 16, 4
	steps := func(s string) int { return strings.Count(s, ".") + strings.Count(s, "[") }
	if steps(path) < long {
		return path
	}
	n := 0
	for range keep {
		n += 1 + strings.IndexAny(path[n+1:], ".[")
	}
	return fmt.Sprintf("%s … %d more", path[:n], steps(path[n:]))
}

// methodError is the error of a method of the user's type. errors.Is finds ErrMethod and the
// method's error in it.
type methodError struct{ cause error }

func (e *methodError) Error() string   { return e.cause.Error() }
func (e *methodError) Unwrap() []error { return []error{ErrMethod, e.cause} }

func cause(err *wire.Error) error {
	if err.Cause != nil {
		return &methodError{err.Cause}
	}
	return err.Code
}

func detail(err *wire.Error) string {
	switch {
	case err.Note != "":
		return ": " + err.Note
	case err.Code == wire.ErrNoWireType:
		return fmt.Sprintf(": %T", err.Value)
	case err.Need == 0:
		return ""
	case err.Code == wire.ErrTooLarge:
		return fmt.Sprintf(" (%d bytes, MaxWire is %d)", err.Need, err.Have)
	case err.Code == wire.ErrBudget:
		return fmt.Sprintf(" (need %d units, %d left)", err.Need, err.Have)
	case err.Code == wire.ErrMemory:
		return fmt.Sprintf(" (need %d bytes, %d left; raise UnmarshalOptions.Budget)", err.Need, err.Have)
	}
	return fmt.Sprintf(" (need %d bytes, have %d)", err.Need, err.Have)
}
