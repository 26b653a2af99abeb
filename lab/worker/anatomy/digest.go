package anatomy

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"sync"
	"time"
)

// DigestOfAll returns a text that stands for all digests, in their order.
func DigestOfAll(all []uint64) string {
	var d digester
	for _, one := range all {
		d.number(one)
	}
	return fmt.Sprintf("%016x", uint64(d))
}

// DigestOf returns a hash of a value by its structure alone. It calls no methods except those of
// time.Time, so that a codec which adds methods to the type does not change it. The order of map
// entries does not matter.
func DigestOf[T any](v *T) uint64 {
	var d digester
	d.value(reflect.ValueOf(v).Elem(), 0)
	return uint64(d)
}

// Digests returns the digest of each value.
func Digests[T any](vals []T) []uint64 {
	out := make([]uint64, len(vals))
	for i := range vals {
		out[i] = DigestOf(&vals[i])
	}
	return out
}

// digester is the state of a hash over 8 bytes at a time. It has to be fast, since values are
// hashed between timed calls. It does not resist deliberate collisions.
type digester uint64

// number mixes n into the hash: it multiplies to 128 bits and combines the two halves.
func (d *digester) number(n uint64) {
	hi, lo := bits.Mul64(uint64(*d)^n^0x2d358dccaa6c78a5, 0x8bb84b93962eacc9)
	*d = digester(hi ^ lo ^ bits.RotateLeft64(n, 29))
}

func (d *digester) text(s string) {
	d.number(uint64(len(s)))
	var b [8]byte
	for ; len(s) >= 8; s = s[8:] {
		copy(b[:], s)
		d.number(binary.LittleEndian.Uint64(b[:]))
	}
	if len(s) > 0 {
		clear(b[:])
		copy(b[:], s)
		d.number(binary.LittleEndian.Uint64(b[:]))
	}
}

var typeOfLocation = reflect.TypeFor[*time.Location]()

func (d *digester) value(v reflect.Value, depth int) {
	d.number(uint64(v.Kind()))
	if depth > deepest || !v.IsValid() {
		return
	}
	if v.Type() == typeOfTime && v.CanInterface() {
		t := v.Interface().(time.Time)
		_, offset := t.Zone()
		d.number(uint64(t.Unix()))
		d.number(uint64(t.Nanosecond()))
		d.number(uint64(offset))
		return
	}
	if v.Type() == typeOfLocation { // a Location caches its last look-up, so it is skipped
		return
	}
	if v.Type().PkgPath() == "sync" { // holds no value, except the entries of a sync.Map
		if m, ok := entriesOf(v); ok {
			d.table(m, depth)
		}
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
		message := isMessage(v.Type())
		for i := range v.NumField() {
			if !message || v.Type().Field(i).IsExported() {
				d.value(v.Field(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Array:
		d.list(v, depth)
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

var messages sync.Map // reflect.Type → bool

// isMessage reports whether t is a protobuf message. The unexported fields of a message are
// internal state with pointers to the tables of its type, a graph with too many paths to walk.
func isMessage(t reflect.Type) bool {
	is, ok := messages.Load(t)
	if !ok {
		_, is = reflect.PointerTo(t).MethodByName("ProtoReflect")
		messages.Store(t, is)
	}
	return is.(bool)
}

// entriesOf returns the entries of a sync.Map as a map[any]any. ok is false for other types and for
// unexported fields.
func entriesOf(v reflect.Value) (entries reflect.Value, ok bool) {
	if !v.CanAddr() || !v.Addr().CanInterface() {
		return v, false
	}
	m, ok := v.Addr().Interface().(*sync.Map)
	if !ok {
		return v, false
	}
	all := map[any]any{}
	m.Range(func(key, value any) bool {
		all[key] = value
		return true
	})
	return reflect.ValueOf(all), true
}

func (d *digester) list(v reflect.Value, depth int) {
	d.number(uint64(v.Len()))
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		for b := v.Bytes(); len(b) > 0; b = b[min(8, len(b)):] {
			var word [8]byte
			copy(word[:], b)
			d.number(binary.LittleEndian.Uint64(word[:]))
		}
		return
	}
	for i := range v.Len() {
		d.value(v.Index(i), depth+1)
	}
}

func (d *digester) table(v reflect.Value, depth int) {
	var sum uint64
	for it := v.MapRange(); it.Next(); {
		var entry digester
		entry.value(it.Key(), depth+1)
		entry.value(it.Value(), depth+1)
		sum += uint64(entry)
	}
	d.number(uint64(v.Len()))
	d.number(sum)
}
