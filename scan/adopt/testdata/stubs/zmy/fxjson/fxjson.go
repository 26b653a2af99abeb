// Package fxjson has the declarations of fxjson that the tests of adopt need.
package fxjson

import (
	"bytes"
	"encoding/json"
	"io"
)

type (
	RawMessage  = json.RawMessage
	Number      = json.Number
	SyntaxError = json.SyntaxError
	Marshaler   = json.Marshaler
	Delim       = json.Delim
	Token       = json.Token
	Encoder     struct{}
	Decoder     struct{}

	MarshalOptions struct{ EscapeHTML, SortMapKeys bool }
)

func (MarshalOptions) Marshal(v any) ([]byte, error) { return nil, nil }

func (*Encoder) Encode(any) error      { return nil }
func (*Encoder) SetIndent(_, _ string) {}
func (*Encoder) SetEscapeHTML(bool)    {}

func (*Decoder) Decode(any) error       { return nil }
func (*Decoder) Token() (Token, error)  { return nil, nil }
func (*Decoder) More() bool             { return false }
func (*Decoder) UseNumber()             {}
func (*Decoder) DisallowUnknownFields() {}

func Marshal(v any) ([]byte, error)                              { return nil, nil }
func MarshalIndent(v any, prefix, indent string) ([]byte, error) { return nil, nil }
func Unmarshal(b []byte, v any) error                            { return nil }
func Valid(b []byte) bool                                        { return false }
func Compact(dst *bytes.Buffer, src []byte) error                { return nil }
func NewEncoder(w io.Writer) *Encoder                            { return nil }
func NewDecoder(r io.Reader) *Decoder                            { return nil }
