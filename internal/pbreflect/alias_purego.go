//go:build purego

package pbreflect

import "reflect"

// alias returns b as a string. Without package unsafe it must copy.
func alias(b []byte) string { return string(b) }

// Words returns the address of the type of v, and its value if that is a pointer, which is 0 for nil.
func Words(v any) (typ, value uintptr) {
	value = 1
	if x := reflect.ValueOf(v); x.Kind() == reflect.Pointer {
		value = x.Pointer()
	}
	return reflect.ValueOf(reflect.TypeOf(v)).Pointer(), value
}
