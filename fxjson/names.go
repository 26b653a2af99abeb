package fxjson

import "encoding/json"

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
