package fxprototest

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

// TestDeep compares values that are nested deeply around contents of many lengths.
func TestDeep(t *testing.T) {
	for _, levels := range []int{1, 2, 10, 60, 300} {
		tree, kept, groups := &Tree{}, &Kept{}, &Groups{}
		var dynamic any
		shapes := &Shapes{}
		for i := range levels {
			text := strings.Repeat("x", i*i%400)
			switch i % 3 {
			case 0:
				tree = &Tree{Name: text, Left: tree, Right: &Tree{}}
				dynamic = map[string]any{text: dynamic, "a": 1.5}
			case 1:
				tree = &Tree{ByName: map[string]Tree{text: *tree}}
				dynamic = []any{text, dynamic, nil}
			default:
				tree = &Tree{Children: []Tree{{Name: text}, *tree, {}}}
				dynamic = map[string]any{"b": []any{}, "c": dynamic}
			}
			kept = &Kept{N: int32(i), List: []*Kept{nil, kept}, Unknown: []byte("\xc2\x3e\x01a")}
			groups = &Groups{P: groups, S: []string{text}, M: &Groups{M: &Groups{}}}
			shapes = &Shapes{Shape: &Square{In: shapes, By: map[string]string{text: ""}}, Other: &Tail{List: []Shapes{*shapes}}}
			if i > 8 {
				shapes.Other = nil // it doubles
			}
		}
		for _, v := range []any{tree, kept, groups, shapes, &Dynamic{V: dynamic, In: &Dynamic{L: []any{dynamic}}}} {
			s := schemaOf(t, reflect.TypeOf(v).Elem())
			b, err := ours.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			want, err := theirs.Marshal(toDynamic(s.plan, s.desc, reflect.ValueOf(v).Elem()))
			if err != nil || !bytes.Equal(b, want) {
				t.Fatalf("%T of %d levels: %.200x, %v, want %.200x", v, levels, b, err, want)
			}
			s.compareEncoders(t, v, b)
		}
	}
}

// TestDeepTime: the time of encoders does not grow with the number of levels around a content.
func TestDeepTime(t *testing.T) {
	nested := func(levels int) *Tree {
		v := &Tree{Name: strings.Repeat("x", 4<<20)}
		for range levels {
			v = &Tree{Left: v}
		}
		return v
	}
	for _, o := range []fxproto.MarshalOptions{{}, {Reflection: true}} {
		took := func(levels int) time.Duration {
			v := nested(levels)
			start := time.Now()
			b, err := o.Marshal(v)
			if err != nil || len(b) < 4<<20 {
				t.Fatal(len(b), err)
			}
			return time.Since(start)
		}
		if flat, deep := took(1), took(9000); deep > 100*flat+time.Second {
			t.Errorf("reflection %v: %v for one level, %v for 9000", o.Reflection, flat, deep)
		}
	}
}
