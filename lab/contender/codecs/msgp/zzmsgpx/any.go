//go:build ignore

package zzmsgpx

import (
	"encoding/json"
	"math/big"

	"github.com/tinylib/msgp/msgp"
)

// The extension types for values inside interfaces.
const (
	extBigInt   = 16
	extBigFloat = 17
	extRawJSON  = 18
)

// Dyn is a value inside an interface. It does what msgp.AppendIntf and msgp.ReadIntfBytes do. In
// addition it handles big numbers and raw JSON as extensions, and reads times as UTC.
type Dyn struct{ p *any }

// Any returns the interface as a Dyn.
func Any(p *any) Dyn { return Dyn{p} }

func (d Dyn) MarshalMsg(b []byte) ([]byte, error) { return appendAny(b, *d.p) }

func (d Dyn) UnmarshalMsg(b []byte) (rest []byte, err error) {
	*d.p, rest, err = readAny(b, 0)
	return rest, err
}

func (d Dyn) Msgsize() int { return msgp.GuessSize(*d.p) }

func appendAny(b []byte, v any) ([]byte, error) {
	var err error
	switch v := v.(type) {
	case map[string]any:
		b = msgp.AppendMapHeader(b, uint32(len(v)))
		for k, x := range v {
			b = msgp.AppendString(b, k)
			if b, err = appendAny(b, x); err != nil {
				return b, err
			}
		}
		return b, nil
	case []any:
		b = msgp.AppendArrayHeader(b, uint32(len(v)))
		for _, x := range v {
			if b, err = appendAny(b, x); err != nil {
				return b, err
			}
		}
		return b, nil
	case *big.Int:
		if v == nil {
			return msgp.AppendNil(b), nil
		}
		return msgp.AppendExtension(b, &msgp.RawExtension{Type: extBigInt, Data: appendInt(nil, v)})
	case *big.Float:
		if v == nil {
			return msgp.AppendNil(b), nil
		}
		data, err := v.GobEncode()
		if err != nil {
			return b, err
		}
		return msgp.AppendExtension(b, &msgp.RawExtension{Type: extBigFloat, Data: data})
	case json.RawMessage:
		return msgp.AppendExtension(b, &msgp.RawExtension{Type: extRawJSON, Data: v})
	}
	return msgp.AppendIntf(b, v)
}

const maxDepth = 10000

func readAny(b []byte, depth int) (any, []byte, error) {
	if depth > maxDepth {
		return nil, b, msgp.ErrRecursion
	}
	switch msgp.NextType(b) {
	case msgp.MapType:
		return readMap(b, depth)
	case msgp.ArrayType:
		return readList(b, depth)
	case msgp.TimeType:
		return msgp.ReadTimeUTCBytes(b)
	case msgp.ExtensionType:
		return readExtension(b)
	}
	return msgp.ReadIntfBytes(b)
}

func readMap(b []byte, depth int) (any, []byte, error) {
	n, b, err := msgp.ReadMapHeaderBytes(b)
	if err != nil {
		return nil, b, err
	}
	if int64(n)*2 > int64(len(b)) { // a key and a value take a byte each
		return nil, b, msgp.ErrShortBytes
	}
	m := make(map[string]any, n)
	for range n {
		var k string
		if k, b, err = msgp.ReadStringBytes(b); err != nil {
			return nil, b, err
		}
		if m[k], b, err = readAny(b, depth+1); err != nil {
			return nil, b, err
		}
	}
	return m, b, nil
}

func readList(b []byte, depth int) (any, []byte, error) {
	n, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil {
		return nil, b, err
	}
	if int64(n) > int64(len(b)) {
		return nil, b, msgp.ErrShortBytes
	}
	l := make([]any, n)
	for i := range l {
		if l[i], b, err = readAny(b, depth+1); err != nil {
			return nil, b, err
		}
	}
	return l, b, nil
}

func readExtension(b []byte) (any, []byte, error) {
	v, rest, err := msgp.ReadIntfBytes(b)
	if err != nil {
		return nil, b, err
	}
	raw, ok := v.(*msgp.RawExtension)
	if !ok {
		return v, rest, nil
	}
	switch raw.Type {
	case extBigInt:
		x := new(big.Int)
		return x, rest, setInt(x, raw.Data)
	case extBigFloat:
		x := new(big.Float)
		return x, rest, x.GobDecode(raw.Data)
	case extRawJSON:
		return json.RawMessage(raw.Data), rest, nil
	}
	return raw, rest, nil
}
