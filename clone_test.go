package zmy_test

import (
	"math/big"
	"reflect"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// gone reports whether what p points into has been collected.
func gone(p weak.Pointer[byte]) bool {
	for range 5 {
		runtime.GC()
	}
	return p.Value() == nil
}

// The three ways of copying: what one kept value keeps alive.
func TestRetention(t *testing.T) {
	attrs := []byte("more than sixteen bytes, which are not packed together") // as small ones are
	enc, err := zmy.Marshal(&zmycase.Order{ID: "an id of thirty-two bytes, or so", Items: []zmycase.Item{{Attrs: attrs}, {Attrs: attrs}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		o              zmy.UnmarshalOptions
		clone          bool
		input, message bool // stay alive: what was read, what the rest of the value points into
	}{
		{"one copy", zmy.UnmarshalOptions{}, false, false, true},
		{"copy each", zmy.UnmarshalOptions{CopyEach: true}, false, false, false},
		{"copy each wins", zmy.UnmarshalOptions{CopyEach: true, NoCopy: true}, false, false, false},
		{"no copy", zmy.UnmarshalOptions{NoCopy: true}, false, true, true},
		{"one copy, cloned", zmy.UnmarshalOptions{}, true, false, false},
		{"no copy, cloned", zmy.UnmarshalOptions{NoCopy: true}, true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			kept, input, message := func() ([]byte, weak.Pointer[byte], weak.Pointer[byte]) {
				in := append([]byte(nil), enc...)
				var v zmycase.Order
				if err := c.o.Unmarshal(in, &v); err != nil {
					t.Fatal(err)
				}
				kept := v.Items[1].Attrs
				if c.clone {
					kept = zmy.Clone(kept)
				}
				return kept, weak.Make(&in[0]), weak.Make(&v.Items[0].Attrs[0])
			}()
			if alive := !gone(input); alive != c.input {
				t.Errorf("the input is alive: %v", alive)
			}
			if alive := !gone(message); alive != c.message {
				t.Errorf("the other values' memory is alive: %v", alive)
			}
			if string(kept) != string(attrs) {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

// What CopyEach returns is not touched by later writes to the input, and is
// what the other modes return.
func TestCopyEach(t *testing.T) {
	text := "text"
	big1 := big.NewInt(1 << 40)
	values := []any{
		ptr(sampleOrder()), ptr(sampleSSE()),
		&zmycase.Case{Text: "t", Any: map[string]any{"k": []any{"s", []byte("b"), []string{"x"}, map[string]string{"m": "n"}, []byte{}}},
			Texts: []string{"a", "é"}, Index: map[string]zmycase.Point2{"i": {X: 1}}, Codes: map[int8]string{-1: "c"},
			Set: map[string]struct{}{"set": {}}, Opt: &text, List: []string{}, Big: big1, Pair: [2]string{"", "p"}},
		&zmycase.Drawing{Shapes: []zmycase.Shape{zmycase.Line{Name: "line"}, zmycase.ShapeUnknown{Disc: 9, Raw: []byte("raw")}}},
		&zmycase.Thin{B: "thin", Kids: []zmycase.Thin{{B: "kid"}}},
	}
	for _, v := range values {
		in, err := zmy.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err := (zmy.UnmarshalOptions{CopyEach: true}).Unmarshal(in, got); err != nil {
			t.Fatal(err)
		}
		clear(in)
		if !reflect.DeepEqual(got, v) {
			t.Errorf("%T:\n got %+v\nwant %+v", v, got, v)
		}
	}
}

// A newer message's unknown parts are carried beyond the life of the input in
// every mode.
func TestUnknownOutlivesInput(t *testing.T) {
	newer, err := zmy.Marshal(&zmycase.Point3List{Points: []zmycase.Point3{{X: 1, Name: "n"}, {Y: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []zmy.UnmarshalOptions{{}, {NoCopy: true}, {CopyEach: true}} {
		in := append([]byte(nil), newer...)
		var v zmycase.KeepList
		if err := o.Unmarshal(in, &v); err != nil {
			t.Fatal(err)
		}
		clear(in)
		again, err := zmy.Marshal(&v)
		if err != nil || string(again) != string(newer) {
			t.Errorf("%+v: %x, %v\nwant %x", o, again, err, newer)
		}
	}
}

type tree struct {
	Name   string
	Bytes  []byte
	Kids   []*tree
	By     map[string][]tree
	Any    any
	Num    big.Int
	Ptr    *big.Float
	At     time.Time
	Two    [2]string
	number []byte `zmy:"7"`
	inner
	Flat [2]struct{ X, Y int }
}

type inner struct{ Word []byte }

func TestClone(t *testing.T) {
	make := func(c byte) tree { // of bytes that can be changed afterwards
		b := func() []byte { return []byte{c, c, c} }
		return tree{Name: string(b()), Bytes: b(), Kids: []*tree{{Bytes: b()}, nil}, By: map[string][]tree{string(b()): {{Bytes: b()}}},
			Any: []any{b(), map[string]any{"k": b()}, &tree{Bytes: b()}}, Num: *big.NewInt(int64(c)), Ptr: big.NewFloat(float64(c)),
			At: time.Unix(int64(c), 0).UTC(), Two: [2]string{string(c)}, number: b(), inner: inner{b()}, Flat: [2]struct{ X, Y int }{{1, int(c)}}}
	}
	v, want := make('x'), make('x')
	got := zmy.Clone(v)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("\n got %+v\nwant %+v", got, want)
	}
	for _, b := range [][]byte{v.Bytes, v.Kids[0].Bytes, v.By["xxx"][0].Bytes, v.Any.([]any)[0].([]byte),
		v.Any.([]any)[1].(map[string]any)["k"].([]byte), v.Any.([]any)[2].(*tree).Bytes, v.number, v.Word} {
		b[0] = '!'
	}
	v.Num.Add(&v.Num, big.NewInt(1))
	v.Ptr.SetInt64(0)
	v.Kids[0], v.By["new"] = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the clone changed with the original:\n got %+v\nwant %+v", got, want)
	}
	if s := zmy.Clone("text"); s != "text" {
		t.Error(s)
	}
	if p := zmy.Clone[*tree](nil); p != nil {
		t.Error(p)
	}
	if b := zmy.Clone([]byte("bytes")); string(b) != "bytes" {
		t.Error(b)
	}
}
