package anatomy

import "reflect"

// A slice may have spare capacity after its last element. If another value uses that memory, append
// overwrites it.

// slicesIn calls visit with each non-nil slice in v, and then with the slices inside it.
func slicesIn(v reflect.Value, depth int, visit func(s reflect.Value)) {
	if depth > digestDepth {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			slicesIn(v.Elem(), depth+1, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				slicesIn(v.Field(i), depth+1, visit)
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		if visit(v); isFlat(v.Type().Elem()) {
			return
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			slicesIn(v.Index(i), depth+1, visit)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			slicesIn(it.Value(), depth+1, visit)
		}
	}
}

// isFlat reports whether t is a basic type.
func isFlat(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// spareMost bounds the elements of spare capacity that are used.
const spareMost = 64

// spareOf returns the spare capacity of s.
func spareOf(s reflect.Value) reflect.Value { return s.Slice(s.Len(), min(s.Cap(), s.Len()+spareMost)) }

// Overrun writes to the spare capacity of each slice in v, as append would.
func Overrun(v reflect.Value) {
	slicesIn(v, 0, func(s reflect.Value) {
		room := spareOf(s)
		for i := range room.Len() {
			switch e := room.Index(i); {
			case e.Kind() == reflect.Uint8:
				e.SetUint(e.Uint() ^ 0xff)
			default:
				e.SetZero()
			}
		}
	})
}

// Roomy gives every settable slice in v spare capacity, filled with copies of its last element, and
// returns that spare capacity.
func Roomy(v reflect.Value) (rooms []reflect.Value) {
	slicesIn(v, 0, func(s reflect.Value) {
		n := s.Len()
		if n == 0 || !s.CanSet() {
			return
		}
		all := reflect.MakeSlice(s.Type(), n+2, n+2)
		reflect.Copy(all, s)
		for i := n; i < all.Len(); i++ {
			all.Index(i).Set(s.Index(n - 1))
		}
		s.Set(all.Slice(0, n))
		rooms = append(rooms, spareOf(s))
	})
	return rooms
}
