package zmyreflect

import (
	"math/big"
	"reflect"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// appendSlot appends the variable v as the content of a slot.
func (t *typ) appendSlot(e *wire.Encoder, b []byte, v ref, left int) ([]byte, *wire.Error) {
	switch t.shape {
	case zmytype.ShapeString:
		return wire.AppendString(b, v.str())
	case zmytype.ShapeBytes:
		return append(b, v.bytes()...), nil
	case zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense:
		return t.appendList(e, b, v, left)
	case zmytype.ShapeMap:
		return t.appendMap(e, b, v, left)
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		at := len(b)
		b, err := t.appendStruct(e, b, v, t.headOf(v), 4, left-1)
		if err == nil && wire.IsZeroStruct(b[at:]) {
			b = b[:at]
		}
		return b, err
	case zmytype.ShapePtrStruct:
		if p, ok := v.deref(); ok {
			return t.elem.appendStruct(e, b, p, t.elem.headOf(p), 4, left-1)
		}
	case zmytype.ShapePtrFixed:
		if p, ok := v.deref(); ok {
			at := len(b)
			b = wire.Extend(b, t.elem.size)
			return b, t.elem.putFixed(b[at:], p)
		}
	case zmytype.ShapeOpt:
		return t.appendOpt(e, b, v, left)
	case zmytype.ShapeAny:
		return wire.AppendAny(e, b, v.any(), left-1)
	case zmytype.ShapeArray:
		return t.appendArray(e, b, v, left)
	case zmytype.ShapeMethods:
		return t.appendMethods(b, v)
	case zmytype.ShapeFixedTail:
		at := len(b)
		b = wire.Extend(b, t.size)
		err := t.putFixed(b[at:], v)
		if err == nil && wire.IsZero(b[at:]) {
			b = b[:at]
		}
		return b, err
	default:
		return t.appendBig(b, v)
	}
	return b, nil
}

func (t *typ) appendOpt(e *wire.Encoder, b []byte, v ref, left int) ([]byte, *wire.Error) {
	if t.marked() {
		if v.isNil() {
			return b, nil
		}
		return t.elem.appendSlot(e, append(b, 1), v, left)
	}
	if p, ok := v.deref(); ok {
		return t.elem.appendSlot(e, append(b, 1), p, left)
	}
	return b, nil
}

// marked reports whether a ShapeOpt is a slice or map in a field with the option nilable, not a
// pointer.
func (t *typ) marked() bool { return t.rt == t.elem.rt }

func (t *typ) appendBig(b []byte, v ref) ([]byte, *wire.Error) {
	switch t.shape {
	case zmytype.ShapeBigInt:
		if x := v.bigInt(); x.Sign() != 0 {
			return wire.AppendBigInt(b, x), nil
		}
	case zmytype.ShapePtrBigInt:
		if p, ok := v.deref(); ok {
			return wire.AppendBigInt(b, p.bigInt()), nil
		}
	case zmytype.ShapeBigFloat:
		if x := v.bigFloat(); !wire.IsZeroFloat(x) {
			return wire.AppendBigFloat(b, x)
		}
	case zmytype.ShapePtrBigFloat:
		if p, ok := v.deref(); ok {
			return wire.AppendBigFloat(b, p.bigFloat())
		}
	}
	return b, nil
}

// decodeSlot sets the variable v from the content y of its slot.
func (t *typ) decodeSlot(d *wire.Decoder, y []byte, v ref, left int) *wire.Error {
	switch t.shape {
	case zmytype.ShapeString:
		if !wire.Valid(y) {
			return wire.Fail(wire.ErrUTF8, 0)
		}
		v.setStr(d.String(y))
	case zmytype.ShapeBytes:
		v.setBytes(d.Bytes(y))
	case zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense:
		return t.decodeList(d, y, v, left)
	case zmytype.ShapeMap:
		return t.decodeMap(d, y, v, left)
	case zmytype.ShapeAny:
		n, err := wire.DecodeAny(d, y, left-1)
		if err != nil {
			return err
		}
		v.setAny(n)
	case zmytype.ShapeMethods:
		return t.decodeMethods(y, v)
	default:
		if len(y) == 0 {
			v.setZero(t)
			return nil
		}
		return t.decodeFull(d, y, v, left)
	}
	return nil
}

// NOTE: a value that is not a pointer and is zero has an empty slot, so that a value has only one
// encoding: decoders refuse a slot that contains a zero value (ErrZero). A pointer to a zero value
// is not nil, and its slot is not empty.

// decodeFull is decodeSlot for shapes whose empty slot is the zero value. y must not be empty.
func (t *typ) decodeFull(d *wire.Decoder, y []byte, v ref, left int) *wire.Error {
	switch t.shape {
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		h, err := wire.Head(y)
		if err != nil {
			return err
		}
		if t.skips {
			v.setZero(t)
		}
		err = t.decodeStruct(d, y, h, 4, v, left-1)
		if err == nil && wire.IsZeroStruct(y) {
			err = wire.Fail(wire.ErrZero, 0)
		}
		return err
	case zmytype.ShapePtrStruct:
		h, err := wire.Head(y)
		if err == nil {
			err = d.ChargeFat(1, t.elem.cost, t.elem.mem)
		}
		if err != nil {
			return err
		}
		n := newOf(t.elem)
		v.point(n)
		return t.elem.decodeStruct(d, y, h, 4, n, left-1)
	case zmytype.ShapePtrFixed:
		if len(y) != t.elem.size {
			return wire.Fail(wire.ErrLength, 0)
		}
		if err := d.ChargeFat(1, t.elem.cost, t.elem.mem); err != nil {
			return err
		}
		n := newOf(t.elem)
		v.point(n)
		return t.elem.getFixed(y, n)
	case zmytype.ShapeOpt:
		return t.decodeOpt(d, y, v, left)
	case zmytype.ShapeArray:
		return t.decodeArray(d, y, v, left)
	case zmytype.ShapeFixedTail:
		if len(y) != t.size {
			return wire.Fail(wire.ErrLength, 0)
		}
		if err := t.getFixed(y, v); err != nil {
			return err
		}
		if wire.IsZero(y) {
			return wire.Fail(wire.ErrZero, 0)
		}
		return nil
	}
	return t.decodeBig(y, v)
}

func (t *typ) decodeOpt(d *wire.Decoder, y []byte, v ref, left int) *wire.Error {
	if y[0] != 1 {
		return wire.Fail(wire.ErrDomain, 0)
	}
	y = y[1:]
	var err *wire.Error
	to := v
	if !t.nilable {
		err = d.ChargeFat(1, t.elem.cost, t.elem.mem)
	}
	if !t.marked() && err == nil {
		to = newOf(t.elem)
		v.point(to)
	}
	if err == nil {
		err = t.elem.decodeSlot(d, y, to, left)
	}
	if err == nil && t.nilable && to.isNil() && (t.marked() || t.elem.rt != rawType) {
		to.setEmpty(t.elem)
	}
	if err != nil {
		return err.Shift(1)
	}
	return nil
}

// setEmpty sets a slice or map to an empty one that is not nil.
func (r ref) setEmpty(t *typ) {
	if t.rt.Kind() == reflect.Map {
		r.value(t).Set(reflect.MakeMap(t.rt))
	} else {
		r.value(t).Set(reflect.MakeSlice(t.rt, 0, 0))
	}
}

func (t *typ) decodeBig(y []byte, v ref) *wire.Error {
	var c wire.Code
	switch t.shape {
	case zmytype.ShapeBigInt, zmytype.ShapePtrBigInt:
		var n *big.Int
		switch n, c = wire.ParseBigInt(y); {
		case c != wire.OK:
		case t.shape == zmytype.ShapePtrBigInt:
			v.value(t).Set(reflect.ValueOf(n))
		case n.Sign() == 0:
			c = wire.ErrZero
		default:
			*v.bigInt() = *n
		}
	case zmytype.ShapeBigFloat, zmytype.ShapePtrBigFloat:
		var n *big.Float
		switch n, c = wire.ParseBigFloat(y); {
		case c != wire.OK:
		case t.shape == zmytype.ShapePtrBigFloat:
			v.value(t).Set(reflect.ValueOf(n))
		case wire.IsZeroFloat(n):
			c = wire.ErrZero
		default:
			*v.bigFloat() = *n
		}
	}
	if c != wire.OK {
		return wire.Fail(c, 0)
	}
	return nil
}
