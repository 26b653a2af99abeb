package pbreflect

import (
	"reflect"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbvalue"
	"github.com/zmylab/zmy/internal/pbwire"
)

// wrapped merges a message that has the value t in its field 1. Other fields are dropped.
func (d *decoder) wrapped(t *value, v reflect.Value, i, end int, at frame) *Error {
	if at.left < 1 {
		return fail(pbwire.ErrDepth, i, "")
	}
	if v.IsValid() && t.kind == pbtype.Bytes && v.IsNil() {
		v.SetBytes([]byte{})
	}
	for i < end {
		num, wire, n := pbwire.ConsumeTag(d.b[i:end])
		if n < 0 {
			return failed(n, i)
		}
		start := i
		i += n
		if num == 1 && wire == t.kind.Wire() {
			var err *Error
			if i, err = d.value(num, t, v, i, end, frame{left: at.left - 1}); err != nil {
				return err
			}
			continue
		}
		if n = pbwire.ConsumeValue(num, wire, d.b[i:end], pbwire.MaxDepth); n < 0 {
			return failed(n, start)
		}
		i += n
	}
	return nil
}

// dynamic merges a message of any content into v.
func (d *decoder) dynamic(t *value, v reflect.Value, i, end int, at frame) *Error {
	m := &budget{d: d}
	x := pbvalue.Decoder{B: d.b, Budget: m, Store: v.IsValid()}
	var old any
	if v.IsValid() {
		old = Plain(t.kind, v)
	}
	out, ok := x.Merge(t.kind, old, i, end, at.left)
	switch {
	case x.Memory:
		return fail(ErrMemory, x.Offset, m.note)
	case !ok:
		return fail(x.Err, x.Offset, "")
	case v.IsValid() && out == nil:
		v.SetZero()
	case v.IsValid() && t.kind == pbtype.DynamicValue:
		v.Set(reflect.ValueOf(out))
	case v.IsValid():
		v.Set(reflect.ValueOf(out).Convert(v.Type()))
	}
	return nil
}

// budget is the decoder's budget for package pbvalue. note says why it is exceeded.
type budget struct {
	d    *decoder
	note string
}

func (m *budget) Charge(n int64) (exceeded bool) {
	if err := m.d.charge(n, 0); err != nil {
		m.note = err.Note
		return true
	}
	return false
}

func (m *budget) Aliases() bool { return m.d.opt.Alias }

func (m *budget) PlainText(b []byte) string {
	if m.d.opt.Alias {
		return alias(b)
	}
	return string(b)
}
