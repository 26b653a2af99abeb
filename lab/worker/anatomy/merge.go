package anatomy

import (
	"reflect"

	"github.com/zmylab/zmy/lab/fidelity"
)

// Merged reports whether got differs from fresh only because the decoder's target held another
// value before. Decoders such as those of encoding/json and gob do not change parts of the target
// that the document does not mention: a map keeps its old keys, and a field its old value. So got
// must have every part of fresh that is neither zero nor empty.
func Merged(fresh, got any) bool {
	return fills(reflect.ValueOf(&fresh).Elem(), reflect.ValueOf(&got).Elem(), 0)
}

// mergeDepth bounds the walk through cycles.
const mergeDepth = 1000

func fills(fresh, got reflect.Value, depth int) bool {
	if fresh.IsZero() || depth > mergeDepth {
		return true
	}
	switch fresh.Kind() {
	case reflect.Interface:
		if got.IsNil() || fresh.Elem().Type() != got.Elem().Type() {
			return false
		}
		return fills(fresh.Elem(), got.Elem(), depth+1)
	case reflect.Pointer:
		return !got.IsNil() && fills(fresh.Elem(), got.Elem(), depth+1)
	case reflect.Map:
		for it := fresh.MapRange(); it.Next(); {
			v := got.MapIndex(it.Key())
			if !v.IsValid() || !fills(it.Value(), v, depth+1) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if fresh.Len() == 0 {
			return true
		}
		if fresh.Len() != got.Len() {
			return false
		}
		for i := range fresh.Len() {
			if !fills(fresh.Index(i), got.Index(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Struct:
		exported := false
		for i := range fresh.NumField() {
			if fresh.Type().Field(i).IsExported() {
				if exported = true; !fills(fresh.Field(i), got.Field(i), depth+1) {
					return false
				}
			}
		}
		if exported {
			return true
		}
	}
	if !fresh.CanInterface() || !got.CanInterface() {
		return true
	}
	return fidelity.Grade(fidelity.Compare(fresh.Interface(), got.Interface(), fidelity.Options{})) != fidelity.GradeLossy
}
