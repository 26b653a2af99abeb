package anatomy

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
)

// Compact returns a short form of a value, as a bound for the size of its message. Bools are bits,
// integers take as many bytes as they need, and nothing has a name. It is never decoded.
func Compact(v any) []byte {
	var c compacter
	c.value(reflect.ValueOf(v), 0)
	return append(c.bits, c.rest...)
}

type compacter struct {
	bits, rest []byte
	n          int // number of bits
}

func (c *compacter) bit(set bool) {
	if c.n%8 == 0 {
		c.bits = append(c.bits, 0)
	}
	if set {
		c.bits[c.n/8] |= 1 << (c.n % 8)
	}
	c.n++
}

func (c *compacter) value(v reflect.Value, depth int) {
	if depth > deepest {
		return
	}
	if ownForm(v.Type()) && v.CanInterface() && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		doc, _ := json.Marshal(v.Interface())
		c.rest = append(c.rest, doc...)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		c.bit(v.Bool())
	case reflect.Float32:
		c.rest = binary.LittleEndian.AppendUint32(c.rest, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		c.rest = binary.LittleEndian.AppendUint64(c.rest, math.Float64bits(v.Float()))
	case reflect.String:
		c.rest = append(binary.AppendUvarint(c.rest, uint64(v.Len())), v.String()...)
	case reflect.Pointer, reflect.Interface:
		if c.bit(!v.IsNil()); !v.IsNil() {
			c.value(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.value(v.Field(i), depth+1)
		}
	case reflect.Slice, reflect.Array:
		c.rest = binary.AppendUvarint(c.rest, uint64(v.Len()))
		for i := range v.Len() {
			c.value(v.Index(i), depth+1)
		}
	case reflect.Map:
		c.rest = binary.AppendUvarint(c.rest, uint64(v.Len()))
		for it := v.MapRange(); it.Next(); {
			c.value(it.Key(), depth+1)
			c.value(it.Value(), depth+1)
		}
	default:
		if v.CanInt() {
			c.rest = binary.AppendVarint(c.rest, v.Int())
		} else if v.CanUint() {
			c.rest = binary.AppendUvarint(c.rest, v.Uint())
		}
	}
}
