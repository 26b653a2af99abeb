package jsonrt

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestSpareRoom decodes documents of all lengths, and so with all sorts of room behind
// them, into dynamic values, which must not change when others are made.
func TestSpareRoom(t *testing.T) {
	var got, want []any
	for n := range 300 {
		for nums := range 12 {
			doc := []byte(`["` + strings.Repeat("x", n) + `","é\n"` + strings.Repeat(`,0.5,7,"s"`, nums) + fmt.Sprintf(`,%d.25]`, n))
			var x, y any
			if err := UnmarshalWith(doc, &x, 0); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(doc, &y); err != nil {
				t.Fatal(err)
			}
			clear(doc)
			got, want = append(got, x), append(want, y)
		}
		if n%50 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	if !reflect.DeepEqual(got, want) {
		t.Error("dynamic values have changed")
	}
}
