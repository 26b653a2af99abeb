package protojson

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// The causes of errors, to be found with errors.Is.
var (
	ErrSyntax       = errors.New("not JSON")
	ErrUTF8         = errors.New("string is not UTF-8")
	ErrUnknownField = errors.New("no such field")
	ErrDuplicate    = errors.New("field or key occurs twice")
	ErrOneof        = errors.New("two fields of a oneof are set")
	ErrArm          = errors.New("type is no arm of the oneof")
	ErrAny          = errors.New("google.protobuf.Any cannot be resolved")
	ErrValue        = errors.New("value does not fit")
	ErrDepth        = errors.New("nested too deeply")
	ErrMemory       = errors.New("the result would exceed MaxMemory")
)

// TypeError says why a Go type has no JSON.
type TypeError struct {
	Op   string // "marshal" or "unmarshal"
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
	return fmt.Sprintf("protojson: %s %s: %s; %s", e.Op, where, e.Msg, e.Hint)
}

// DecodeError says why a document is not one of a type, and where.
type DecodeError struct {
	Type   string // the type asked for: "Order"
	Path   string // the field inside it: "Items[3].Price"; "" is the message itself
	Offset int    // bytes from the start of the document
	Err    error  // the cause, such as ErrValue

	note string
}

// Error returns one line that says what failed, where and why.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("protojson: unmarshal %s: %v at offset %d%s", place(e.Type, e.Path), e.Err, e.Offset, remark(e.note))
}

// Unwrap returns e.Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// EncodeError says which part of a value has no JSON, and why.
type EncodeError struct {
	Type string // the type asked for: "Order"
	Path string // the field inside it: "Items[3].Name"; "" is the value itself
	Err  error  // the cause, such as ErrUTF8

	note string
}

// Error returns one line that says what failed, where and why.
func (e *EncodeError) Error() string {
	return fmt.Sprintf("protojson: marshal %s: %v%s", place(e.Type, e.Path), e.Err, remark(e.note))
}

// Unwrap returns e.Err.
func (e *EncodeError) Unwrap() error { return e.Err }

func place(typ, path string) string {
	if path == "" {
		return typ
	}
	const long = 200
	if len(path) > long {
		path = strings.ToValidUTF8(path[:long], "") + " …"
	}
	return typ + "." + path
}

func remark(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// failure is an error on its way through the callers, which add to its path.
type failure struct {
	err    error
	offset int
	note   string
	path   []string // innermost first
}

func fail(err error, offset int, note string) *failure {
	return &failure{err: err, offset: offset, note: note}
}

// in adds the field, or the index or key in brackets, that has the error.
func (f *failure) in(name string) *failure {
	f.path = append(f.path, name)
	return f
}

func (f *failure) at(index int) *failure { return f.in("[" + strconv.Itoa(index) + "]") }

// where returns the path.
func (f *failure) where() string {
	var b strings.Builder
	for _, name := range slices.Backward(f.path) {
		if b.Len() > 0 && name[0] != '[' {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	return b.String()
}

func nameOf(t reflect.Type) string {
	if name := t.Name(); name != "" {
		return name
	}
	return t.String()
}
