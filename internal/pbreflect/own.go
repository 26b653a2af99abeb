package pbreflect

import (
	"encoding"
	"reflect"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// Written returns what the method of v writes, for a value of kind Text or Binary.
func Written(k pbtype.Kind, v reflect.Value) ([]byte, error) {
	p := v
	if v.CanAddr() {
		p = v.Addr()
	} else {
		p = reflect.New(v.Type())
		p.Elem().Set(v)
	}
	if k == pbtype.Text {
		return p.Interface().(encoding.TextMarshaler).MarshalText()
	}
	return p.Interface().(encoding.BinaryMarshaler).MarshalBinary()
}

// own appends a value with methods of its own. The caller drops one without content if its field has no
// presence.
func (e *encoder) own(t *value, v reflect.Value) *Error {
	s, err := Written(t.kind, v)
	switch {
	case err != nil:
		return fail(err, 0, "")
	case t.kind == pbtype.Text && !utf8.Valid(s):
		return fail(ErrUTF8, 0, "use option binary")
	}
	e.b = pbwire.AppendBytes(e.b, s)
	return nil
}

// own sets v to the value that its own method reads from the bytes from i to end. No bytes at all are the
// zero value. To verify is to read, too.
func (d *decoder) own(t *value, v reflect.Value, i, end int) *Error {
	if t.kind == pbtype.Text && !utf8.Valid(d.b[i:end]) {
		return fail(ErrUTF8, i, "use option binary")
	}
	if err := d.charge(int64(end-i), i); err != nil {
		return err
	}
	x := reflect.New(t.rt)
	if i < end {
		if err := Read(t.kind, x.Interface(), d.b[i:end]); err != nil {
			return fail(err, i, "")
		}
	}
	if v.IsValid() {
		v.Set(x.Elem())
	}
	return nil
}

// Read lets the method of to, a pointer, read b.
func Read(k pbtype.Kind, to any, b []byte) error {
	if k == pbtype.Text {
		return to.(encoding.TextUnmarshaler).UnmarshalText(b)
	}
	return to.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
}
