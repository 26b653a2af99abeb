package fxjson

import (
	"bytes"
	"encoding/json"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// Valid reports whether data is a valid JSON document.
func Valid(data []byte) bool { return jsonrt.Valid(data) }

// Compact appends src to dst without insignificant white space. If src is
// malformed, dst is left as it was and the error is a [*SyntaxError].
func Compact(dst *bytes.Buffer, src []byte) error {
	dst.Grow(len(src) + jsonwire.Pad)
	b, ok := jsonwire.AppendCompact(dst.AvailableBuffer(), src, jsonwire.EscapeNothing)
	if !ok {
		return json.Compact(new(bytes.Buffer), src)
	}
	dst.Write(b)
	return nil
}

// Indent appends src to dst with each element of an array or object on a line
// of its own that begins with prefix and one copy of indent for each level.
// White space at the beginning of src is dropped, at its end it is kept. If src
// is malformed, dst is left as it was and the error is a [*SyntaxError].
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	dst.Grow(2 * len(src))
	b, ok := jsonrt.Indent(dst.AvailableBuffer(), src, prefix, indent)
	if !ok {
		return json.Indent(new(bytes.Buffer), src, prefix, indent)
	}
	dst.Write(b)
	return nil
}

// HTMLEscape appends src to dst with <, >, &, U+2028 and U+2029 as \u escapes, so that the text is
// safe inside a script element. src is not validated.
func HTMLEscape(dst *bytes.Buffer, src []byte) {
	dst.Grow(len(src))
	dst.Write(jsonwire.AppendEscaped(dst.AvailableBuffer(), src, jsonwire.EscapeHTML))
}

// MarshalIndent returns the JSON encoding of v, formatted by [Indent].
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	b, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	out, ok := jsonrt.Indent(nil, b, prefix, indent)
	if !ok {
		return json.MarshalIndent(v, prefix, indent)
	}
	return out, nil
}
