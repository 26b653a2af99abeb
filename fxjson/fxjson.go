// Package fxjson marshals and unmarshals JSON with code generated for the
// program's own types:
//
//	//go:generate fxjson -type=UserSession
//
// writes user_session_json.go, whose methods AppendJSON and DecodeJSON the
// functions here find. What they return and what they accept is what
// encoding/json (v1) returns and accepts. Where a toolchain builds encoding/json
// on its version 2 (GOEXPERIMENT=jsonv2), that package itself differs from v1 in
// details, such as invalid UTF-8 in strings; this one does not follow it there yet.
//
// # Types without generated code
//
// All other types are marshaled and unmarshaled by the same functions, tied
// together by a plan that reflection makes when a type is first met: nothing has
// to be registered, and the results are the same. That is slower than generated
// code and faster than encoding/json, which is asked for the texts of errors,
// and for values nested deeper than a thousand pointers.
//
// # In place of encoding/json
//
// Functions, types and errors have the names and the behaviour that they have
// there: [Valid], [Compact], [Indent], [HTMLEscape], [NewEncoder], [NewDecoder]
// with its tokens, [RawMessage], [Number] and the rest; a Decoder holds the value
// at hand and no more. Beyond that there are [MarshalOptions] and
// [UnmarshalOptions], and [Get], which takes one value out of a document.
//
// # What is not yet equal
//
// Into a target that is the zero value everything is equal, errors included:
// after any error encoding/json has decided. Into a target that holds values
// already, the values are equal and an error is given where encoding/json gives
// one; its text and offset are those for a fresh target. In both cases methods
// UnmarshalJSON and UnmarshalText of the user's may be called twice, or on a
// document that turns out to be malformed later on. In generated code an unnamed
// struct type that takes UnmarshalJSON from an embedded field uses it, which
// encoding/json does only behind a pointer. Marshaling with methods MarshalJSON
// and MarshalText that fail calls them twice.
package fxjson

import "github.com/zmylab/zmy/fxjson/jsonrt"

// Marshal returns the JSON encoding of v.
func Marshal(v any) ([]byte, error) { return jsonrt.MarshalWith(v, 0) }

// Append appends the JSON encoding of v to dst and returns the longer slice; on
// an error it returns dst.
func Append(dst []byte, v any) ([]byte, error) { return jsonrt.AppendWith(dst, v, 0) }

// Unmarshal decodes the JSON document b into v, a pointer. It keeps no
// reference to b. If the document is malformed, v is left as it was.
//
// Strings in documents up to 64 KiB share one copy of the document, so that one
// of them keeps all of it in memory; clone what is kept for long.
func Unmarshal(b []byte, v any) error { return jsonrt.UnmarshalWith(b, v, 0) }
