package experiment

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// deepestWalk bounds the walk through values that contain themselves.
const deepestWalk = 100

// walk compares encoding with two walks over the fields of each value, by package reflect and by
// offsets. Both walks must give the same sum for each value.
func (b *Bench[N]) walk(a *worker.Walk) (*worker.Readings, error) {
	offsets := offsetWalk(b.Vals, reflect.TypeFor[N]())
	for i := range b.Vals {
		if x, y := reflectWalk(reflect.ValueOf(&b.Vals[i]).Elem(), 0), offsets(i); x != y {
			return nil, fmt.Errorf("the walks over value %d differ: %d by reflection, %d by offsets", i, x, y)
		}
	}
	encode := b.EncodeOne(&b.Codec.Encoders[0])
	names := []string{worker.WayEncode, worker.WayReflect, worker.WayOffsets}
	ways := []func(i int) error{
		func(i int) error { _, err := encode(i); return err },
		func(i int) error { walked += reflectWalk(reflect.ValueOf(&b.Vals[i]).Elem(), 0); return nil },
		func(i int) error { walked += offsets(i); return nil },
	}
	many := []int{len(b.Order), len(b.Order), len(b.Order)}
	return inTurns(a.Repeats, names, func(i, turn int, m *bench.Meter) (int, error) {
		n := many[i]
		runtime.GC()
		m.Start()
		for j := range n {
			if err := ways[i](int(b.Order[j%len(b.Order)])); err != nil {
				return 0, err
			}
		}
		m.Stop()
		if turn == 0 { // it has warmed up; find how many operations fill a reading
			many[i] = max(1, int(float64(n)*float64(a.For)/max(float64(m.Wall), 1)))
		}
		return n, nil
	})
}

// walked keeps the compiler from removing the walks.
var walked uint64

// reflectWalk sums up a value: its numbers, the lengths of its strings, slices and maps, and all
// that its structs, lists, maps, pointers and interfaces contain. It does not look inside byte
// slices, byte arrays and times.
func reflectWalk(v reflect.Value, depth int) uint64 {
	if depth > deepestWalk {
		return 0
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return v.Uint()
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float())
	case reflect.String:
		return uint64(v.Len())
	case reflect.Slice, reflect.Array:
		sum := uint64(0)
		if v.Kind() == reflect.Slice {
			sum = uint64(v.Len())
		}
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				sum += reflectWalk(v.Index(i), depth+1)
			}
		}
		return sum
	case reflect.Struct:
		if v.Type() == timeType {
			return v.Field(0).Uint()
		}
		sum := uint64(0)
		for i := range v.NumField() {
			sum += reflectWalk(v.Field(i), depth+1)
		}
		return sum
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return 1 + reflectWalk(v.Elem(), depth+1)
		}
	case reflect.Map:
		sum := uint64(v.Len())
		for it := v.MapRange(); it.Next(); {
			sum += reflectWalk(it.Key(), depth+1) + reflectWalk(it.Value(), depth+1)
		}
		return sum
	}
	return 0
}

var timeType = reflect.TypeFor[time.Time]()
