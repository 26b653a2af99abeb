package clashes

import js "encoding/json"

// v, json and the others are names that generated code would use if they were free.
type v struct {
	B   b
	Dst dst
	M   map[dst]b
	J   *json
	Raw js.RawMessage
}

type b struct{ I int }

type dst string

type json struct{ Flags []flag }

type flag bool

type jsonrt struct{}

type strconv struct{}

var (
	i   int
	k   string
	err int
	src jsonrt
	buf strconv
	d   = i
	e   = k
	f   = err
)

var samples = []any{&v{B: b{1}, M: map[dst]b{"x": {2}}, J: &json{[]flag{true}}, Raw: js.RawMessage("1")}, &json{}}
