package jsonrt

import (
	"fmt"
	"reflect"
)

// NOTE: If code is generated with -only=encode or -only=decode, one of these functions takes the
// place of the missing half. It always fails: neither reflection nor encoding/json does the work
// unasked.

// EncodeOnly is the decoder of code that only encodes. It always fails.
func EncodeOnly[T any](d *Dec, i int, _ *T) int {
	return d.abort(fmt.Errorf("fxjson: unmarshal %v: its code was generated with -only=encode; generate it without -only, or use encoding/json", reflect.TypeFor[T]()))
}

// DecodeOnly is the encoder of code that only decodes. It always fails.
func DecodeOnly[T any](e *Enc, b []byte, _ *T) []byte {
	return e.failWith(b, fmt.Errorf("fxjson: marshal %v: its code was generated with -only=decode; generate it without -only, or use encoding/json", reflect.TypeFor[T]()))
}

// encodeOnly reports whether decoding by the code is refused.
func (c *Code[T]) encodeOnly() bool { return c.Only == "encode" }
