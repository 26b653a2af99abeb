package pbreflect

import (
	"errors"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/pbvalue"
)

// The errors, beside those of package pbwire.
var (
	ErrUTF8   = pbvalue.ErrUTF8
	ErrValue  = pbvalue.ErrValue
	ErrMemory = errors.New("message needs more memory than allowed")
	ErrRange  = errors.New("value does not fit into the Go type")
	ErrOneof  = errors.New("two arms of a oneof are set")
	ErrArm    = errors.New("type is no arm of the oneof")
)

// Error says why a message cannot be read or written, and where.
type Error struct {
	Err    error
	Offset int      // bytes from the start of the message; 0 if the message cannot be written
	Note   string   // details: "need 8 bytes"
	steps  []string // the path, from the inside out
}

func fail(err error, offset int, note string) *Error {
	return &Error{Err: err, Offset: offset, Note: note}
}

// in adds a step to the path, while the error returns through the messages around it.
func (e *Error) in(step string) *Error {
	e.steps = append(e.steps, step)
	return e
}

// element adds the index of an element of a list to the path.
func (e *Error) element(i int) *Error { return e.in("[" + strconv.Itoa(i) + "]") }

// Path returns the path of the field: "Items[3].Price". It is empty for the message itself.
func (e *Error) Path() string {
	var s strings.Builder
	for i := len(e.steps) - 1; i >= 0; i-- {
		if s.Len() > 0 && e.steps[i][0] != '[' {
			s.WriteByte('.')
		}
		s.WriteString(e.steps[i])
	}
	return s.String()
}
