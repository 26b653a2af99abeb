package values

import (
	"reflect"
	"strconv"
)

// constant sets v, in nine of ten draws, to one of the declared constants of its type. It returns
// false if it did not: the draw said no, there are none, or methods of the type do not carry the
// constant.
func (f *filler) constant(v reflect.Value) bool {
	if k := v.Kind(); len(f.named) == 0 || k != reflect.String && !v.CanInt() && !v.CanUint() {
		return false
	}
	t := v.Type()
	if t.PkgPath() == "" || !v.CanSet() {
		return false
	}
	list := f.named[t.PkgPath()+"."+t.Name()]
	if len(list) == 0 || !f.chance(90) {
		return false
	}
	text := pick(f.r, list)
	switch {
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.CanInt():
		n, err := strconv.ParseInt(text, 10, t.Bits())
		if err != nil {
			return false
		}
		v.SetInt(n)
	case v.CanUint():
		n, err := strconv.ParseUint(text, 10, t.Bits())
		if err != nil {
			return false
		}
		v.SetUint(n)
	}
	if p := reflect.PointerTo(t); spellsItself(t) && !respells(v) ||
		(p.Implements(jsonWriter) || p.Implements(textWriter)) && !writes(v) {
		v.SetZero()
		return false
	}
	return true
}
