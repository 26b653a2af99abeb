package protojson

import (
	"reflect"

	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

// arm says which values of an interface are an arm of a oneof, as pbtype.Arm has it.
type arm struct {
	rt      reflect.Type // the struct
	byValue bool         // decoders store the struct itself
	inner   int          // index of the struct's field that has the arm's value, -1 if the struct is the value
	size    int64        // bytes of the struct in memory
}

func armOf(from *pbtype.Arm[reflect.Type, pbreflect.Field]) *arm {
	a := &arm{rt: from.Type, byValue: from.Value, inner: -1, size: int64(from.Type.Size())}
	if from.Inner != nil {
		a.inner = from.Inner.Of.Index
	}
	return a
}

// is reports whether values of type t are the arm.
func (a *arm) is(t reflect.Type) bool {
	return t == a.rt || t.Kind() == reflect.Pointer && t.Elem() == a.rt
}

// in returns the arm's value within an interface, or false if the interface does not hold this arm.
func (a *arm) in(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() || !a.is(v.Elem().Type()) {
		return v, false
	}
	if v = v.Elem(); v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, false
		}
		v = v.Elem()
	}
	if a.inner >= 0 {
		v = v.Field(a.inner)
	}
	return v, true
}

// isArm refuses an interface in the struct v that holds a type which is no arm.
func (m *message) isArm(h *holder, v reflect.Value) *failure {
	x := v.Field(h.index)
	if x.IsNil() {
		return nil
	}
	for i := range m.fields {
		if f := &m.fields[i]; f.oneof == h.oneof && f.arm.is(x.Elem().Type()) {
			return nil
		}
	}
	return fail(ErrArm, 0, x.Elem().Type().String()).in(h.name)
}

// arm reads the value at i of an arm into the interface v.
func (d *decoder) arm(f *field, v reflect.Value, i, left int) (int, *failure) {
	if bad := d.charge(f.arm.size, i); bad != nil {
		return 0, bad
	}
	x := reflect.New(f.arm.rt)
	content := x.Elem()
	if f.arm.inner >= 0 {
		content = content.Field(f.arm.inner)
	}
	i, set, bad := d.value(&f.value, content, i, left)
	switch {
	case bad != nil || !set:
	case f.arm.byValue:
		v.Set(x.Elem())
	default:
		v.Set(x)
	}
	return i, bad
}
