package anatomy

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

type leafy struct {
	Name string
	At   time.Time
	Raw  json.RawMessage
	Sub  *struct {
		Rows  []struct{ A, B string }
		Extra []int
	}
	hidden []string
}

func newLeafy(i int) leafy {
	v := leafy{Name: "näme", At: time.Unix(int64(i), 0).UTC(), Raw: json.RawMessage(`[1]`), hidden: []string{"x"}}
	v.Sub = &struct {
		Rows  []struct{ A, B string }
		Extra []int
	}{}
	for k := range i%3 + 1 {
		v.Sub.Rows = append(v.Sub.Rows, struct{ A, B string }{"a", strings.Repeat("b", k)})
	}
	return v
}

// TestGrow brings values of several shapes to sizes.
func TestGrow(t *testing.T) {
	lists := make([]leafy, 8)
	for i := range lists {
		lists[i] = newLeafy(i)
	}
	check(t, "lists", lists, []int64{300, 4 << 10, 1 << 20}, "Sub.Rows (lists)")
	check(t, "a list itself", [][]string{{"a", "bc"}, nil, {"x"}}, []int64{100, 5000}, "(lists)")
	check(t, "maps", []struct{ M map[string]int }{{map[string]int{"a": 1, "b": 22}}}, []int64{500, 9000}, "M (maps)")
	check(t, "bytes", []struct{ B []byte }{{[]byte("abc")}}, []int64{500, 70_000}, "B (byte strings)")
	check(t, "strings", []struct{ S, T string }{{"añb", "x"}}, []int64{500, 70_000}, "S, T (strings)")
}

func check[T any](t *testing.T, name string, vals []T, sizes []int64, what string) {
	t.Helper()
	before, err := json.Marshal(vals)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		out, said, err := Grow(vals, size)
		if err != nil || !strings.HasSuffix(said, what) || len(out) == 0 {
			t.Errorf("%s to %d: %d values, %q, %v", name, size, len(out), said, err)
			continue
		}
		for _, v := range out {
			b, err := json.Marshal(v)
			if err != nil || math.Abs(float64(len(b))-float64(size)) > near*float64(size) || !utf8.Valid(b) {
				t.Errorf("%s to %d: a value of %d bytes, %v", name, size, len(b), err)
			}
		}
	}
	if after, _ := json.Marshal(vals); string(after) != string(before) { // it was marshalled above
		t.Errorf("%s: the original values changed", name)
	}
}

func TestGrowRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		grow  func() error
		holds string
	}{
		"fixed": {func() error { _, _, err := Grow([]struct{ A, B int }{{1, 2}}, 1000); return err }, "cannot grow"},
		"times": {func() error { _, _, err := Grow([]time.Time{time.Now()}, 1000); return err }, "cannot grow"},
		"too small": {func() error {
			_, _, err := Grow([]struct {
				A [64]int64
				L []string
			}{{L: []string{"x"}}}, 20)
			return err
		}, "no value comes within"},
	} {
		if err := c.grow(); err == nil || !strings.Contains(err.Error(), c.holds) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGrowAgrees: what is drawn from the same seed grows to the same values.
func TestGrowAgrees(t *testing.T) {
	make1 := func() []map[string]string {
		r := rand.New(rand.NewPCG(1, 2))
		var out []map[string]string
		for range 5 {
			m := map[string]string{}
			for range 20 {
				m[strings.Repeat("k", 1+r.IntN(40))] = "v"
			}
			out = append(out, m)
		}
		return out
	}
	a, _, err := Grow(make1(), 10_000)
	b, _, err2 := Grow(make1(), 10_000)
	if err != nil || err2 != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v, %v: the same values grew differently", err, err2)
	}
}
