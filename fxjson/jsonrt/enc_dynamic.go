package jsonrt

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// EncodeAny appends the value in *v. The types that encoding/json itself stores in an empty
// interface, plain scalars, times, big numbers, raw JSON, byte strings and the usual slices and
// maps of those are encoded here. A value of another type is encoded by its generated code if there
// is any, else by a plan.
func EncodeAny(e *Enc, b []byte, v *any) []byte { return EncodeDynamic(e, b, *v) }

// EncodeDynamic is [EncodeAny] for a value instead of a pointer.
func EncodeDynamic(e *Enc, b []byte, v any) []byte {
	if x, ok := v.(string); ok { // most values are strings
		return jsonwire.AppendQuote(b, x, e.plain)
	}
	// The next most frequent types cost one comparison each; the switch below searches by hash.
	if x, ok := v.(int); ok {
		return jsonwire.AppendInt(b, int64(x))
	}
	if x, ok := v.(float64); ok {
		return EncodeFloat(e, b, &x)
	}
	if x, ok := v.(bool); ok {
		return EncodeBool(e, b, &x)
	}
	if x, ok := v.(map[string]any); ok {
		return EncodeAnyMap(e, b, &x)
	}
	switch x := v.(type) {
	case nil:
		return append(b, "null"...)
	case []any:
		return EncodeSlice(e, b, &x, EncodeAny)
	case int64:
		return jsonwire.AppendInt(b, x)
	case int32:
		return jsonwire.AppendInt(b, int64(x))
	case uint64:
		return jsonwire.AppendUint(b, x)
	case time.Time:
		return EncodeTime(e, b, &x)
	case json.Number:
		return EncodeNumber(e, b, &x)
	case json.RawMessage:
		return EncodeRaw(e, b, &x)
	case []byte:
		return EncodeBytes(e, b, &x)
	case *big.Int:
		return e.bigInt(b, x)
	case *big.Float:
		return e.bigFloat(b, x)
	case []string:
		return EncodeStrings(e, b, &x)
	case map[string]string:
		return EncodeStringMap(e, b, &x)
	case []map[string]any:
		return EncodeSlice(e, b, &x, EncodeAnyMap)
	case []int:
		return EncodeInts(e, b, &x)
	case []float64:
		return EncodeFloats(e, b, &x)
	case uint:
		return jsonwire.AppendUint(b, uint64(x))
	case uint32:
		return jsonwire.AppendUint(b, uint64(x))
	case uint16:
		return jsonwire.AppendUint(b, uint64(x))
	case uint8:
		return jsonwire.AppendUint(b, uint64(x))
	case int16:
		return jsonwire.AppendInt(b, int64(x))
	case int8:
		return jsonwire.AppendInt(b, int64(x))
	case float32:
		return EncodeFloat(e, b, &x)
	case time.Duration:
		return jsonwire.AppendInt(b, int64(x))
	}
	if c := lookup(v); c != nil {
		return c.encode(e, b, v)
	}
	return e.reflective(b, v)
}

// raw appends src, which must be one JSON value, without white space and escaped as the options
// say.
func (e *Enc) raw(b, src []byte) []byte {
	b, ok := jsonwire.AppendCompact(b, src, e.escaping())
	if !ok {
		return e.Fail(b)
	}
	return b
}

// escaping returns what is escaped in raw JSON. Version 2 of encoding/json escapes U+2028 and
// U+2029, which end lines in JavaScript, even if it does not escape <, > and &.
func (e *Enc) escaping() jsonwire.Escaping {
	switch {
	case !e.plain:
		return jsonwire.EscapeHTML
	case jsonwire.StdV2:
		return jsonwire.EscapeJS
	}
	return jsonwire.EscapeNothing
}
