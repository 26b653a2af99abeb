package fidelity

import (
	"reflect"
	"unsafe"
)

// opened returns field i of a struct, exported or not, as a value whose methods may be called.
// reflect does not allow method calls on unexported fields, so without opened a time.Time there
// could only be compared part by part.
func opened(v reflect.Value, i int) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	f := c.Field(i)
	// SAFETY: the pointer has the type of f, and keeps alive the copy c in which f lies.
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
