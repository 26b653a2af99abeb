package pbreflect

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// single merges one value of a field with shape Single, whose wire type is the right one.
func (d *decoder) single(f *field, v reflect.Value, i, end int, at frame) (int, *Error) {
	next, err := d.value(f.number, &f.value, v, i, end, at)
	if err == nil && f.presence == pbtype.Implicit && f.value.kind == pbtype.Bytes && f.value.length == 0 && v.IsValid() && v.Len() == 0 {
		v.SetZero() // an empty value is the same as none
	}
	return next, err
}

// value merges one value, whose wire type is the right one, into v. It allocates what a pointer
// points to.
func (d *decoder) value(number int32, t *value, v reflect.Value, i, end int, at frame) (int, *Error) {
	if t.pointer {
		if err := d.charge(t.size, i); err != nil {
			return 0, err
		}
		if v.IsValid() {
			if v.IsNil() {
				v.Set(reflect.New(t.rt))
			}
			v = v.Elem()
		}
	}
	switch t.kind {
	case pbtype.Group:
		if at.levels() < 0 {
			return 0, fail(pbwire.ErrDepth, i, "")
		}
		return d.message(t.message, v, i, end, frame{left: at.left, group: number, groups: at.groups + 1})
	case pbtype.String, pbtype.Bytes, pbtype.Text, pbtype.Binary, pbtype.Message, pbtype.Timestamp, pbtype.Duration, pbtype.Wrapper,
		pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		content, n := pbwire.ConsumeBytes(d.b[i:end])
		if n < 0 {
			return 0, failed(n, i)
		}
		return i + n, d.content(t, v, i+n-len(content), i+n, at)
	}
	x, n := consumeNumber(t.kind, d.b[i:end])
	if n < 0 {
		return 0, failed(n, i)
	}
	return i + n, t.store(v, x, i)
}

// store sets v to the number with bits x, which starts at i. It refuses one that an integer of 8 or 16 bits
// does not hold.
func (t *value) store(v reflect.Value, x uint64, i int) *Error {
	if t.narrow && !t.holds(x) {
		return fail(ErrRange, i, t.rt.String())
	}
	if v.IsValid() {
		setNumber(t.kind, v, x)
	}
	return nil
}

// holds reports whether the Go type holds the integer with bits x.
func (t *value) holds(x uint64) bool {
	if k := t.rt.Kind(); k == reflect.Int8 || k == reflect.Int16 {
		return !t.rt.OverflowInt(signed(t.kind, x))
	}
	return !t.rt.OverflowUint(uint64(uint32(x)))
}

// content merges a value that is the bytes from i to end.
func (d *decoder) content(t *value, v reflect.Value, i, end int, at frame) *Error {
	switch t.kind {
	case pbtype.Message:
		_, err := d.message(t.message, v, i, end, frame{left: at.left})
		return err
	case pbtype.Text, pbtype.Binary:
		return d.own(t, v, i, end)
	case pbtype.Timestamp, pbtype.Duration:
		return d.known(t.kind, v, i, end, at)
	case pbtype.Wrapper:
		return d.wrapped(t.inner, v, i, end, at)
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		return d.dynamic(t, v, i, end, at)
	case pbtype.String:
		if !t.raw && !utf8.Valid(d.b[i:end]) {
			return fail(ErrUTF8, i, "use []byte, or option raw")
		}
	}
	if t.length > 0 {
		return d.array(t, v, i, end)
	}
	if !d.opt.Alias {
		if err := d.charge(int64(end-i), i); err != nil {
			return err
		}
	}
	switch {
	case !v.IsValid():
	case t.kind == pbtype.Bytes:
		v.SetBytes(d.bytes(i, end))
	case d.opt.Alias:
		v.SetString(alias(d.b[i:end]))
	default:
		v.SetString(string(d.b[i:end]))
	}
	return nil
}

// bytes returns the bytes from i to end as a slice that is not nil and has no spare capacity.
func (d *decoder) bytes(i, end int) []byte {
	if d.opt.Alias && i < end {
		return d.b[i:end:end]
	}
	b := make([]byte, end-i)
	copy(b, d.b[i:end])
	return b
}

// array sets a Go array of bytes. No bytes at all are the zero array.
func (d *decoder) array(t *value, v reflect.Value, i, end int) *Error {
	if end != i && end-i != t.length {
		return fail(ErrRange, i, fmt.Sprintf("%d bytes for %v", end-i, t.rt))
	}
	if v.IsValid() {
		v.SetZero()
		for k, c := range d.b[i:end] {
			v.Index(k).SetUint(uint64(c))
		}
	}
	return nil
}
