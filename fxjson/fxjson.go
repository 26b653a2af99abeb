// Package fxjson marshals and unmarshals JSON with code generated for the
// program's own types:
//
//	//go:generate fxjson -type=UserSession
//
// writes user_session_json.go, whose methods AppendJSON and DecodeJSON the
// functions here find. What they return and what they accept is what the
// functions of encoding/json return and accept in the toolchain that builds the
// program: where that one is built on its version 2 (GOEXPERIMENT=jsonv2, the
// default from Go 1.27 on), it differs from version 1 in details, such as invalid
// UTF-8 in strings and the texts of errors, and so does this package.
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
// Struct tag fxjson has options that encoding/json does not know: decimals=N, inline, unknown and
// required. Types with the last three have errors of their own, as with FastErrors.
//
// Types that use what only version 2 knows (the options case, embed, format,
// inline and unknown of struct tags, names that version 1 refuses, methods
// MarshalJSONTo, UnmarshalJSONFrom or AppendText, keys of maps that are floats,
// bools, pointers, or strings with a method MarshalText) are left to encoding/json there.
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
// an error it returns dst. Memory behind the result, up to the capacity of dst, may
// be written to as well.
func Append(dst []byte, v any) ([]byte, error) { return jsonrt.AppendWith(dst, v, 0) }

// Unmarshal decodes the JSON document b into v, a pointer. It keeps no
// reference to b. If the document is malformed, v is left as it was.
//
// Strings in documents up to 64 KiB share one copy of the document, so that one
// of them keeps all of it in memory; slices share pieces of up to 4 KiB with other
// slices of their type in the document, and so do the values of pointers to up to
// 16 bytes, which therefore take no [runtime.SetFinalizer]. Clone what is kept for
// long.
func Unmarshal(b []byte, v any) error { return jsonrt.UnmarshalWith(b, v, 0) }
