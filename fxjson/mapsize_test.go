package fxjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

// Objects of every size, large after small and small after large, into new and into used maps.
func TestDecodeMapSizes(t *testing.T) {
	used := map[string]any{}
	wantUsed := map[string]any{}
	for i := range 400 {
		n := []int{i % 30, i, 3, 12}[i/3%4]
		var b []byte
		for j := range n {
			b = fmt.Appendf(append(b, ','), `"k%d":{"a":[{"x":%d}],"a":{"y":%s}}`, j%20, j, []string{"null", `{"z":"é"}`}[j%2])
		}
		b = append(append([]byte{'{'}, bytes.TrimPrefix(b, []byte(","))...), '}')
		var got, want map[string]any
		if err := fxjson.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, want %v", b, got, want)
		}
		if err := fxjson.Unmarshal(b, &used); err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal(b, &wantUsed); !reflect.DeepEqual(used, wantUsed) {
			t.Fatalf("%s into a used map: %v, want %v", b, used, wantUsed)
		}
		if err := fxjson.Unmarshal(b[:len(b)-1], &got); err == nil {
			t.Fatal("no error for an object that is cut")
		}
	}
}
