package values

import (
	"math/big"
	"reflect"
)

// Size estimates the memory of v in bytes. Shared and cyclic parts count once; the allocator's
// rounding does not count.
func Size(v any) int64 {
	s := sizer{seen: map[uintptr]bool{}}
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return 0
	}
	return int64(rv.Type().Size()) + s.behind(rv)
}

type sizer struct{ seen map[uintptr]bool }

// behind returns the size of the memory that v refers to, without v itself.
func (s *sizer) behind(v reflect.Value) (n int64) {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Pointer:
		if v.IsNil() || !s.first(v) {
			return 0
		}
		e := v.Elem()
		if v.Type() == bigIntPtr && v.CanInterface() {
			return int64(e.Type().Size()) + int64(v.Interface().(*big.Int).BitLen()/8)
		}
		return int64(e.Type().Size()) + s.behind(e)
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return int64(v.Elem().Type().Size()) + s.behind(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			if v.Len() == 0 || !s.first(v) {
				return 0
			}
			n = int64(v.Len()) * int64(v.Type().Elem().Size())
		}
		if k := v.Type().Elem().Kind(); k != reflect.String && scalar(k) {
			return n
		}
		for i := range v.Len() {
			n += s.behind(v.Index(i))
		}
	case reflect.Map:
		if v.Len() == 0 || !s.first(v) {
			return 0
		}
		n = int64(v.Len()) * int64(v.Type().Key().Size()+v.Type().Elem().Size()+8) // and its share of the table
		for it := v.MapRange(); it.Next(); {
			n += s.behind(it.Key()) + s.behind(it.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += s.behind(v.Field(i))
		}
	}
	return n
}

// first reports whether what v points to was not met before.
func (s *sizer) first(v reflect.Value) bool {
	p := v.Pointer()
	was := s.seen[p]
	s.seen[p] = true
	return !was
}
