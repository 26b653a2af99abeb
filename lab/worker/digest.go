package worker

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"
	"time"
)

// digest is a hash of values by their structure alone: no method of theirs is
// called but those of time.Time, so that a worker whose codec adds methods to the
// type gets the same as all others. Entries of maps are combined in any order.
func digest[T any](vals []T) string {
	d := digester{fnv.New64a()}
	for i := range vals {
		d.value(reflect.ValueOf(&vals[i]).Elem(), 0)
	}
	return fmt.Sprintf("%016x", d.h.Sum64())
}

type digester struct{ h hash.Hash64 }

// digestDepth ends cycles.
const digestDepth = 64

func (d digester) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	_, _ = d.h.Write(b[:]) // a hash never fails
}

func (d digester) text(s string) {
	d.number(uint64(len(s)))
	_, _ = d.h.Write([]byte(s))
}

func (d digester) value(v reflect.Value, depth int) {
	d.number(uint64(v.Kind()))
	if depth > digestDepth {
		return
	}
	if v.IsValid() && v.Type() == reflect.TypeFor[time.Time]() && v.CanInterface() {
		t := v.Interface().(time.Time)
		_, offset := t.Zone()
		d.number(uint64(t.Unix()))
		d.number(uint64(t.Nanosecond()))
		d.number(uint64(offset))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			d.number(1)
		}
	case reflect.String:
		d.text(v.String())
	case reflect.Float32, reflect.Float64:
		d.number(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		d.number(math.Float64bits(real(v.Complex())))
		d.number(math.Float64bits(imag(v.Complex())))
	case reflect.Interface:
		if !v.IsNil() {
			d.text(v.Elem().Type().String())
			d.value(v.Elem(), depth+1)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			d.value(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i), depth+1)
		}
	case reflect.Slice, reflect.Array:
		d.number(uint64(v.Len()))
		for i := range v.Len() {
			d.value(v.Index(i), depth+1)
		}
	case reflect.Map:
		d.table(v, depth)
	default:
		if v.CanInt() {
			d.number(uint64(v.Int()))
		} else if v.CanUint() {
			d.number(v.Uint())
		}
	}
}

func (d digester) table(v reflect.Value, depth int) {
	var sum uint64
	for it := v.MapRange(); it.Next(); {
		entry := digester{fnv.New64a()}
		entry.value(it.Key(), depth+1)
		entry.value(it.Value(), depth+1)
		sum += entry.h.Sum64()
	}
	d.number(uint64(v.Len()))
	d.number(sum)
}
