package anatomy

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Perturb changes the value at v and keeps all lengths. The changed value takes as much work to
// encode, but the codec has not seen it. Perturb reports whether anything changed.
func Perturb(v any, r *rand.Rand, how Much) bool {
	p := perturber{r, how}
	return p.all(reflect.ValueOf(v).Elem(), 0)
}

// Much says how much is changed.
type Much int

const (
	// OnePart changes one number, time or string in every struct, list and map. A codec that
	// recognises a value by some of its parts will take it for the old one.
	OnePart Much = iota
	// EveryPart changes every number, time and long string, and one of the short strings in every
	// struct, list and map. A codec that caches parts of values then gains nothing, or a little if
	// it caches the few short words of a type.
	EveryPart
)

// longText is the least length in bytes of a string that is not counted as a short word.
const longText = 32

type perturber struct {
	r   *rand.Rand
	how Much
}

// leaf reports whether v is a leaf. Of the leaves in one struct, list or map, Perturb changes only
// one; it changes all other parts.
func (p *perturber) leaf(v reflect.Value) bool {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if p.how == EveryPart {
		return v.Kind() == reflect.String && v.Len() < longText
	}
	return v.Kind() < reflect.Array || v.Kind() == reflect.String || v.Type() == typeOfTime
}

// all changes the parts of v, or v itself if it is a plain value.
func (p *perturber) all(v reflect.Value, depth int) bool {
	if depth > deepest {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && p.all(v.Elem(), depth+1)
	case reflect.Interface:
		return p.dynamic(v, depth)
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		if v.Type() == typeOfTime {
			return perturbTime(v)
		}
		if ownForm(v.Type()) {
			return false
		}
		if v.Kind() == reflect.Map {
			return p.entries(v, depth)
		}
		if isFlat(v) && v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Len() > 0 && perturbLeaf(v.Index(p.r.IntN(v.Len())), p.r)
		}
		return p.some(slices.Collect(parts(v)), depth)
	}
	return perturbLeaf(v, p.r)
}

// some changes the parts of one value: one of the leaves, and all parts that are not leaves.
func (p *perturber) some(all []reflect.Value, depth int) (changed bool) {
	var leaves []reflect.Value
	for _, v := range all {
		if p.leaf(v) {
			leaves = append(leaves, v)
		} else {
			changed = p.all(v, depth+1) || changed
		}
	}
	for _, i := range p.r.Perm(len(leaves)) {
		if p.all(leaves[i], depth+1) {
			return true
		}
	}
	return changed
}

// dynamic changes the value in an interface.
func (p *perturber) dynamic(v reflect.Value, depth int) bool {
	if v.IsNil() {
		return false
	}
	x := copyOf(v.Elem())
	if x.CanInt() && max(x.Int(), -x.Int()) >= 1<<53 || x.CanUint() && x.Uint() >= 1<<53 {
		return false // if the codec uses floats for numbers, another large integer may not be exact
	}
	if !p.all(x, depth+1) {
		return false
	}
	if v.CanSet() {
		v.Set(x)
	}
	return true
}

// entries changes the elements of a map as some changes the parts of a value.
func (p *perturber) entries(m reflect.Value, depth int) bool {
	keys := m.MapKeys()
	elems := make([]reflect.Value, len(keys))
	for i, k := range keys {
		elems[i] = copyOf(m.MapIndex(k))
	}
	changed := p.some(elems, depth)
	for i, k := range keys {
		m.SetMapIndex(k, elems[i])
	}
	return changed
}

// perturbTime moves a time by one second, within the same minute.
func perturbTime(v reflect.Value) bool {
	t, ok := reflect.TypeAssert[time.Time](v)
	if !ok || t.IsZero() || !v.CanSet() {
		return false
	}
	by := time.Second
	if t.Second()%2 == 1 {
		by = -by
	}
	v.Set(reflect.ValueOf(t.Add(by)))
	return true
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
		to := n ^ 1 // keeps the number of digits and the sign
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

// otherDigit returns another number whose shortest decimal form has the same number of digits.
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

// otherLetter replaces one ASCII letter or digit by another.
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
