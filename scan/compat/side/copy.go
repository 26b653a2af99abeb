package side

import "reflect"

// Copy returns a copy of a value that shares nothing with it which Cut could change. Unexported
// fields are copied as they are.
func Copy[T any](v *T) *T {
	out := new(T)
	*out = *v
	detach(reflect.ValueOf(out).Elem(), 0)
	return out
}

// detach replaces what v refers to by copies.
func detach(v reflect.Value, depth int) {
	if depth > deepest || !v.CanSet() && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem() != locationType {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			detach(c.Elem(), depth+1)
			v.Set(c)
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(detached(v.Elem(), depth))
		}
	case reflect.Slice:
		if !v.IsNil() {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			for i := range c.Len() {
				detach(c.Index(i), depth+1)
			}
			v.Set(c)
		}
	case reflect.Array:
		for i := range v.Len() {
			detach(v.Index(i), depth+1)
		}
	case reflect.Map:
		if !v.IsNil() {
			c := reflect.MakeMapWithSize(v.Type(), v.Len())
			for it := v.MapRange(); it.Next(); {
				c.SetMapIndex(it.Key(), detached(it.Value(), depth))
			}
			v.Set(c)
		}
	case reflect.Struct:
		if v.Type() == timeType {
			return
		}
		for i := range v.NumField() {
			detach(v.Field(i), depth+1)
		}
	}
}

// detached returns a copy of a value that cannot be set in place.
func detached(v reflect.Value, depth int) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	detach(c, depth+1)
	return c
}
