package zmyvector

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/zmylab/zmy"
)

// Values of type any are decoded under the limits that their view was opened
// with, in views inside views too. A key that is there is found whatever they are.
func TestViewLimits(t *testing.T) {
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	many := make([]any, 900_000) // 28.8 million units
	in := Maps{Any: map[string]any{"deep": deep, "many": many, "one": 1}, Lines: map[string]Line{}}
	b, err := zmy.MarshalOptions{MaxWire: 8 << 20, MaxDepth: 200}.Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	open := func(o zmy.UnmarshalOptions) func() (MapsView, error) {
		return func() (MapsView, error) { return ViewMapsOptions(b, o) }
	}
	for _, c := range []struct {
		name string
		open func() (MapsView, error)
		want map[string]error
	}{
		{"verified", open(zmy.UnmarshalOptions{MaxWire: 8 << 20, MaxDepth: 200}), nil},
		{"unlimited", open(zmy.UnmarshalOptions{MaxWire: math.MaxInt, MaxDepth: math.MaxInt, Budget: math.MaxInt64}), nil},
		{"small budget", open(zmy.UnmarshalOptions{MaxWire: 8 << 20, MaxDepth: 200, Budget: 1 << 20}), map[string]error{"many": zmy.ErrBudget}},
		{"lazy", func() (MapsView, error) { return ViewMapsLazy(b) }, map[string]error{"deep": zmy.ErrDepth}},
	} {
		v, err := c.open()
		if err != nil {
			t.Fatal(c.name, err)
		}
		for key, want := range in.Any {
			got, found, err := v.Any(key)
			switch {
			case !found || !errors.Is(err, c.want[key]):
				t.Errorf("%s: key %s: found %v, error %v, want %v", c.name, key, found, err, c.want[key])
			case err == nil && !reflect.DeepEqual(got, want):
				t.Errorf("%s: key %s has another value", c.name, key)
			}
		}
		if got, found, err := v.Any("none"); got != nil || found || err != nil {
			t.Errorf("%s: key none: %v, %v, %v", c.name, got, found, err)
		}
	}
}

func TestViewLimitsInside(t *testing.T) {
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	leaf := Tree{Any: deep}
	in := Tree{Left: &leaf, Kids: []Tree{{Kids: []Tree{leaf}}}}
	b, err := zmy.MarshalOptions{MaxDepth: 200}.Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	verified, err := ViewTreeOptions(b, zmy.UnmarshalOptions{MaxDepth: 200})
	if err != nil {
		t.Fatal(err)
	}
	lazy, err := ViewTreeLazy(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		root TreeView
		want error
	}{{verified, nil}, {lazy, zmy.ErrDepth}} {
		left, _ := c.root.Left()
		for _, leaf := range []TreeView{left, c.root.Kids(0).Kids(0)} {
			got, err := leaf.Any()
			if !errors.Is(err, c.want) || err == nil && !reflect.DeepEqual(got, deep) {
				t.Errorf("%v, want %v", err, c.want)
			}
		}
	}
}
