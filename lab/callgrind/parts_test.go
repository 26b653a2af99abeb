package callgrind

import (
	"reflect"
	"strings"
	"testing"
)

// TestParts reads names that are given once and then by number, code that is inlined from another
// file, and calls, whose cost is that of the called function.
func TestParts(t *testing.T) {
	read := func(text string) map[string]Part {
		got, err := byPart(strings.NewReader("events: Ir D1mr Bcm Bim\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	one := read(`# callgrind format
positions: line
fl=(1) /a/app.go
fn=(1) app.Encode
10 100
fi=(2) /b/text.go
3 40 1 2 3
fe=(1)
+2 5 4
cfi=(3) /c/map.go
cfn=(2) maps.next
calls=7 9
* 900

fl=(3)
fn=(2)
9 900
totals: 1045
`)
	want := map[string]Part{"app.Encode": {Ir: 105, L1: 4}, "app.Encode text.go": {Ir: 40, L1: 1, Bm: 5}, "maps.next": {Ir: 900}}
	if !reflect.DeepEqual(one, want) {
		t.Errorf("%v, want %v", one, want)
	}
	both := read("fl=(1) /a/app.go\nfn=(1) app.Encode\n10 205 24 10\nfi=(2) /b/text.go\n3 40\nfl=(3) /c/map.go\nfn=(2) maps.next\n9 1900\n")
	added := []Part{{Name: "maps.next", Ir: 100}, {Name: "app.Encode", Ir: 10, L1: 2, Bm: 1}}
	if got := more(both, one, 10); !reflect.DeepEqual(got, added) {
		t.Errorf("%v, want %v", got, added)
	}
	for _, bad := range []string{"events: Ir\nfn=(1) x\n1 many\n", "events: Ir\nfn=(1) x\n1 2 3\n"} {
		if _, err := byPart(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
