package fxjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// TestKeptInput has methods UnmarshalJSON keep what they are given, in documents of all
// sizes, with and without generated code, and decodes more documents afterwards.
func TestKeptInput(t *testing.T) {
	type planned jsontypes.Keepers
	type numbers struct { // no strings that would ask for a copy of the document
		N int
		K jsontypes.Kept
		L []jsontypes.Kept
	}
	for _, size := range []int{1, 100, 2000, 70_000} {
		text := func(c string) string { return `"` + strings.Repeat(c, size) + `"` }
		doc := func(c string) []byte {
			return fmt.Appendf(nil, `{"A":%s,"B":[%[1]s],"K":{"k":%[1]s},"L":[1,%[1]s,null],"Ptr":%[1]s}`, text(c))
		}
		for name, check := range map[string]func() string{
			"generated": func() string {
				var k jsontypes.Keepers
				fxjson.Unmarshal(doc("a"), &k)
				fxjson.Unmarshal(doc("b"), new(jsontypes.Keepers))
				return fmt.Sprintf("%s %s %s %s", k.A.Raw, k.B.Raw, k.L[1].Raw, k.Ptr.Raw)
			},
			"planned": func() string {
				var k planned
				fxjson.Unmarshal(doc("a"), &k)
				fxjson.Unmarshal(doc("b"), new(planned))
				return fmt.Sprintf("%s %s %s %s", k.A.Raw, k.B.Raw, k.L[1].Raw, k.Ptr.Raw)
			},
		} {
			if want := fmt.Sprintf("%s [%[1]s] %[1]s %[1]s", text("a")); check() != want {
				t.Errorf("%s, %d bytes: what was kept has changed", name, size)
			}
		}
		var n numbers
		fxjson.Unmarshal(doc("a"), &n)
		fxjson.Unmarshal(doc("b"), new(numbers))
		if string(n.K.Raw) != `{"k":`+text("a")+`}` || string(n.L[0].Raw) != "1" {
			t.Errorf("numbers, %d bytes: what was kept has changed", size)
		}
	}
}
