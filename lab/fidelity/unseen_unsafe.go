package fidelity

import (
	"reflect"
	"unsafe"
)

// opened returns field i of a struct, exported or not, as a value whose methods may be called.
// reflect does not allow method calls on unexported fields, so without it a time.Time there could
// only be compared part by part.
func opened(v reflect.Value, i int) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	f := c.Field(i)
	// SAFETY: f lies in c, a copy that is kept alive by the pointer, and has its own type.
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
