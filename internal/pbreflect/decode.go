package pbreflect

import (
	"fmt"
	"math"
	"reflect"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// Options directs Merge and Verify.
type Options struct {
	Alias          bool  // strings and bytes may share memory with the message
	DiscardUnknown bool  // unknown fields are not kept
	Depth          int   // levels of messages; the message itself is one
	Memory         int64 // bytes that may be charged
}

// Merge merges the message b into v, an addressable struct of the plan's type.
func (p *Plan) Merge(b []byte, v reflect.Value, o Options) *Error {
	d := decoder{b: b, opt: o, memory: o.Memory}
	_, err := d.message(p.root, v, 0, len(b), frame{left: o.Depth})
	return err
}

// Verify returns the error that Merge would return for the message b.
func (p *Plan) Verify(b []byte, o Options) *Error { return p.Merge(b, reflect.Value{}, o) }

// Clear sets all fields of v that messages carry to their zero values.
func (p *Plan) Clear(v reflect.Value) {
	for i := range p.root.fields {
		v.Field(p.root.fields[i].index).SetZero()
	}
	if p.root.unknown >= 0 {
		v.Field(p.root.unknown).SetZero()
	}
}

// Recycle is Clear, but keeps the memory of lists and maps.
func (p *Plan) Recycle(v reflect.Value) { p.root.recycle(v) }

func (m *message) recycle(v reflect.Value) {
	for i := range m.fields {
		f := &m.fields[i]
		switch x := v.Field(f.index); {
		case f.shape == pbtype.List:
			x.Set(x.Slice(0, 0))
		case f.shape == pbtype.Map:
			x.Clear()
		case f.value.message != nil && !f.value.pointer && f.arm == nil:
			f.value.message.recycle(x)
		default:
			x.SetZero()
		}
	}
	if m.unknown >= 0 {
		u := v.Field(m.unknown)
		u.Set(u.Slice(0, 0))
	}
}

// NOTE: indexes are those of the whole message b, and every part of it is given as the indexes
// where it starts and ends, so that errors have offsets. If a reflect.Value to store into is the
// zero Value, the decoder verifies.

// decoder reads one message.
type decoder struct {
	b      []byte
	opt    Options
	memory int64 // bytes that may still be charged
}

// frame says where in the nesting of messages the decoder is.
type frame struct {
	left   int   // levels of messages that are allowed below
	group  int32 // number of the group whose fields are read, 0 if they are not those of a group
	groups int   // groups around the current fields, without a length-delimited message between
}

// levels returns how many groups may be nested in an unknown group that starts here. protobuf-go
// counts them from the outermost group, which may be a known one.
func (f frame) levels() int { return pbwire.MaxDepth - f.groups }

// failed turns an error code of package pbwire into an error.
func failed(code, offset int) *Error { return fail(pbwire.Error(code), offset, "") }

// charge takes n bytes from the budget, at a value that starts at the given offset.
func (d *decoder) charge(n int64, offset int) *Error {
	if n > d.memory {
		note := fmt.Sprintf("need %d bytes, %d of %d are left; raise UnmarshalOptions.MaxMemory", n, d.memory, d.opt.Memory)
		return fail(ErrMemory, offset, note)
	}
	d.memory -= n
	return nil
}

// message merges the fields between i and end into v. For a group it stops after the group's end.
// It returns the index after the last byte that it read.
func (d *decoder) message(m *message, v reflect.Value, i, end int, at frame) (int, *Error) {
	first := i
	if at.left--; at.left < 0 {
		return 0, fail(pbwire.ErrDepth, i, "")
	}
	var last *field // the field before
	for i < end {
		start := i
		num, t, n := pbwire.ConsumeTag(d.b[i:end])
		if n < 0 {
			return 0, failed(n, start)
		}
		i += n
		if t == pbwire.EndGroupType && num == at.group {
			return i, nil
		}
		f := m.field(num)
		next, err := d.field(m, f, v, t, i, end, at, f == last)
		switch {
		case err != nil:
			if f.shape == pbtype.List && !f.value.kind.IsNumber() {
				err.element(d.count(num, first, start))
			}
			return 0, err.in(f.name)
		case next == notMine:
			if next, err = d.unknown(m, v, num, t, start, i, end, at); err != nil {
				return 0, err
			}
		default:
			last = f
		}
		i = next
	}
	if at.group != 0 {
		return 0, fail(pbwire.ErrTruncated, end, fmt.Sprintf("group %d has no end", at.group))
	}
	return i, nil
}

// count returns how many fields with number num there are from i to the start of the field at end.
func (d *decoder) count(num int32, i, end int) (count int) {
	for i < end {
		other, t, n := pbwire.ConsumeTag(d.b[i:end])
		i += n
		i += pbwire.ConsumeValue(other, t, d.b[i:end], pbwire.MaxDepth)
		if other == num {
			count++
		}
	}
	return count
}

// notMine is returned in place of an index for values that are kept as unknown fields.
const notMine = -1

// field reads a value of field f, whose tag ends at i. It returns notMine if f is nil or does not
// have wire type t. again says that the field before was f too.
func (d *decoder) field(m *message, f *field, v reflect.Value, t pbwire.Type, i, end int, at frame, again bool) (int, *Error) {
	if f == nil {
		return notMine, nil
	}
	x := v
	if v.IsValid() {
		x = v.Field(f.index)
	}
	switch f.shape {
	case pbtype.List:
		return d.list(f, x, t, i, end, at)
	case pbtype.Map:
		return d.mapping(f, x, t, i, end, at, again)
	}
	if t != f.value.kind.Wire() {
		return notMine, nil
	}
	if f.oneof >= 0 && v.IsValid() {
		m.clearOthers(v, f)
	}
	if f.arm != nil {
		return d.arm(f, x, i, end, at)
	}
	return d.single(f, x, i, end, at)
}

// arm merges one value into the interface v, which may hold the same arm already.
func (d *decoder) arm(f *field, v reflect.Value, i, end int, at frame) (int, *Error) {
	if err := d.charge(f.arm.size, i); err != nil {
		return 0, err
	}
	var held, x reflect.Value
	if v.IsValid() {
		held = f.arm.held(v)
		if x = held; f.arm.inner >= 0 {
			x = x.Field(f.arm.inner)
		}
	}
	next, err := d.value(f.number, &f.value, x, i, end, at)
	if v.IsValid() {
		if !f.arm.byValue {
			held = held.Addr()
		}
		v.Set(held)
	}
	return next, err
}

// held returns the struct that the interface v points to, a copy of the one that it holds, or a new one.
func (a *arm) held(v reflect.Value) reflect.Value {
	if v = v.Elem(); v.IsValid() && v.Type() == a.rt {
		x := reflect.New(a.rt).Elem()
		x.Set(v)
		return x
	}
	if v.IsValid() && a.is(v.Type()) && !v.IsNil() {
		return v.Elem()
	}
	return reflect.New(a.rt).Elem()
}

// clearOthers clears the other arms of the oneof that has the arm f.
func (m *message) clearOthers(v reflect.Value, f *field) {
	for _, index := range m.oneofs[f.oneof] {
		if index != f.index {
			v.Field(index).SetZero()
		}
	}
}

// unknown keeps the field from start to the end of its value, which begins at i.
func (d *decoder) unknown(m *message, v reflect.Value, num int32, t pbwire.Type, start, i, end int, at frame) (int, *Error) {
	n := pbwire.ConsumeValue(num, t, d.b[i:end], at.levels())
	if n < 0 {
		return 0, fail(pbwire.Error(n), start, fmt.Sprintf("field %d", num))
	}
	i += n
	if m.unknown < 0 || d.opt.DiscardUnknown {
		return i, nil
	}
	if err := d.charge(grown*int64(i-start), start); err != nil {
		return 0, err
	}
	if v.IsValid() {
		u := v.Field(m.unknown)
		u.SetBytes(append(u.Bytes(), d.b[start:i]...))
	}
	return i, nil
}

// consumeNumber reads the bits of a number of kind k.
func consumeNumber(k pbtype.Kind, b []byte) (x uint64, n int) {
	switch k.Wire() {
	case pbwire.Fixed32Type:
		y, n := pbwire.ConsumeFixed32(b)
		return uint64(y), n
	case pbwire.Fixed64Type:
		return pbwire.ConsumeFixed64(b)
	}
	return pbwire.ConsumeVarint(b)
}

// setNumber sets v to the number with bits x. Numbers of 32 bits are truncated.
func setNumber(k pbtype.Kind, v reflect.Value, x uint64) {
	switch k {
	case pbtype.Bool:
		v.SetBool(x != 0)
	case pbtype.Enum, pbtype.Int32, pbtype.Sfixed32, pbtype.Sint32, pbtype.Sint64, pbtype.Int64, pbtype.Sfixed64:
		v.SetInt(signed(k, x))
	case pbtype.Uint32, pbtype.Fixed32:
		v.SetUint(uint64(uint32(x)))
	case pbtype.Uint64, pbtype.Fixed64:
		v.SetUint(x)
	case pbtype.Float:
		v.SetFloat(float64(math.Float32frombits(uint32(x))))
	case pbtype.Double:
		v.SetFloat(math.Float64frombits(x))
	}
}

// signed returns the integer of a signed kind that has bits x. One of 32 bits is truncated.
func signed(k pbtype.Kind, x uint64) int64 {
	switch k {
	case pbtype.Sint32:
		return pbwire.UnZigZag(x & math.MaxUint32)
	case pbtype.Sint64:
		return pbwire.UnZigZag(x)
	case pbtype.Int64, pbtype.Sfixed64:
		return int64(x)
	}
	return int64(int32(x))
}
