package anatomy

import "reflect"

// HasMap reports whether v contains a map with at least two entries.
func HasMap(v reflect.Value) (found bool) {
	walkValue(v, func(x reflect.Value) bool {
		found = found || x.Kind() == reflect.Map && x.Len() > 1
		return !found
	})
	return found
}

// Change applies set to all parts of v, also to values of maps, and reports whether set accepted
// any.
func Change(v reflect.Value, set func(reflect.Value) bool) (changed bool) {
	walkValue(v, func(x reflect.Value) bool {
		if set(x) {
			changed = true
			return false
		}
		if x.Kind() == reflect.Map && x.Len() > 0 {
			for _, k := range x.MapKeys() {
				elem := reflect.New(x.Type().Elem()).Elem()
				elem.Set(x.MapIndex(k))
				if Change(elem, set) {
					x.SetMapIndex(k, elem)
					changed = true
				}
			}
			return false
		}
		return true
	})
	return changed
}

// walkValue visits v and the exported parts below it. If visit returns false, it does not descend.
// It does not detect cycles, which decoders do not make.
func walkValue(v reflect.Value, visit func(reflect.Value) bool) {
	if !v.IsValid() || !visit(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkValue(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkValue(v.Field(i), visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k < reflect.Array || k == reflect.String {
			return
		}
		for i := range v.Len() {
			walkValue(v.Index(i), visit)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			walkValue(it.Value(), visit)
		}
	}
}

// Scramble zeroes all memory that v refers to by slices, maps and pointers.
func Scramble(v reflect.Value, depth int) {
	if depth > digestDepth {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			Scramble(v.Elem(), depth+1)
			if v.Elem().CanSet() {
				v.Elem().SetZero()
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			Scramble(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				Scramble(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			Scramble(v.Index(i), depth+1)
			if v.Index(i).CanSet() {
				v.Index(i).SetZero()
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			Scramble(v.Index(i), depth+1)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			Scramble(it.Value(), depth+1)
		}
		if v.CanInterface() {
			v.Clear()
		}
	}
}
