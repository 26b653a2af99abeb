package fxjson

import "encoding/json"

// The types of encoding/json, so that a program may exchange the import and
// keep its type switches and its uses of errors.As.
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
