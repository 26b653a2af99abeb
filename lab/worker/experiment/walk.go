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

// walk compares the ways. Both walks must give the same sum for each value.
func (b *Bench[N]) walk(a *worker.Walk) (*worker.Readings, error) {
	offsets := offsetWalk(b.Vals, reflect.TypeFor[N]())
	for i := range b.Vals {
		if x, y := reflectWalk(reflect.ValueOf(&b.Vals[i]).Elem(), 0), offsets(i); x != y {
			return nil, fmt.Errorf("the walks over value %d differ: %d by reflection, %d by offsets", i, x, y)
		}
	}
	encode := b.EncodeOne(&b.Codec.Encoders[0])
	ways := []struct {
		name string
		do   func(i int) error
	}{
		{worker.WayEncode, func(i int) error { _, err := encode(i); return err }},
		{worker.WayReflect, func(i int) error { walked += reflectWalk(reflect.ValueOf(&b.Vals[i]).Elem(), 0); return nil }},
		{worker.WayOffsets, func(i int) error { walked += offsets(i); return nil }},
	}
	out := &worker.Readings{Ways: make([]worker.Way, len(ways))}
	many := make([]int, len(ways))
	for r := range a.Repeats + 1 { // the first turn warms up, and finds how many operations fill a reading
		for k := range ways {
			i := (k + r) % len(ways)
			w, n := &out.Ways[i], many[i]
			if w.Name = ways[i].name; r == 0 {
				n = len(b.Order)
			}
			runtime.GC()
			c0, t0 := bench.CPUTime(), time.Now()
			for j := range n {
				if err := ways[i].do(int(b.Order[j%len(b.Order)])); err != nil {
					return nil, err
				}
			}
			wall, cpu := float64(time.Since(t0)), float64(bench.CPUTime()-c0)
			if r == 0 {
				many[i] = max(1, int(float64(n)*float64(a.For)/max(wall, 1)))
				continue
			}
			w.NS, w.CPU = append(w.NS, wall/float64(n)), append(w.CPU, cpu/float64(n))
		}
	}
	return out, nil
}

// walked keeps the compiler from removing the walks.
var walked uint64

// reflectWalk sums up a value: its numbers, the lengths of its strings and lists, and the targets
// of its lists, maps, pointers and interfaces. It does not look inside byte slices and times.
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
	case reflect.Slice:
		sum := uint64(v.Len())
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				sum += reflectWalk(v.Index(i), depth+1)
			}
		}
		return sum
	case reflect.Array:
		sum := uint64(0)
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
