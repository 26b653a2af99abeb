package zmyreflect

import "github.com/zmylab/zmy/wire"

// putFixed sets the first bytes of x from the variable v. The offset of its errors has no meaning.
func (t *typ) putFixed(x []byte, v ref) *wire.Error {
	ok := true
	switch t.form {
	case formPlain, formBool:
		v.putPlain(t, x[:t.size])
	case formTime:
		ok = wire.PutTime(x, *v.time())
	case formZone:
		ok = wire.PutZoneTime(x, *v.time())
	case formNano:
		ok = wire.PutUnixNano(x, *v.time())
	case formArray:
		for i := range t.size / t.elem.size {
			if err := t.elem.putFixed(x[i*t.elem.size:], v.index(t, i)); err != nil {
				return err
			}
		}
	case formInline:
		for i := range t.fields {
			f := &t.fields[i]
			if err := f.typ.putFixed(x[f.off:], v.field(f)); err != nil {
				return err.In(f.name, 0)
			}
		}
	}
	if !ok {
		return wire.Fail(wire.ErrDomain, 0)
	}
	return nil
}

// getFixed sets the variable v from the first bytes of x. The path of its errors does not name
// elements of arrays.
func (t *typ) getFixed(x []byte, v ref) *wire.Error {
	ok := true
	switch t.form {
	case formPlain:
		v.getPlain(t, x[:t.size])
	case formBool:
		if ok = wire.BoolsOK(x[:t.size]); ok {
			v.getPlain(t, x[:t.size])
		}
	case formTime:
		*v.time(), ok = wire.Time(x)
	case formZone:
		*v.time(), ok = wire.ZoneTime(x)
	case formNano:
		*v.time() = wire.UnixNano(x)
	case formArray:
		for i := range t.size / t.elem.size {
			if err := t.elem.getFixed(x[i*t.elem.size:], v.index(t, i)); err != nil {
				return err
			}
		}
	case formInline:
		if t.skips {
			v.setZero(t)
		}
		for i := range t.fields {
			f := &t.fields[i]
			if err := f.typ.getFixed(x[f.off:], v.field(f)); err != nil {
				return err.In(f.name, f.off)
			}
		}
	}
	if !ok {
		return wire.Fail(wire.ErrDomain, 0)
	}
	return nil
}
