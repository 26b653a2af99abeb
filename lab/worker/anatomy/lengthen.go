package anatomy

import "reflect"

// Lengthen makes plain strings and byte slices in the value at p n bytes long. In each list it does
// so in the first four elements and the last. In each map it does so in four elements and, if the
// keys are strings, adds one entry with a key of n bytes.
func Lengthen(p any, n int) { lengthen(reflect.ValueOf(p).Elem(), n, 0) }

func lengthen(v reflect.Value, n, depth int) {
	if depth > deepest || ownForm(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			lengthen(v.Elem(), n, depth+1)
		}
	case reflect.Interface:
		if x, ok := lengthened(v.Elem(), n, depth); ok && v.CanSet() {
			v.Set(x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				lengthen(v.Field(i), n, depth+1)
			}
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(string(letters(n)))
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Kind() == reflect.Slice && v.CanSet() && !ownForm(v.Type().Elem()) {
				v.SetBytes(letters(n))
			}
			return
		}
		for i := range v.Len() {
			if i < 4 || i == v.Len()-1 {
				lengthen(v.Index(i), n, depth+1)
			}
		}
	case reflect.Map:
		lengthenMap(v, n, depth)
	}
}

// lengthened returns a copy of x whose strings are longer; x comes from an interface or a map. It
// returns false if x is not valid.
func lengthened(x reflect.Value, n, depth int) (reflect.Value, bool) {
	if !x.IsValid() {
		return x, false
	}
	c := copyOf(x)
	lengthen(c, n, depth+1)
	return c, true
}

// lengthenMap lengthens a few elements of a map, and adds one of them under a long key.
func lengthenMap(m reflect.Value, n, depth int) {
	if m.IsNil() || !m.CanInterface() {
		return
	}
	for i, k := range m.MapKeys() {
		if i == 4 {
			break
		}
		x, _ := lengthened(m.MapIndex(k), n, depth)
		m.SetMapIndex(k, x)
		if k.Kind() == reflect.String && i == 0 && !ownForm(k.Type()) {
			m.SetMapIndex(reflect.ValueOf(string(letters(n))).Convert(k.Type()), x)
		}
	}
}

func letters(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(i*7%26)
	}
	return b
}
