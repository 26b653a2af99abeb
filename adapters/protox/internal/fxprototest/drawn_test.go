package fxprototest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

var executions = flag.Int("executions", 15000, "TestDrawn: how many messages are compared")

// TestDrawn compares both implementations on schemas that are drawn at random, by reflection: values,
// damaged messages and merges. make fuzz-proto compares 20 million messages of 300 schemas.
func TestDrawn(t *testing.T) {
	const schemas = 300
	const rest = 20 // values of a schema for which nothing is damaged
	each := max(1, *executions/schemas/damaged)
	for seed := range uint64(schemas) {
		r := drawer{rand.New(rand.NewPCG(seed, 9))}
		rt := r.message(levels)
		s := schemaOf(t, rt)
		for n := range uint64(min(rest, each)) {
			s.compareValue(t, newFiller(n))
		}
		for n := range uint64(each) {
			fill := newFiller(n)
			v := reflect.New(rt)
			fill.message(s.plan, v.Elem(), 2)
			first, err := ours.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			for range damaged {
				s.compareBytes(t, first, fill.mutate(first))
			}
		}
		if t.Failed() {
			t.Fatalf("schema %d is %v", seed, rt)
		}
	}
}

// stage is an enum.
type stage int32

// drawer draws Go types that messages carry.
type drawer struct{ *rand.Rand }

func pick[T any](r drawer, of ...T) T { return of[r.IntN(len(of))] }

// number draws a field number that is not taken: small ones, those at the borders of a tag's size, and any.
func (r drawer) number(taken map[int]bool) int {
	for {
		n := pick(r, 1+r.IntN(15), 14+r.IntN(4), 2046+r.IntN(4), 18998+r.IntN(2), 20000+r.IntN(2), 1<<28+r.IntN(1<<28), 1<<29-1)
		if !taken[n] {
			taken[n] = true
			return n
		}
	}
}

// levels is how deep drawn structs are.
const levels = 3

// message draws a struct. depth limits structs within it.
func (r drawer) message(depth int) reflect.Type {
	var fields []reflect.StructField
	taken := map[int]bool{}
	for i := range 1 + r.IntN(10) {
		typ, opts := r.field(depth)
		tag := strings.Join(append([]string{fmt.Sprint(r.number(taken))}, opts...), ",")
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: typ, Tag: reflect.StructTag(fmt.Sprintf("proto:%q", tag))})
	}
	if r.IntN(2) == 0 {
		fields = append(fields, reflect.StructField{Name: "Unknown", Type: reflect.TypeFor[fxproto.Unknown]()})
	}
	return reflect.StructOf(fields)
}

var integers = []reflect.Type{reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[int64](), reflect.TypeFor[uint64](),
	reflect.TypeFor[int](), reflect.TypeFor[uint](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[uint16]()}

// scalar draws a type that is no message, with its option.
func (r drawer) scalar() (reflect.Type, []string) {
	switch r.IntN(9) {
	case 0:
		return reflect.TypeFor[bool](), nil
	case 1:
		return reflect.TypeFor[float32](), nil
	case 2:
		return reflect.TypeFor[float64](), nil
	case 3, 4:
		return reflect.TypeFor[string](), pick(r, nil, []string{"raw"})
	case 5:
		return reflect.TypeFor[stage](), nil
	}
	typ := pick(r, integers...)
	if typ.Kind() >= reflect.Uint && typ.Kind() <= reflect.Uint64 {
		return typ, pick(r, nil, []string{"fixed"})
	}
	return typ, pick(r, nil, []string{"sint"}, []string{"fixed"})
}

// field draws the type of a field and its options.
func (r drawer) field(depth int) (reflect.Type, []string) {
	typ, opts := r.scalar()
	switch n := r.IntN(16); {
	case n < 3:
		return typ, opts
	case n == 3:
		return reflect.PointerTo(typ), opts
	case n == 4:
		return reflect.PointerTo(typ), append(opts, pick(r, "oneof:a", "oneof:b"))
	case n == 5 && depth == levels: // deeper, a struct without a pointer would always be written
		return typ, append(opts, "optional")
	case n == 6:
		if k := typ.Kind(); k != reflect.String {
			opts = append(opts, pick(r, "packed", "unpacked"))
		}
		return reflect.SliceOf(typ), opts
	case n == 7:
		key := pick(r, append([]reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[bool]()}, integers...)...)
		for i := range opts {
			opts[i] = "val:" + opts[i]
		}
		return reflect.MapOf(key, typ), opts
	case n == 8:
		return pick(r, reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](), reflect.TypeFor[[][]byte](), reflect.TypeFor[[][16]byte]()), nil
	case n == 9:
		return pick(r, reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time](), reflect.TypeFor[[]time.Time](),
			reflect.TypeFor[time.Duration](), reflect.TypeFor[*time.Duration](), reflect.TypeFor[map[string]time.Time]()), nil
	case n == 10:
		return pick(r, reflect.TypeFor[*string](), reflect.TypeFor[*int64](), reflect.TypeFor[*bool](), reflect.TypeFor[*float64]()),
			[]string{"wrapper"}
	case n == 11:
		return pick(r, reflect.TypeFor[any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any]()), nil
	case depth == 0:
		return typ, opts
	}
	m := r.message(depth - 1)
	switch r.IntN(6) {
	case 0:
		return m, nil
	case 1:
		return reflect.PointerTo(m), pick(r, nil, []string{"group"}, []string{"oneof:a"})
	case 2:
		return reflect.SliceOf(m), pick(r, nil, []string{"group"})
	case 3:
		return reflect.SliceOf(reflect.PointerTo(m)), nil
	case 4:
		return reflect.MapOf(reflect.TypeFor[string](), m), nil
	}
	return reflect.MapOf(reflect.TypeFor[int32](), reflect.PointerTo(m)), nil
}
