package pbvalue

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// The memory in bytes of the parts of values, for the budget.
const (
	slotSize  = 16      // an any, or a string
	boxSize   = 16      // a value in an any
	entrySize = 16 + 16 // a key and an any
)

// A Decoder reads values from the message B.
type Decoder struct {
	B      []byte
	Budget Budget
	Store  bool // without it, nothing is stored

	Err    error
	Offset int  // of the error, in bytes from the start of B
	Memory bool // the error is that the budget is exceeded
}

func (d *Decoder) fail(err error, offset int) bool {
	d.Err, d.Offset = err, offset
	return false
}

func (d *Decoder) charge(n int64, offset int) bool {
	if d.Budget.Charge(n) {
		d.Memory, d.Offset = true, offset
		return false
	}
	return true
}

// Merge merges the message of kind k from i to end into x, and returns the result. left is how many levels
// of messages are allowed. It reports false if the message is refused.
func (d *Decoder) Merge(k pbtype.Kind, x any, i, end, left int) (any, bool) {
	switch k {
	case pbtype.DynamicStruct:
		old, _ := x.(map[string]any)
		return d.Object(old, i, end, left)
	case pbtype.DynamicList:
		old, _ := x.([]any)
		return d.List(old, i, end, left)
	}
	return d.value(x, i, end, left)
}

// field reads a tag, and the bounds of the value if it has a length. next is where the field ends.
func (d *Decoder) field(i, end int) (num int32, t pbwire.Type, from, next int, ok bool) {
	num, t, n := pbwire.ConsumeTag(d.B[i:end])
	if n < 0 {
		return 0, 0, 0, 0, d.fail(pbwire.Error(n), i)
	}
	from = i + n
	n = pbwire.ConsumeValue(num, t, d.B[from:end], pbwire.MaxDepth)
	if n < 0 {
		return 0, 0, 0, 0, d.fail(pbwire.Error(n), i)
	}
	next = from + n
	if t == pbwire.BytesType {
		content, _ := pbwire.ConsumeBytes(d.B[from:next])
		from = next - len(content)
	}
	return num, t, from, next, true
}

func (d *Decoder) deep(left, offset int) bool {
	if left < 0 {
		d.fail(pbwire.ErrDepth, offset)
	}
	return left < 0
}

func (d *Decoder) value(x any, i, end, left int) (any, bool) {
	if left--; d.deep(left, i) {
		return nil, false
	}
	for i < end {
		num, t, from, next, ok := d.field(i, end)
		if !ok {
			return nil, false
		}
		if tag := byte(num<<3) | byte(t); num < 7 {
			if x, ok = d.kind(tag, x, from, next, left); !ok {
				return nil, false
			}
		}
		i = next
	}
	return x, true
}

// kind reads the field of a Value with the given tag. Other fields do not change x.
func (d *Decoder) kind(tag byte, x any, i, end, left int) (any, bool) {
	switch tag {
	case tagNull:
		return nil, true
	case tagBool:
		v, _ := pbwire.ConsumeVarint(d.B[i:end])
		return v != 0, true
	case tagNumber:
		if !d.charge(boxSize, i) {
			return nil, false
		}
		v, _ := pbwire.ConsumeFixed64(d.B[i:end])
		return math.Float64frombits(v), true
	case tagString:
		s, ok := d.text(i, end)
		return s, ok && d.charge(boxSize, i)
	case tagStruct:
		old, _ := x.(map[string]any)
		return d.Object(old, i, end, left)
	case tagList:
		old, _ := x.([]any)
		v, ok := d.List(old, i, end, left)
		return v, ok && d.charge(boxSize+slotSize, i)
	}
	return x, true
}

func (d *Decoder) text(i, end int) (string, bool) {
	if !utf8.Valid(d.B[i:end]) {
		return "", d.fail(ErrUTF8, i)
	}
	if !d.Budget.Aliases() && !d.charge(int64(end-i), i) {
		return "", false
	}
	if !d.Store {
		return "", true
	}
	return d.Budget.PlainText(d.B[i:end]), true
}

// Object is Merge for a Struct.
func (d *Decoder) Object(m map[string]any, i, end, left int) (map[string]any, bool) {
	if left--; d.deep(left, i) {
		return nil, false
	}
	if !d.charge(EntryCost(entrySize, true), i) { // the map itself
		return nil, false
	}
	if m == nil && d.Store {
		m = map[string]any{}
	}
	for more := false; i < end; {
		num, t, from, next, ok := d.field(i, end)
		if !ok {
			return nil, false
		}
		if num == 1 && d.deep(left-1, i) {
			return nil, false
		}
		if num == 1 && t == pbwire.BytesType {
			if !d.charge(EntryCost(entrySize, more), i) || !d.entry(m, from, next, left-1) {
				return nil, false
			}
			more = true
		}
		i = next
	}
	return m, true
}

func (d *Decoder) entry(m map[string]any, i, end, left int) bool {
	var key string
	var val any
	for i < end {
		num, t, from, next, ok := d.field(i, end)
		switch {
		case !ok:
			return false
		case num == 1 && t == pbwire.BytesType:
			key, ok = d.text(from, next)
		case num == 2 && t == pbwire.BytesType:
			val, ok = d.value(val, from, next, left)
		}
		if !ok {
			return false
		}
		i = next
	}
	if d.Store {
		m[key] = val
	}
	return true
}

// List is Merge for a ListValue.
func (d *Decoder) List(list []any, i, end, left int) ([]any, bool) {
	if left--; d.deep(left, i) {
		return nil, false
	}
	if list == nil && d.Store {
		list = []any{}
	}
	for i < end {
		num, t, from, next, ok := d.field(i, end)
		if !ok {
			return nil, false
		}
		if num == 1 && t == pbwire.BytesType {
			if !d.charge(2*slotSize, i) {
				return nil, false
			}
			x, ok := d.value(nil, from, next, left)
			if !ok {
				return nil, false
			}
			if d.Store {
				list = append(slices.Grow(list, 1), x)
			}
		}
		i = next
	}
	return list, true
}
