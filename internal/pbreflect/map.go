package pbreflect

import (
	"reflect"
	"time"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbvalue"
	"github.com/zmylab/zmy/internal/pbwire"
)

// The field numbers of the entries of maps.
const (
	entryKey   = 1
	entryValue = 2
)

// chargeEntry charges the budget for an entry of a map. more says that another entry came just
// before it.
func (d *decoder) chargeEntry(f *field, i int, more bool) *Error {
	return d.charge(pbvalue.EntryCost(f.pair, more), i)
}

// mapping stores one entry of a map.
func (d *decoder) mapping(f *field, v reflect.Value, t pbwire.Type, i, end int, at frame, more bool) (int, *Error) {
	if at.left--; at.left < 0 {
		return 0, fail(pbwire.ErrDepth, i, "")
	}
	if t != pbwire.BytesType {
		return notMine, nil
	}
	content, n := pbwire.ConsumeBytes(d.b[i:end])
	if n < 0 {
		return 0, failed(n, i)
	}
	if err := d.chargeEntry(f, i, more); err != nil {
		return 0, err
	}
	var key, val reflect.Value
	if v.IsValid() {
		key, val = reflect.New(f.key.rt).Elem(), f.newValue(v.Type().Elem())
	}
	i += n
	if err := d.entry(f, key, val, i-len(content), i, frame{left: at.left}); err != nil {
		return 0, err
	}
	if v.IsValid() {
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		v.SetMapIndex(key, val)
	}
	return i, nil
}

// newValue returns the value of an entry without one: the default of its kind, which for messages
// is an empty one.
func (f *field) newValue(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case f.value.pointer:
		v.Set(reflect.New(f.value.rt))
	case f.value.kind == pbtype.Timestamp:
		v.Set(reflect.ValueOf(time.Unix(0, 0).UTC()))
	}
	return v
}

// entry reads the key and the value of an entry from i to end. Both may be missing, and occur in
// any order and more than once. Other fields are dropped.
func (d *decoder) entry(f *field, key, val reflect.Value, i, end int, at frame) *Error {
	if f.value.pointer {
		// A message of its own, even if the entry has none.
		if err := d.charge(f.value.size, i); err != nil {
			return err
		}
	}
	for i < end {
		start := i
		num, t, n := pbwire.ConsumeTag(d.b[i:end])
		if n < 0 {
			return failed(n, start)
		}
		i += n
		var err *Error
		switch {
		case num == entryKey && t == f.key.kind.Wire():
			if i, err = d.value(num, &f.key, key, i, end, at); err != nil {
				return err.in("key")
			}
		case num == entryValue && t == f.value.kind.Wire():
			if i, err = d.value(num, &f.value, val, i, end, at); err != nil {
				return err.in("value")
			}
		default:
			if n = pbwire.ConsumeValue(num, t, d.b[i:end], pbwire.MaxDepth); n < 0 {
				return failed(n, start)
			}
			i += n
		}
	}
	return nil
}
