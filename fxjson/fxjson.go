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
// Types without generated code go to encoding/json, with its speed. So does a
// value of such a type that stands in an interface inside a generated one,
// unless it is of those that encoding/json itself puts there (map[string]any,
// []any, string, float64, bool, nil) or a plain scalar. A path of fxjson's own
// for them is planned and not written yet.
//
// # What is not yet equal
//
// Into a target that is the zero value everything is equal, errors included:
// after any error encoding/json has decided. Into a target that holds values
// already, the values are equal and an error is given where encoding/json gives
// one; its text and offset are those for a fresh target. In both cases methods
// UnmarshalJSON and UnmarshalText of the user's may be called twice, or on a
// document that turns out to be malformed later on. An unnamed struct type that
// takes UnmarshalJSON from an embedded field uses it, which encoding/json does
// only behind a pointer. Marshaling with methods MarshalJSON and MarshalText
// that fail calls them twice.
//
// A [Decoder] with options, and an [Encoder] that does not escape for HTML, go
// to encoding/json for each value.
package fxjson

import (
	"encoding/json"

	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// Marshal returns the JSON encoding of v. Without generated code for v's type
// (or what it points to) it calls json.Marshal.
func Marshal(v any) ([]byte, error) {
	b, err, found := jsonrt.Marshal(v)
	if !found {
		return json.Marshal(v)
	}
	return b, err
}

// Append appends the JSON encoding of v to dst and returns the longer slice; on
// an error it returns dst. Without generated code for v's type it calls
// json.Marshal.
func Append(dst []byte, v any) ([]byte, error) {
	b, err, found := jsonrt.Append(dst, v)
	if !found {
		return jsonrt.AppendStd(dst, v)
	}
	return b, err
}

// Unmarshal decodes the JSON document b into v, a pointer. It keeps no
// reference to b. If the document is malformed, v is left as it was. Without
// generated code for the type v points to it calls json.Unmarshal.
//
// Strings in documents up to 64 KiB share one copy of the document, so that one
// of them keeps all of it in memory; clone what is kept for long.
func Unmarshal(b []byte, v any) error {
	err, found := jsonrt.Unmarshal(b, v)
	if !found {
		return json.Unmarshal(b, v)
	}
	return err
}
