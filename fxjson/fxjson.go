// Package fxjson marshals and unmarshals JSON with code generated for the
// program's own types:
//
//	//go:generate fxjson -type=UserSession
//
// makes go generate write user_session_json.go. The functions of this package use that code for
// values of the type. They return and accept what the functions of encoding/json return and accept
// in the toolchain that builds the program. If encoding/json is built on its version 2 there
// (GOEXPERIMENT=jsonv2, the default from Go 1.27 on), it differs from version 1 in details, such as
// invalid UTF-8 in strings and the texts of errors, and this package behaves like version 2.
//
// # Types without generated code
//
// For any other type the package makes a plan, by reflection, when it first meets the type. The
// plan calls the same functions as generated code, so the results are the same, and nothing has to
// be registered. A plan is slower than generated code and faster than encoding/json. encoding/json
// is called for the texts of errors, and for values nested deeper than a thousand pointers, maps
// and slices.
//
// # In place of encoding/json
//
// Functions, types and errors have the same names and behave the same as in encoding/json: [Valid],
// [Compact], [Indent], [HTMLEscape], [NewEncoder], [NewDecoder] with its tokens, [RawMessage],
// [Number] and the rest. A Decoder keeps only the current value in memory. The package adds
// [MarshalOptions], [UnmarshalOptions], and [Get], which returns one value of a document.
//
// The struct tag fxjson has options that encoding/json does not know: decimals=N, inline, unknown,
// required and intern. For types that use inline, unknown or required, errors do not come from
// encoding/json; see FastErrors of [UnmarshalOptions].
//
// With version 2 of encoding/json, this package leaves to it all types that use features that only
// version 2 knows: the options case, embed, format, inline and unknown of struct tags; names that
// version 1 refuses; methods MarshalJSONTo, UnmarshalJSONFrom or AppendText; keys of maps that are
// floats, bools, pointers, or strings with a method MarshalText.
//
// # What is not yet equal
//
// If the target is the zero value, values and errors are those of encoding/json: after any error it
// decodes the document once more. If the target already holds values, the values are those of
// encoding/json too, and an error is returned where encoding/json returns one, but its text and
// offset are those for a fresh target. In both cases a user's methods UnmarshalJSON and
// UnmarshalText may be called twice, or on a document that turns out to be malformed later on. If
// an unnamed struct type gets UnmarshalJSON from an embedded field, generated code calls it;
// encoding/json calls it only if the struct is behind a pointer. If a method MarshalJSON or
// MarshalText fails, it is called a second time.
package fxjson

import (
	"encoding/json"
	"reflect"

	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// These are the types of encoding/json. A program can import this package in its place and keep its
// type switches and its calls of errors.As.
type (
	RawMessage  = json.RawMessage
	Number      = json.Number
	Delim       = json.Delim
	Token       = json.Token
	Marshaler   = json.Marshaler
	Unmarshaler = json.Unmarshaler

	SyntaxError           = json.SyntaxError
	UnmarshalTypeError    = json.UnmarshalTypeError
	InvalidUnmarshalError = json.InvalidUnmarshalError
	UnsupportedTypeError  = json.UnsupportedTypeError
	UnsupportedValueError = json.UnsupportedValueError
	MarshalerError        = json.MarshalerError
)

// Marshal returns the JSON encoding of v.
func Marshal(v any) ([]byte, error) { return jsonrt.MarshalWith(v, 0) }

// Append appends the JSON encoding of v to dst and returns the longer slice. On an error it returns
// dst. It may also overwrite memory after the end of the result, up to the capacity of dst.
func Append(dst []byte, v any) ([]byte, error) { return jsonrt.AppendWith(dst, v, 0) }

// Unmarshal decodes the JSON document b into v, a pointer. It keeps no
// reference to b. If the document is malformed, v is left as it was.
//
// Results share memory. The strings of a document of up to 64 KiB share one piece of memory, which
// is no larger than the document by much, so one string keeps all of it in memory. Slices share
// pieces of up to 4 KiB with other slices of their type in the document. Values of up to 16 bytes that pointers refer to share pieces too, so
// [runtime.SetFinalizer] cannot be used on such pointers. Clone what you keep for long.
func Unmarshal(b []byte, v any) error { return jsonrt.UnmarshalWith(b, v, 0) }

// Stale returns the types met so far whose generated code is out of date and therefore not used:
// the type, or one that it contains, has other fields, struct tags or methods than when the code
// was generated, for example after an update of another module. Reflection handles the type, which
// is correct but slower. Run go generate; fxjson -check lists the files that are out of date.
func Stale() []reflect.Type { return jsonrt.StaleTypes() }

// OnStale sets f to be called with every type that [Stale] returns, now or later, each time on a
// goroutine of its own. A later call replaces f. If f is nil, nothing is called.
func OnStale(f func(reflect.Type)) { jsonrt.OnStale(f) }
