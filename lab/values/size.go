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
func (s *sizer) behind(v reflect.Value) int64 {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Pointer:
		if v.IsNil() || !s.first(v.Pointer()) {
			return 0
		}
		return s.pointee(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		e := v.Elem()
		return int64(e.Type().Size()) + s.behind(e)
	case reflect.Slice:
		if v.Len() == 0 || !s.first(v.Pointer()) {
			return 0
		}
		return int64(v.Len())*int64(v.Type().Elem().Size()) + s.elems(v)
	case reflect.Array:
		return s.elems(v)
	case reflect.Map:
		return s.table(v)
	case reflect.Struct:
		var n int64
		for i := range v.NumField() {
			n += s.behind(v.Field(i))
		}
		return n
	}
	return 0
}

func (s *sizer) first(p uintptr) bool {
	if s.seen[p] {
		return false
	}
	s.seen[p] = true
	return true
}

func (s *sizer) pointee(e reflect.Value) int64 {
	n := int64(e.Type().Size())
	if e.Type() == reflect.TypeFor[big.Int]() && e.CanInterface() {
		i := e.Addr().Interface().(*big.Int)
		return n + int64(i.BitLen()/8)
	}
	return n + s.behind(e)
}

func (s *sizer) elems(v reflect.Value) int64 {
	if k := v.Type().Elem().Kind(); k != reflect.String && scalar(k) {
		return 0
	}
	var n int64
	for i := range v.Len() {
		n += s.behind(v.Index(i))
	}
	return n
}

func (s *sizer) table(v reflect.Value) int64 {
	if v.Len() == 0 || !s.first(v.Pointer()) {
		return 0
	}
	t := v.Type()
	n := int64(v.Len()) * int64(t.Key().Size()+t.Elem().Size()+8) // and its share of the table
	for it := v.MapRange(); it.Next(); {
		n += s.behind(it.Key()) + s.behind(it.Value())
	}
	return n
}
