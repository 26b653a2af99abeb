package codec_test

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/examples/blob128k"
	orderlarge "github.com/zmylab/zmy/examples/order-large"
)

// Through the native format every subject comes back as it was, values behind
// `any` included.
func TestZMYConformance(t *testing.T) {
	c := codec.ZMY{}
	for seed := range uint64(3) {
		var cases []codectest.Case
		for _, cs := range codectest.Values(subjects(seed)...) {
			cs.Equal = equalByValue
			cases = append(cases, cs)
		}
		codectest.Run(t, c, cases...)
	}
}

// Large subjects need the limits raised.
func TestZMYLargeSubjects(t *testing.T) {
	const limit = 4 << 20
	c := codec.ZMY{
		MarshalOptions:   zmy.MarshalOptions{MaxWire: limit},
		UnmarshalOptions: zmy.UnmarshalOptions{MaxWire: limit, NoCopy: true}, // which the codec must ignore
	}
	r := rand.New(rand.NewPCG(1, 0))
	for _, v := range []any{blob128k.SampleBlob(r), orderlarge.SampleOrder(r)} {
		if _, err := (codec.ZMY{}).Marshal(v); err == nil {
			t.Errorf("%T fits the default limit", v)
		}
		b, err := c.Marshal(v)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		got := reflect.New(reflect.TypeOf(v))
		if err := c.Unmarshal(b, got.Interface()); err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		for i := range b {
			b[i] = 0xA5
		}
		if !equalByValue(got.Elem().Interface(), v) {
			t.Errorf("%T differs after the trip", v)
		}
	}
}

// equalByValue is reflect.DeepEqual, but big numbers are compared as numbers:
// their inner words may have spare capacity.
func equalByValue(got, want any) bool {
	return equalValues(reflect.ValueOf(got), reflect.ValueOf(want))
}

func equalValues(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch x := a.Interface().(type) {
	case *big.Int:
		y := b.Interface().(*big.Int)
		return (x == nil) == (y == nil) && (x == nil || x.Cmp(y) == 0)
	case *big.Float:
		y := b.Interface().(*big.Float)
		return (x == nil) == (y == nil) && (x == nil || x.Cmp(y) == 0 && x.Prec() == y.Prec() && x.Mode() == y.Mode())
	}
	switch a.Kind() {
	case reflect.Interface:
		return equalValues(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValues(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			if !equalValues(it.Value(), b.MapIndex(it.Key())) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if a.NumField() > 0 && a.Type().Field(0).IsExported() {
			for i := range a.NumField() {
				if !equalValues(a.Field(i), b.Field(i)) {
					return false
				}
			}
			return true
		}
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
