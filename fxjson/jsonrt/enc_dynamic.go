package jsonrt

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// EncodeAny appends the value in *v. Those that encoding/json itself puts into
// an empty interface, and the plain scalars, are encoded here; values of types
// with generated methods by those; all others by encoding/json.
func EncodeAny(e *Enc, b []byte, v *any) []byte { return EncodeDynamic(e, b, *v) }

// EncodeDynamic is [EncodeAny] for a value at hand.
func EncodeDynamic(e *Enc, b []byte, v any) []byte {
	switch x := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return jsonwire.AppendQuote(b, x)
	case float64:
		return EncodeFloat(e, b, &x)
	case bool:
		return EncodeBool(e, b, &x)
	case map[string]any:
		return EncodeAnyMap(e, b, &x)
	case []any:
		return EncodeSlice(e, b, &x, EncodeAny)
	case int:
		return jsonwire.AppendInt(b, int64(x))
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
	}
	if c := lookup(v); c != nil {
		return c.encode(e, b, v)
	}
	return e.std(b, v)
}

// raw appends src without white space, escaped for HTML; it must be one JSON
// value.
func (e *Enc) raw(b, src []byte) []byte {
	var buf bytes.Buffer
	if err := json.Compact(&buf, src); err != nil {
		return e.Fail(b)
	}
	if !bytes.ContainsAny(buf.Bytes(), "<>&\u2028\u2029") {
		return append(b, buf.Bytes()...)
	}
	out := bytes.NewBuffer(b)
	json.HTMLEscape(out, buf.Bytes())
	return out.Bytes()
}
