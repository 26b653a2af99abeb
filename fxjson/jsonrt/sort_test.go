package jsonrt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Maps of every size, also inside each other, against encoding/json.
func TestMapSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		anys, texts := map[string]any{}, map[string]string{}
		numbers, lists := map[string]int{}, map[string][]map[string]int{}
		for i := range n {
			k := fmt.Sprint("property_"[:r.IntN(10)], r.IntN(1000))
			texts[k], numbers[k] = fmt.Sprint(i), i
			lists[k] = []map[string]int{{"b": i, "a": 1}, nil, {}}
			switch i % 8 {
			case 0:
				anys[k] = map[string]any{"b": k, "a": map[string]string{"x": k}}
			case 1:
				inner := map[string]any{}
				for j := range 12 {
					inner[fmt.Sprint(j)] = []any{k, map[string]any{k: j}}
				}
				anys[k] = inner
			default:
				anys[k] = k
			}
		}
		numberMaps := func(e *Enc, b []byte, v *[]map[string]int) []byte {
			return EncodeSlice(e, b, v, func(e *Enc, b []byte, v *map[string]int) []byte { return EncodeMap(e, b, v, EncodeInt) })
		}
		for _, v := range []any{anys, texts, map[string]map[string]string{"m": texts}, numbers, lists} {
			want, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			encode := func(e *Enc) []byte {
				switch v := v.(type) {
				case map[string]int:
					return EncodeMap(e, nil, &v, EncodeInt)
				case map[string][]map[string]int:
					return EncodeMap(e, nil, &v, numberMaps)
				}
				return EncodeDynamic(e, nil, v)
			}
			e := NewEnc(false)
			got := encode(e)
			if !bytes.Equal(got, want) || len(e.keys)+len(e.anys)+len(e.heads)+e.depth != 0 {
				t.Fatalf("%d keys: %s, want %s", n, got, want)
			}
			e.opt = Unsorted
			var back, again any
			if err := json.Unmarshal(encode(e), &back); err != nil {
				t.Fatal(err)
			}
			json.Unmarshal(want, &again)
			if fmt.Sprint(back) != fmt.Sprint(again) {
				t.Fatalf("%d keys in any order: %v, want %v", n, back, again)
			}
			if slices.ContainsFunc(e.anys[:cap(e.anys)], func(x any) bool { return x != nil }) {
				t.Fatal("a value is kept")
			}
			if !e.Done() {
				t.Fatal("failed")
			}
		}
	}
}

// Larger maps whose keys are often those of the map before, through one state, against encoding/json.
func TestLargeShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	e := NewEnc(false)
	right := 0
	for i := range 4000 {
		names, size := []string{"a", "key with a <", "日本"}[i/50%3], 16-r.IntN(4)
		if r.IntN(10) == 0 {
			size = 9 + r.IntN(80)
		}
		m := map[string]any{}
		for j := range size {
			m[fmt.Sprint(names, j)] = []any{j, "x", map[string]any{"y": nil}}[r.IntN(3)]
		}
		if r.IntN(8) == 0 {
			m[strings.Repeat("long", r.IntN(12))] = m["a0"]
		}
		e.plain = i%100 < 50
		e.opt = 0
		if e.plain {
			e.opt = PlainHTML
		}
		if s := &e.large[1]; s.wait == 0 && s.plain == e.plain && len(m) <= largeKeys && lookUpMany(e, &shape{keys: s.keys}, m) {
			right++
			clear(e.anys)
			e.anys, e.heads = e.anys[:0], e.heads[:0]
		}
		var want bytes.Buffer
		std := json.NewEncoder(&want)
		std.SetEscapeHTML(!e.plain)
		if err := std.Encode(m); err != nil {
			t.Fatal(err)
		}
		got := EncodeAnyMap(e, nil, &m)
		if string(got)+"\n" != want.String() || len(e.keys)+len(e.anys)+len(e.heads)+e.depth != 0 {
			t.Fatalf("%s, want %s", got, want.String())
		}
		if r.IntN(3) == 0 {
			e.large[1].wait = 0
		}
	}
	if right < 200 {
		t.Errorf("only %d guesses were right: this tests nothing", right)
	}
}

// TestLargeElements: maps of large structs are written without memory of their own, be they few
// enough to be copied together or not.
func TestLargeElements(t *testing.T) {
	type large struct{ A [300]byte }
	encode := func(e *Enc, b []byte, v *large) []byte { return append(b, '"', v.A[0], '"') }
	for _, n := range []int{1, 50, 184, 218, 219, 256, 257} {
		m, want := map[string]large{}, map[string]string{}
		for i := range n {
			k := fmt.Sprintf("key%03d", i)
			m[k] = large{[300]byte{byte('a' + i%26)}}
			want[k] = string(rune('a' + i%26))
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		e := NewEnc(false)
		var b []byte
		allocs := testing.AllocsPerRun(5, func() { b = EncodeMap(e, b[:0], &m, encode) })
		if !bytes.Equal(b, text) || allocs != 0 {
			t.Errorf("%d elements: %v allocations, %.40s, want none and %.40s", n, allocs, b, text)
		}
		e.Done()
	}
}
