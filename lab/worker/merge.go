package worker

import (
	"reflect"

	"github.com/zmylab/zmy/lab/fidelity"
)

// merged reports whether got is what a decoder makes of fresh's document in a target
// that held other values before, when it leaves alone what the document does not
// mention: a map keeps its keys, and what the document leaves out or empty stays as it
// was. encoding/json and gob work so. All that the document does hold must have come.
func merged(fresh, got any) bool {
	return fills(reflect.ValueOf(&fresh).Elem(), reflect.ValueOf(&got).Elem(), 0)
}

// mergeDepth ends cycles.
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
		if exported := exportedFields(fresh.Type()); len(exported) > 0 {
			for _, i := range exported {
				if !fills(fresh.Field(i), got.Field(i), depth+1) {
					return false
				}
			}
			return true
		}
	}
	if !fresh.CanInterface() || !got.CanInterface() {
		return true
	}
	return fidelity.Grade(fidelity.Compare(fresh.Interface(), got.Interface(), fidelity.Options{})) != fidelity.GradeLossy
}

func exportedFields(t reflect.Type) []int {
	var out []int
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			out = append(out, i)
		}
	}
	return out
}
