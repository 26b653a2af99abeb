package zmyreflect

import (
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
