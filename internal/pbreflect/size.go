package pbreflect

import (
	"reflect"
	"time"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbvalue"
	"github.com/zmylab/zmy/internal/pbwire"
)

// Size returns the number of bytes that Append appends for v, a struct of the plan's type. It does
// not look for errors other than nesting without end.
func (p *Plan) Size(v reflect.Value) (int, *Error) {
	var s sizer
	n := s.message(p.root, v, pbwire.MaxDepth)
	return n, s.err
}

// sizer computes lengths. err is the first error, after which lengths are meaningless.
type sizer struct{ err *Error }

func (s *sizer) message(m *message, v reflect.Value, left int) (n int) {
	if left--; left < 0 {
		s.err = fail(pbwire.ErrDepth, 0, "does the value contain itself?")
	}
	if s.err != nil {
		return 0
	}
	for i := range m.fields {
		f := &m.fields[i]
		switch x := v.Field(f.index); f.shape {
		case pbtype.Single:
			n += s.single(f, x, left)
		case pbtype.List:
			n += s.list(f, x, left)
		case pbtype.Map:
			n += s.mapping(f, x, left)
		}
	}
	if m.unknown >= 0 {
		n += v.Field(m.unknown).Len()
	}
	return n
}

func (s *sizer) single(f *field, v reflect.Value, left int) int {
	if f.arm != nil {
		v, ok := f.arm.in(v)
		if !ok {
			return 0
		}
		return s.tagged(f.number, &f.value, v, left)
	}
	if f.absent(v) {
		return 0
	}
	n := s.tagged(f.number, &f.value, v, left)
	if f.dropsEmpty() && n == f.emptySize() {
		return 0
	}
	return n
}

// tagged returns the length of a value and its tag.
func (s *sizer) tagged(number int32, t *value, v reflect.Value, left int) int {
	n := pbwire.SizeTag(number)
	if t.message == nil {
		if t.pointer {
			v = v.Elem()
		}
		switch {
		case t.kind == pbtype.Wrapper && IsZero(v):
			return n + 1
		case t.kind == pbtype.Wrapper:
			return n + pbwire.SizeBytes(1+t.inner.sizeOf(v))
		case t.kind.IsDynamic():
			content := pbvalue.Size(t.kind, Plain(t.kind, v), left)
			if content < 0 {
				s.err = fail(pbwire.ErrDepth, 0, "does the value contain itself?")
			}
			return n + pbwire.SizeBytes(content)
		}
		return n + t.sizeOf(v)
	}
	content := 0
	if t.pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct {
		content = s.message(t.message, v, left)
	}
	if t.kind == pbtype.Group {
		return 2*n + content
	}
	return n + pbwire.SizeBytes(content)
}

// sizeOf returns the length of a value that is no struct.
func (t *value) sizeOf(v reflect.Value) int {
	switch t.kind {
	case pbtype.String:
		return pbwire.SizeBytes(v.Len())
	case pbtype.Bytes:
		return pbwire.SizeBytes(v.Len())
	case pbtype.Text, pbtype.Binary:
		s, _ := Written(t.kind, v)
		return pbwire.SizeBytes(len(s))
	case pbtype.Timestamp:
		x := v.Interface().(time.Time)
		return 1 + sizeKnown(x.Unix(), int64(x.Nanosecond()))
	case pbtype.Duration:
		return 1 + sizeKnown(v.Int()/1e9, v.Int()%1e9)
	}
	return sizeNumber(t.kind, v)
}

// sizeKnown returns the length of the content of a Timestamp or a Duration.
func sizeKnown(seconds, nanos int64) (n int) {
	if seconds != 0 {
		n += 1 + pbwire.SizeVarint(uint64(seconds))
	}
	if nanos != 0 {
		n += 1 + pbwire.SizeVarint(uint64(nanos))
	}
	return n
}

func sizeNumber(k pbtype.Kind, v reflect.Value) int {
	switch k.Wire() {
	case pbwire.Fixed32Type:
		return 4
	case pbwire.Fixed64Type:
		return 8
	}
	return pbwire.SizeVarint(bitsOf(k, v))
}

func (s *sizer) list(f *field, v reflect.Value, left int) (n int) {
	count := v.Len()
	if !f.packed {
		for i := range count {
			n += s.tagged(f.number, &f.value, v.Index(i), left)
		}
		return n
	}
	if count == 0 {
		return 0
	}
	for i := range count {
		n += sizeNumber(f.value.kind, v.Index(i))
	}
	return pbwire.SizeTag(f.number) + pbwire.SizeBytes(n)
}

func (s *sizer) mapping(f *field, v reflect.Value, left int) (n int) {
	for entry := v.MapRange(); entry.Next(); {
		content := s.tagged(entryKey, &f.key, entry.Key(), left-1) + s.tagged(entryValue, &f.value, entry.Value(), left-1)
		n += pbwire.SizeTag(f.number) + pbwire.SizeBytes(content)
	}
	return n
}
