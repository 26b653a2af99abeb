package gobin_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/carriers"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/versions"
)

// Shadows are types with the fields of generated ones and none of their methods:
// package zmy marshals them by reflection.
type (
	shadowVisible kinds.Visible
	shadowV1      versions.V1
	shadowV2      versions.V2
	shadowV3      versions.V3
	shadowKeepV1  carriers.V1
	shadowKeepV2  carriers.V2
	shadowKeepV3  carriers.V3
	shadowFull    carriers.Full
	shadowKept    carriers.Kept
	shadowDropped carriers.Dropped
	shadowS1      carriers.S1
	shadowS2      carriers.S2
	shadowSDrop   carriers.SDrop
)

// twin makes variables of a generated type, and says what is the same variable
// as one of the type's shadow.
type twin struct {
	name   string
	fresh  func() any
	shadow func(any) any
}

func twinOf[G, S any](shadow func(*G) *S) twin {
	return twin{
		name:   strings.TrimPrefix(reflect.TypeFor[S]().Name(), "shadow"),
		fresh:  func() any { return new(G) },
		shadow: func(v any) any { return shadow(v.(*G)) },
	}
}

var twins = []twin{
	twinOf(func(v *kinds.Visible) *shadowVisible { return (*shadowVisible)(v) }),
	twinOf(func(v *versions.V1) *shadowV1 { return (*shadowV1)(v) }),
	twinOf(func(v *versions.V2) *shadowV2 { return (*shadowV2)(v) }),
	twinOf(func(v *versions.V3) *shadowV3 { return (*shadowV3)(v) }),
	twinOf(func(v *carriers.V1) *shadowKeepV1 { return (*shadowKeepV1)(v) }),
	twinOf(func(v *carriers.V2) *shadowKeepV2 { return (*shadowKeepV2)(v) }),
	twinOf(func(v *carriers.V3) *shadowKeepV3 { return (*shadowKeepV3)(v) }),
	twinOf(func(v *carriers.Full) *shadowFull { return (*shadowFull)(v) }),
	twinOf(func(v *carriers.Kept) *shadowKept { return (*shadowKept)(v) }),
	twinOf(func(v *carriers.Dropped) *shadowDropped { return (*shadowDropped)(v) }),
	twinOf(func(v *carriers.S1) *shadowS1 { return (*shadowS1)(v) }),
	twinOf(func(v *carriers.S2) *shadowS2 { return (*shadowS2)(v) }),
	twinOf(func(v *carriers.SDrop) *shadowSDrop { return (*shadowSDrop)(v) }),
}

// families are twins that read each other's messages.
var families = [][]twin{twins[:1], twins[1:7], twins[7:10], twins[10:]}

// errorText is an error without the type's name, which a shadow does not share.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	var de *zmy.DecodeError
	if errors.As(err, &de) {
		c := *de
		c.Type = "T"
		return c.Error()
	}
	var ee *zmy.EncodeError
	if errors.As(err, &ee) {
		c := *ee
		c.Type = "T"
		return c.Error()
	}
	return "no error of a message: " + err.Error()
}

// marshalSame marshals v both ways.
func (tw twin) marshalSame(t *testing.T, v any, o zmy.MarshalOptions) []byte {
	t.Helper()
	want, err := o.Append(nil, v)
	got, rerr := o.Append(nil, tw.shadow(v))
	if errorText(err) != errorText(rerr) || !bytes.Equal(got, want) {
		t.Fatalf("%s: generated code says %v, reflection %v\n%x\n%x", tw.name, err, rerr, want, got)
	}
	return want
}

// unmarshalSame unmarshals b both ways, into targets that may hold values.
func (tw twin) unmarshalSame(t *testing.T, b []byte, o zmy.UnmarshalOptions, into, reflected any) bool {
	t.Helper()
	err, rerr := o.Unmarshal(b, into), o.Unmarshal(b, tw.shadow(reflected))
	if errorText(err) != errorText(rerr) {
		t.Fatalf("%s, %+v: generated code says\n%v, reflection\n%v\n%x", tw.name, o, err, rerr, b)
	}
	if err != nil || reflect.DeepEqual(into, reflected) {
		return err == nil
	}
	// What is damaged may hold NaNs, which equal nothing; their bits must be the same.
	if x, y := tw.marshalSame(t, into, wideOpen), tw.marshalSame(t, reflected, wideOpen); !bytes.Equal(x, y) ||
		!hasNaN(reflect.ValueOf(into)) {
		t.Fatalf("%s, %+v: %x\n%+v\n%+v", tw.name, o, b, into, reflected)
	}
	return true
}

