package anatomy

import "reflect"

// Two values share memory if both refer to the same slice, map or pointer target. A slice may also
// have spare capacity after its last element: if another value uses that memory, append overwrites
// it. The functions below write to all such places of one value. If another value changes too, the
// two share memory.

// Scramble zeroes all memory to which the value at p refers by slices, maps and pointers.
func Scramble(p any) { scramble(reflect.ValueOf(p).Elem(), 0) }

func scramble(v reflect.Value, depth int) {
	if depth > deepest {
		return
	}
	if !isFlat(v) {
		for part := range parts(v) { // first, since clearing v removes the way to them
			scramble(part, depth+1)
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().CanSet() {
			v.Elem().SetZero()
		}
	case reflect.Slice, reflect.Map:
		if v.CanInterface() {
			v.Clear()
		}
	}
}

// slicesIn calls visit with each slice in the value at p that is not nil, outer slices first.
func slicesIn(p any, visit func(s reflect.Value)) {
	walk(reflect.ValueOf(p).Elem(), 0, func(x reflect.Value) bool {
		if x.Kind() == reflect.Slice && !x.IsNil() {
			visit(x)
		}
		return true
	})
}

// spareMost is the largest number of elements that spareOf returns.
const spareMost = 64

// spareOf returns the spare capacity of s.
func spareOf(s reflect.Value) reflect.Value { return s.Slice(s.Len(), min(s.Cap(), s.Len()+spareMost)) }

// Overrun writes to the spare capacity of each slice in the value at p, as append would.
func Overrun(p any) {
	slicesIn(p, func(s reflect.Value) {
		for e := range parts(spareOf(s)) {
			if e.Kind() == reflect.Uint8 {
				e.SetUint(e.Uint() ^ 0xff)
			} else {
				e.SetZero()
			}
		}
	})
}

// Roomy gives every settable slice in the value at p spare capacity, filled with copies of its last
// element, and returns that spare capacity.
func Roomy(p any) (rooms []reflect.Value) {
	slicesIn(p, func(s reflect.Value) {
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
