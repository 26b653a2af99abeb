package jsonrt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
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
