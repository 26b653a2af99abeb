package pbreflect

import (
	"reflect"

	"github.com/zmylab/zmy/internal/pbwire"
)

// grown is how much memory a slice that grows by append takes at most, in multiples of its content.
const grown = 2

// list appends the elements of one field: one element, or a packed run of numbers.
func (d *decoder) list(f *field, v reflect.Value, t pbwire.Type, i, end int, at frame) (int, *Error) {
	if t == pbwire.BytesType && f.value.kind.IsNumber() {
		run, n := pbwire.ConsumeBytes(d.b[i:end])
		if n < 0 {
			return 0, failed(n, i)
		}
		return i + n, d.packed(&f.value, v, i+n-len(run), i+n)
	}
	if t != f.value.kind.Wire() {
		return notMine, nil
	}
	if err := d.charge(grown*f.slot(), i); err != nil {
		return 0, err
	}
	var elem reflect.Value
	if v.IsValid() {
		elem = extend(v, 1)
		elem = elem.Index(elem.Len() - 1)
	}
	return d.value(f.number, &f.value, elem, i, end, at)
}

// slot returns the bytes of an element in the slice itself.
func (f *field) slot() int64 {
	if f.value.pointer {
		return pointerSize
	}
	return f.value.size
}

// extend appends n zero elements to the slice v, and returns it.
func extend(v reflect.Value, n int) reflect.Value {
	old := v.Len()
	v.Grow(n)
	v.SetLen(old + n)
	for i := range n {
		v.Index(old + i).SetZero()
	}
	return v
}

// packed appends the numbers from i to end.
func (d *decoder) packed(t *value, v reflect.Value, i, end int) *Error {
	count := 0
	switch t.kind.Wire() {
	case pbwire.Fixed32Type:
		count = (end - i) / 4
	case pbwire.Fixed64Type:
		count = (end - i) / 8
	default:
		count = pbwire.CountVarints(d.b[i:end])
	}
	if err := d.charge(grown*t.size*int64(count), i); err != nil {
		return err
	}
	next := 0
	if v.IsValid() {
		next = v.Len()
		extend(v, count)
	}
	for ; i < end; next++ {
		x, n := consumeNumber(t.kind, d.b[i:end])
		if n < 0 {
			return failed(n, i)
		}
		var elem reflect.Value
		if v.IsValid() {
			elem = v.Index(next)
		}
		if err := t.store(elem, x, i); err != nil {
			return err
		}
		i += n
	}
	return nil
}
