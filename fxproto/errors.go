package fxproto

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbwire"
)

// The causes of errors, to be found with errors.Is.
var (
	ErrTruncated   = pbwire.ErrTruncated // the message ends within a field or a group
	ErrVarint      = pbwire.ErrVarint    // a varint has more than 64 bits
	ErrFieldNumber = pbwire.ErrNumber    // a tag has field number 0, or one above 536870911
	ErrWireType    = pbwire.ErrType      // a tag has wire type 6 or 7
	ErrGroup       = pbwire.ErrGroup     // a group ends that was not started
	ErrDepth       = pbwire.ErrDepth     // messages or groups are nested too deeply
	ErrUTF8        = pbreflect.ErrUTF8   // a string is not UTF-8
	ErrRange       = pbreflect.ErrRange  // a value does not fit into its Go type
	ErrMemory      = pbreflect.ErrMemory // the result would exceed MaxMemory
	ErrOneof       = pbreflect.ErrOneof  // a value has two arms of a oneof
	ErrValue       = pbreflect.ErrValue  // an any has a value without a form in google.protobuf.Value
	ErrArm         = pbreflect.ErrArm    // the interface of a oneof holds a type that is no arm
)

// TypeError says why a Go type has no messages.
type TypeError struct {
	Op   string // "marshal", "size" or "unmarshal"
	Type string // the type asked for: "shop.Order"
	Path string // the field inside it: "shop.Order.Items[].Done"; "" is the type itself
	Msg  string // what is wrong
	Hint string // what to do
}

// Error returns one line that says what failed, where, why, and what to do.
func (e *TypeError) Error() string {
	where := e.Type
	if e.Path != "" {
		where = e.Path
	}
	return fmt.Sprintf("fxproto: %s %s: %s; %s", e.Op, where, e.Msg, e.Hint)
}

// DecodeError says why bytes are not a message of a type, and where.
type DecodeError struct {
	Type   string // the type asked for: "Order"
	Path   string // the field inside it: "Items[3].Price", entries of maps as "Labels.value"; "" is the message itself
	Offset int    // bytes from the start of the message
	Err    error  // the cause, such as ErrTruncated

	note string
}

// Error returns one line that says what failed, where and why.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("fxproto: unmarshal %s: %v at offset %d%s", place(e.Type, e.Path), e.Err, e.Offset, remark(e.note))
}

// Unwrap returns e.Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// EncodeError says which part of a value has no message, and why.
type EncodeError struct {
	Type string // the type asked for: "Order"
	Path string // the field inside it: "Items[3].Name"; "" is the value itself
	Err  error  // the cause, such as ErrUTF8

	note string
}

// Error returns one line that says what failed, where and why.
func (e *EncodeError) Error() string {
	return fmt.Sprintf("fxproto: marshal %s: %v%s", place(e.Type, e.Path), e.Err, remark(e.note))
}

// Unwrap returns e.Err.
func (e *EncodeError) Unwrap() error { return e.Err }

func place(typ, path string) string {
	if path = shortened(path); path != "" {
		return typ + "." + path
	}
	return typ
}

// shortened returns the beginning of a long path. Values that contain themselves have such paths.
func shortened(path string) string {
	const long = 200
	if len(path) > long {
		return fmt.Sprintf("%s … %d more", strings.ToValidUTF8(path[:long], ""), strings.Count(path[long:], "."))
	}
	return path
}

func remark(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

func decodeError(t reflect.Type, err *pbreflect.Error) error {
	if err == nil {
		return nil
	}
	return &DecodeError{Type: nameOf(t), Path: err.Path(), Offset: err.Offset, Err: err.Err, note: err.Note}
}

func encodeError(t reflect.Type, err *pbreflect.Error) error {
	if err == nil {
		return nil
	}
	return &EncodeError{Type: nameOf(t), Path: err.Path(), Err: err.Err, note: err.Note}
}

func nameOf(t reflect.Type) string {
	if name := t.Name(); name != "" {
		return name
	}
	return t.String()
}