// hasNaN reports a value that does not equal itself.
func hasNaN(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return v.Float() != v.Float()
	case reflect.Complex64, reflect.Complex128:
		return v.Complex() != v.Complex()
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && hasNaN(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if hasNaN(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if hasNaN(v.MapIndex(k)) {
				return true
			}
		}
	case reflect.Struct:
		if v.Type() != reflect.TypeFor[time.Time]() {
			for i := range v.NumField() {
				if hasNaN(v.Field(i)) {
					return true
				}
			}
		}
	}
	return false
}

// optionsOf chooses options for reading.
func optionsOf(n uint64) zmy.UnmarshalOptions {
	o := zmy.UnmarshalOptions{MaxWire: 1 << 24, NoCopy: n&1 != 0, CopyEach: n&2 != 0, Exact: n&4 != 0}
	if n&8 != 0 {
		o.Budget = int64(n >> 16 % 5000)
	}
	if n&16 != 0 {
		o.MaxDepth = int(n>>32%6) + 1
	}
	return o
}

func TestReflectMarshals(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	long := strings.Repeat("x", 70_000)
	for i := range 500 {
		for _, tw := range twins {
			v := tw.fresh()
			fill(r, reflect.ValueOf(v).Elem(), 3+i%6)
			if vis, ok := v.(*kinds.Visible); ok && i%5 == 0 { // wide containers
				vis.All.Tails.S = long
				vis.Thin.Name = long
				vis.All.Lists.Items = append(vis.All.Lists.Items, kinds.Item{Sku: long})
				vis.All.Maps.IS = map[int64]string{1: "", -5: long, 7: "7"}
			}
			tw.marshalSame(t, v, wideOpen)
			tw.marshalSame(t, v, zmy.MarshalOptions{MaxWire: 1 << r.IntN(20), MaxDepth: 1 + r.IntN(8)})
		}
	}
}

func TestReflectUnmarshals(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	accepted, refused := 0, 0
	for _, family := range families {
		used := make([][2]any, len(family)) // targets that hold older values
		for i, tw := range family {
			used[i] = [2]any{tw.fresh(), tw.fresh()}
		}
		for i := range 900 {
			writer := family[i%len(family)]
			v := writer.fresh()
			fill(r, reflect.ValueOf(v).Elem(), 3+i%5)
			b := writer.marshalSame(t, v, wideOpen)
			for k, tw := range family {
				o := optionsOf(r.Uint64())
				if tw.unmarshalSame(t, b, o, tw.fresh(), tw.fresh()) {
					accepted++
				} else {
					refused++
				}
				o = zmy.UnmarshalOptions{MaxWire: 1 << 24, Reuse: i%2 == 0}
				tw.unmarshalSame(t, b, o, used[k][0], used[k][1])
				tw.marshalSame(t, used[k][1], wideOpen)
				for range 6 {
					tw.unmarshalSame(t, damaged(r, b), optionsOf(r.Uint64()), tw.fresh(), tw.fresh())
				}
			}
		}
	}
	if accepted < 1000 || refused < 1000 {
		t.Errorf("%d messages were accepted, %d refused", accepted, refused)
	}
}

func TestReflectTruncations(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	for _, tw := range twins {
		v := tw.fresh()
		fill(r, reflect.ValueOf(v).Elem(), 7)
		b := tw.marshalSame(t, v, wideOpen)
		for n := range b {
			if tw.unmarshalSame(t, b[:n:n], zmy.UnmarshalOptions{}, tw.fresh(), tw.fresh()) {
				t.Fatalf("%s: the first %d of %d bytes were accepted", tw.name, n, len(b))
			}
		}
	}
}

func FuzzReflect(f *testing.F) {
	r := rand.New(rand.NewPCG(47, 48))
	for i, tw := range twins {
		for range 4 {
			v := tw.fresh()
			fill(r, reflect.ValueOf(v).Elem(), 6)
			b, err := wideOpen.Append(nil, v)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, uint8(i), r.Uint64())
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, i uint8, options uint64) {
		tw := twins[int(i)%len(twins)]
		v := tw.fresh()
		if tw.unmarshalSame(t, b, optionsOf(options), v, tw.fresh()) {
			tw.marshalSame(t, v, wideOpen)
		}
	})
}
