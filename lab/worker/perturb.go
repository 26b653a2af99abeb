package worker

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"
)

// perturb changes one number or, where there is none, one letter or digit of a string in
// every struct below v, and keeps all lengths: the value is as much work as before, and one
// that nobody has seen. It reports whether anything changed.
func perturb(v reflect.Value, r *rand.Rand) bool { return perturbDeep(v, r, 0) }

func perturbDeep(v reflect.Value, r *rand.Rand, depth int) (changed bool) {
	if depth > digestDepth {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && perturbDeep(v.Elem(), r, depth+1)
	case reflect.Interface:
		return !v.IsNil() && perturbDeep(v.Elem(), r, depth+1)
	case reflect.Struct:
		return perturbStruct(v, r, depth)
	case reflect.Slice, reflect.Array:
		return perturbList(v, r, depth)
	case reflect.Map:
		for _, k := range v.MapKeys() {
			elem := reflect.New(v.Type().Elem()).Elem()
			elem.Set(v.MapIndex(k))
			if perturbDeep(elem, r, depth+1) || !changed && perturbLeaf(elem, r) {
				v.SetMapIndex(k, elem)
				changed = true
			}
		}
	default:
		return depth == 0 && perturbLeaf(v, r)
	}
	return changed
}

func perturbList(v reflect.Value, r *rand.Rand, depth int) (changed bool) {
	if k := v.Type().Elem().Kind(); k < reflect.Array || k == reflect.String {
		return depth == 0 && v.Len() > 0 && perturbLeaf(v.Index(r.IntN(v.Len())), r)
	}
	for i := range v.Len() {
		changed = perturbDeep(v.Index(i), r, depth+1) || changed
	}
	return changed
}

func perturbStruct(v reflect.Value, r *rand.Rand, depth int) (changed bool) {
	if ownForm(v.Type()) {
		return false
	}
	var numbers, strings []reflect.Value
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		f := v.Field(i)
		switch k := f.Kind(); {
		case k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr:
			numbers = append(numbers, f)
		case k == reflect.String:
			strings = append(strings, f)
		default:
			changed = perturbDeep(f, r, depth+1) || changed
		}
	}
	for _, leaves := range [][]reflect.Value{numbers, strings} {
		for _, i := range r.Perm(len(leaves)) {
			if perturbLeaf(leaves[i], r) {
				return true
			}
		}
	}
	return changed
}

// ownForm reports types that write themselves: any other content may be none to them.
func ownForm(t reflect.Type) bool {
	if t == typeOfTime {
		return true
	}
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		for _, name := range []string{"MarshalJSON", "MarshalText", "MarshalBinary", "GobEncode"} {
			if _, ok := t.MethodByName(name); ok {
				return true
			}
		}
	}
	return false
}

var typeOfDuration = reflect.TypeFor[time.Duration]()

// perturbLeaf changes a number or string of a plain type.
func perturbLeaf(v reflect.Value, r *rand.Rand) bool {
	if !v.CanSet() || ownForm(v.Type()) && v.Type() != typeOfDuration {
		return false
	}
	switch {
	case v.CanInt():
		n := v.Int()
		to := n ^ 1 // as many digits, and a sign of the same kind
		if n == 0 || n == -1 || v.OverflowInt(to) {
			return false
		}
		v.SetInt(to)
	case v.CanUint():
		if v.Uint() == 0 {
			return false
		}
		v.SetUint(v.Uint() ^ 1)
	case v.CanFloat():
		f, ok := otherDigit(v.Float(), v.Type().Bits(), r)
		if !ok {
			return false
		}
		v.SetFloat(f)
	case v.Kind() == reflect.String:
		s, ok := otherLetter(v.String(), r)
		if !ok {
			return false
		}
		v.SetString(s)
	default:
		return false
	}
	return true
}

// otherDigit is a number whose shortest decimal form has as many digits.
func otherDigit(f float64, bits int, r *rand.Rand) (float64, bool) {
	if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	text := []byte(strconv.FormatFloat(f, 'e', -1, bits))
	for i, c := range text {
		if i > 0 && text[i-1] >= '1' && text[i-1] <= '9' && (c == 'e' || c == '.') {
			text[i-1] = '1' + (text[i-1]-'1'+1+byte(r.IntN(8)))%9
			break
		}
	}
	g, err := strconv.ParseFloat(string(text), bits)
	return g, err == nil && g != f
}

// otherLetter changes one ASCII letter or digit into another.
func otherLetter(s string, r *rand.Rand) (string, bool) {
	if s == "" {
		return s, false
	}
	b, from := []byte(s), r.IntN(len(s))
	for n := range b {
		i := (from + n) % len(b)
		for _, class := range []struct{ lo, hi byte }{{'a', 'z'}, {'A', 'Z'}, {'1', '9'}} {
			if c := b[i]; c >= class.lo && c <= class.hi {
				size := class.hi - class.lo + 1
				b[i] = class.lo + (c-class.lo+1+byte(r.IntN(int(size)-1)))%size
				return string(b), true
			}
		}
	}
	return s, false
}
