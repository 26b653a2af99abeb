package pbvalue

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// The errors, beside those of package pbwire.
var (
	ErrUTF8  = errors.New("string is not UTF-8")
	ErrValue = errors.New("type has no form in google.protobuf.Value")
)

// The tags of Value, and those of Struct, ListValue and the entries of Struct.
const (
	tagNull   = 1<<3 | byte(pbwire.VarintType)
	tagNumber = 2<<3 | byte(pbwire.Fixed64Type)
	tagString = 3<<3 | byte(pbwire.BytesType)
	tagBool   = 4<<3 | byte(pbwire.VarintType)
	tagStruct = 5<<3 | byte(pbwire.BytesType)
	tagList   = 6<<3 | byte(pbwire.BytesType)

	tagElem  = 1<<3 | byte(pbwire.BytesType)
	tagKey   = 1<<3 | byte(pbwire.BytesType)
	tagValue = 2<<3 | byte(pbwire.BytesType)
)

// An Encoder writes values into messages.
type Encoder struct {
	B       []byte
	Lengths *pbwire.Lengths
	Sorted  bool // entries are in the order of their keys
	Err     error
	Note    string
}

func (e *Encoder) fail(err error, note string) {
	if e.Err == nil {
		e.Err, e.Note = err, note
	}
}

// Append appends the length and the content of the message of kind k for x. left is how many levels of
// messages are allowed.
func (e *Encoder) Append(k pbtype.Kind, x any, left int) {
	e.B = append(e.B, 0)
	at, before := len(e.B), e.Lengths.Extra()
	if left--; left < 0 {
		e.fail(pbwire.ErrDepth, "does the value contain itself?")
	}
	if e.Err != nil {
		return
	}
	switch k {
	case pbtype.DynamicValue:
		e.value(x, left)
	case pbtype.DynamicStruct:
		e.entries(x.(map[string]any), left)
	case pbtype.DynamicList:
		for _, elem := range x.([]any) {
			e.B = append(e.B, tagElem)
			e.Append(pbtype.DynamicValue, elem, left)
		}
	}
	e.close(at, before)
}

func (e *Encoder) close(at, before int) {
	if n := len(e.B) - at + e.Lengths.Extra() - before; n < 0x80 {
		e.B[at-1] = byte(n)
	} else {
		e.Lengths.Close(at, n)
	}
}

func (e *Encoder) value(x any, left int) {
	switch x := x.(type) {
	case nil:
		e.B = append(e.B, tagNull, 0)
	case bool:
		bit := byte(0)
		if x {
			bit = 1
		}
		e.B = append(e.B, tagBool, bit)
	case string:
		e.B = append(e.B, tagString)
		e.text(x)
	case map[string]any:
		e.B = append(e.B, tagStruct)
		e.Append(pbtype.DynamicStruct, x, left)
	case []any:
		e.B = append(e.B, tagList)
		e.Append(pbtype.DynamicList, x, left)
	default:
		f, ok := Number(x)
		if !ok {
			e.fail(ErrValue, fmt.Sprintf("%T; use nil, a bool, a number, a string, map[string]any or []any", x))
		}
		e.B = pbwire.AppendFixed64(append(e.B, tagNumber), math.Float64bits(f))
	}
}

// Number returns a number as a float64, or false for other values.
func Number(x any) (f float64, ok bool) {
	switch x := x.(type) {
	case float64:
		return x, true
	case float32:
		return float64(x), true
	case int:
		return float64(x), true
	case int8:
		return float64(x), true
	case int16:
		return float64(x), true
	case int32:
		return float64(x), true
	case int64:
		return float64(x), true
	case uint:
		return float64(x), true
	case uint8:
		return float64(x), true
	case uint16:
		return float64(x), true
	case uint32:
		return float64(x), true
	case uint64:
		return float64(x), true
	case json.Number:
		f, err := x.Float64()
		return f, err == nil
	}
	return 0, false
}

func (e *Encoder) text(s string) {
	if !utf8.ValidString(s) {
		e.fail(ErrUTF8, "")
	}
	e.B = pbwire.AppendBytes(e.B, s)
}

func (e *Encoder) entries(m map[string]any, left int) {
	if !e.Sorted || len(m) < 2 {
		for k, v := range m {
			e.entry(k, v, left)
		}
		return
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		e.entry(k, m[k], left)
	}
}

func (e *Encoder) entry(k string, v any, left int) {
	e.B = append(e.B, tagElem, 0)
	at, before := len(e.B), e.Lengths.Extra()
	e.B = append(e.B, tagKey)
	e.text(k)
	e.B = append(e.B, tagValue)
	e.Append(pbtype.DynamicValue, v, left-1)
	e.close(at, before)
}

// Size returns the length of the content of the message of kind k for x, without its length. It is
// negative if the value is too deep. Values of other types have any length.
func Size(k pbtype.Kind, x any, left int) (n int) {
	if left--; left < 0 {
		return -1
	}
	var deep bool
	add := func(k pbtype.Kind, x any, left int) int {
		n := Size(k, x, left)
		deep = deep || n < 0
		return 1 + pbwire.SizeBytes(n)
	}
	switch k {
	case pbtype.DynamicStruct:
		for key, v := range x.(map[string]any) {
			n += 1 + pbwire.SizeBytes(1+pbwire.SizeBytes(len(key))+add(pbtype.DynamicValue, v, left-1))
		}
	case pbtype.DynamicList:
		for _, v := range x.([]any) {
			n += add(pbtype.DynamicValue, v, left)
		}
	default:
		switch x := x.(type) {
		case nil, bool:
			n = 2
		case string:
			n = 1 + pbwire.SizeBytes(len(x))
		case map[string]any:
			n = add(pbtype.DynamicStruct, x, left)
		case []any:
			n = add(pbtype.DynamicList, x, left)
		default:
			n = 9
		}
	}
	if deep {
		return -1
	}
	return n
}
