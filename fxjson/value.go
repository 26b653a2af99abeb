package fxjson

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// Value is a valid JSON value inside a document. It shares the document's memory, which must not be
// changed while the Value is in use. The zero Value has Kind [Invalid].
type Value struct{ raw []byte }

// Kind is the kind of a [Value].
type Kind uint8

const (
	Invalid Kind = iota // the zero Value
	Null
	Bool
	NumberKind
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "bool", "number", "string", "array", "object"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Parse validates a whole document and returns its value. The error is a [*MalformedError].
func Parse(data []byte) (Value, error) {
	if !jsonrt.Valid(data) {
		return Value{}, &MalformedError{Offset: int64(jsonscan.Malformed(data))}
	}
	i := 0
	for isSpace(data[i]) {
		i++
	}
	return Value{data[i:valueEnd(data, i)]}, nil
}

// Raw returns the JSON of the value, without white space around it. Appending to the result does
// not change the document.
func (v Value) Raw() RawMessage { return RawMessage(slices.Clip(v.raw)) }

// Kind returns the kind of v.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return Invalid
	}
	switch v.raw[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	}
	return NumberKind
}

// String returns the text of a string, unquoted, and the JSON of any other value.
func (v Value) String() string {
	if v.Kind() != String {
		return string(v.raw)
	}
	return string(v.AppendText(nil))
}

// AppendText appends what String returns to b.
func (v Value) AppendText(b []byte) []byte {
	if v.Kind() != String {
		return append(b, v.raw...)
	}
	buf := v.padded()
	b, _ = jsonwire.AppendUnescaped(b, *buf, 0)
	putBuffer(buf)
	return b
}

// padded returns a copy of v for the kernels, which need zero bytes after a value. The caller
// returns it with putBuffer.
func (v Value) padded() *[]byte {
	buf := buffers.Get().(*[]byte)
	*buf = jsonwire.Padded(*buf, v.raw)
	return buf
}

// Bool returns the value of true or false. Any other value is an error.
func (v Value) Bool() (bool, error) {
	if v.Kind() != Bool {
		return false, v.isNot("bool")
	}
	return v.raw[0] == 't', nil
}

// Int64 returns a number as an int64. It is an error if the number has a fraction or an exponent,
// or does not fit.
func (v Value) Int64() (int64, error) { return number(v, "int64", jsonwire.ParseInt) }

// Uint64 returns a number as a uint64. It is an error if the number has a fraction or an exponent,
// or does not fit.
func (v Value) Uint64() (uint64, error) { return number(v, "uint64", jsonwire.ParseUint) }

// Float64 returns the float64 nearest to a number. It is an error if the number is out of range.
func (v Value) Float64() (float64, error) { return number(v, "float64", jsonwire.ParseFloat64) }

// number parses v by a kernel.
func number[T any](v Value, want string, parse func([]byte, int) (T, int)) (T, error) {
	if v.Kind() == NumberKind {
		buf := v.padded()
		x, e := parse(*buf, 0)
		putBuffer(buf)
		if e == len(v.raw) {
			return x, nil
		}
	}
	var zero T
	return zero, v.isNot(want)
}

func (v Value) isNot(want string) error {
	if v.Kind() == NumberKind {
		return fmt.Errorf("fxjson: number %s is no %s", v.raw, want)
	}
	return fmt.Errorf("fxjson: %s is no %s", v.Kind(), want)
}

// Get returns the value at a path inside v; see the function [Get].
func (v Value) Get(path string) (Value, error) { return Get(v.raw, path) }

// Unmarshal decodes v into the variable that p points to.
func (v Value) Unmarshal(p any) error { return Unmarshal(v.raw, p) }

// Elements iterates over the elements of an array. Other values have none.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) { v.each('[', func(_, x Value) bool { return yield(x) }) }
}

// Members iterates over the members of an object in their order in the document, repeated keys
// included. Other values have none.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(key, value Value) bool) { v.each('{', yield) }
}

// each calls yield for each element of an array or member of an object, if v begins with the
// bracket open. It checks nothing, since v is valid.
func (v Value) each(open byte, yield func(key, value Value) bool) {
	if len(v.raw) == 0 || v.raw[0] != open {
		return
	}
	b := v.raw
	i := space(b, 1)
	if b[i] == open+2 { // the closing bracket
		return
	}
	for {
		var key Value
		if open == '{' {
			e := valueEnd(b, i)
			key = Value{b[i:e]}
			i = space(b, space(b, e)+1)
		}
		e := valueEnd(b, i)
		if !yield(key, Value{b[i:e]}) {
			return
		}
		if i = space(b, e); b[i] != ',' {
			return
		}
		i = space(b, i+1)
	}
}

func space(b []byte, i int) int {
	for isSpace(b[i]) {
		i++
	}
	return i
}

// valueEnd returns the end of the valid value at i.
func valueEnd(b []byte, i int) int {
	for depth := 0; ; {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			i++
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
			continue
		default:
			for i < len(b) && b[i] > ' ' && b[i] != ',' && b[i] != ']' && b[i] != '}' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
