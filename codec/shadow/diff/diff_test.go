package diff_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec/shadow/diff"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/examples/session"
)

type Order struct {
	ID     string
	Items  []Item
	Labels map[string]string
	Meta   map[string]any
	Placed time.Time
	Ratio  float64
	Total  *big.Float
	Raw    json.RawMessage
	Next   *Order
	Any    any
	From   netip.Addr
	Money  Money
	Blob   []byte
	note   string
}

type Item struct {
	Sku   string
	Price json.Number
}

// Money keeps its cents to itself and says when two are equal.
type Money struct {
	Currency string
	cents    int
}

func (m Money) Equal(o Money) bool { return m == o }

func sample() Order {
	return Order{
		ID:     "A",
		Items:  []Item{{"tea", "1"}, {"cup", "2"}, {"pot", "3"}, {"jug", "1.10"}},
		Labels: map[string]string{"a": "1", "b": "2"},
		Meta:   map[string]any{"n": 1, "deep": map[string]any{"list": []any{1, "x"}}},
		Placed: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
		Ratio:  0.5,
		Total:  big.NewFloat(1.5),
		Raw:    json.RawMessage(`{"a": 1}`),
		Next:   &Order{ID: "B"},
		Any:    int64(7),
		From:   netip.MustParseAddr("10.0.0.1"),
		Money:  Money{"EUR", 100},
		Blob:   []byte("abc"),
	}
}

func TestCompare(t *testing.T) {
	tests := []struct {
		name   string
		change func(o *Order)
		opt    diff.Options
		want   string // differences, separated by "; "
	}{
		{"equal", func(*Order) {}, diff.Options{}, ""},
		{"field of an element", func(o *Order) { o.Items[3].Price = "1.1" }, diff.Options{}, `Order.Items[3].Price: "1.10" vs "1.1"`},
		{"length", func(o *Order) { o.Items = o.Items[:3] }, diff.Options{},
			"Order.Items: []diff_test.Item of length 4 vs []diff_test.Item of length 3"},
		{"slice lost", func(o *Order) { o.Items = nil }, diff.Options{},
			"Order.Items: []diff_test.Item of length 4 vs nil []diff_test.Item"},
		{"key changed", func(o *Order) { o.Labels["b"] = "3" }, diff.Options{}, `Order.Labels["b"]: "2" vs "3"`},
		{"key lost and added", func(o *Order) { delete(o.Labels, "b"); o.Labels["c"] = "2" }, diff.Options{},
			`Order.Labels["b"]: "2" vs nothing; Order.Labels["c"]: nothing vs "2"`},
		{"type in an interface", func(o *Order) { o.Meta["n"] = 1.0 }, diff.Options{}, `Order.Meta["n"]: int(1) vs float64(1)`},
		{"loose numbers", func(o *Order) { o.Meta["n"] = 1.0 }, diff.Options{LooseNumbers: true}, ""},
		{"loose numbers that differ", func(o *Order) { o.Meta["n"] = 1.5 }, diff.Options{LooseNumbers: true},
			`Order.Meta["n"]: int(1) vs float64(1.5)`},
		{"loose json.Number", func(o *Order) { o.Meta["n"] = json.Number("1e0") }, diff.Options{LooseNumbers: true}, ""},
		{"loose json.Number without end", func(o *Order) { o.Meta["n"] = json.Number("1e999999999") },
			diff.Options{LooseNumbers: true}, `Order.Meta["n"]: int(1) vs json.Number("1e999999999")`},
		{"deep inside interfaces", func(o *Order) { o.Meta["deep"].(map[string]any)["list"].([]any)[1] = "y" },
			diff.Options{}, `Order.Meta["deep"]["list"][1]: "x" vs "y"`},
		{"same instant elsewhere", func(o *Order) { o.Placed = o.Placed.In(time.FixedZone("", 3600)) }, diff.Options{}, ""},
		{"zone", func(o *Order) { o.Placed = o.Placed.In(time.FixedZone("", 3600)) }, diff.Options{Zone: true},
			"Order.Placed: 2026-11-21T09:30:00Z vs 2026-11-21T10:30:00+01:00"},
		{"instant", func(o *Order) { o.Placed = o.Placed.Add(1) }, diff.Options{},
			"Order.Placed: 2026-11-21T09:30:00Z vs 2026-11-21T09:30:00.000000001Z"},
		{"big number", func(o *Order) { o.Total = big.NewFloat(1.25) }, diff.Options{}, "Order.Total: 1.5 vs 1.25"},
		{"precision", func(o *Order) { o.Total = new(big.Float).SetPrec(20).SetFloat64(1.5) }, diff.Options{}, ""},
		{"strict precision", func(o *Order) { o.Total = new(big.Float).SetPrec(20).SetFloat64(1.5) },
			diff.Options{Precision: true}, "Order.Total: 1.5 vs 1.5"},
		{"pointer lost", func(o *Order) { o.Next = nil }, diff.Options{}, "Order.Next: *diff_test.Order vs nil *diff_test.Order"},
		{"behind a pointer", func(o *Order) { o.Next = &Order{ID: "C"} }, diff.Options{}, `Order.Next.ID: "B" vs "C"`},
		{"raw JSON, spaces", func(o *Order) { o.Raw = json.RawMessage(`{"a":1}`) }, diff.Options{}, ""},
		{"raw JSON, strict", func(o *Order) { o.Raw = json.RawMessage(`{"a":1}`) }, diff.Options{Spelling: true},
			`Order.Raw: "{\"a\": 1}" vs "{\"a\":1}"`},
		{"raw JSON, value", func(o *Order) { o.Raw = json.RawMessage(`{"a":2}`) }, diff.Options{},
			`Order.Raw: "{\"a\": 1}" vs "{\"a\":2}"`},
		{"interface emptied", func(o *Order) { o.Any = nil }, diff.Options{}, "Order.Any: 7 vs nothing"},
		{"opaque struct", func(o *Order) { o.From = netip.MustParseAddr("10.0.0.2") }, diff.Options{}, "Order.From: 10.0.0.1 vs 10.0.0.2"},
		{"what only Equal sees", func(o *Order) { o.Money.cents = 99 }, diff.Options{}, "Order.Money: diff_test.Money vs diff_test.Money"},
		{"what Equal and a field see", func(o *Order) { o.Money.Currency = "USD" }, diff.Options{}, `Order.Money.Currency: "EUR" vs "USD"`},
		{"unexported", func(o *Order) { o.note = "x" }, diff.Options{}, ""},
		{"bytes", func(o *Order) { o.Blob = []byte("abd") }, diff.Options{}, `Order.Blob: "abc" vs "abd"`},
		{"NaN", func(o *Order) { o.Ratio = math.NaN() }, diff.Options{}, "Order.Ratio: 0.5 vs NaN"},
		{"ignored", func(o *Order) { o.Items[0].Sku = "x"; o.Next.ID = "x" },
			diff.Options{Ignore: []string{"Order.Items[].Sku", "Order.Next"}}, ""},
		{"ignored name only begins so", func(o *Order) { o.ID = "x" }, diff.Options{Ignore: []string{"Order.I"}}, `Order.ID: "A" vs "x"`},
		{"hidden", func(o *Order) { o.ID = "secret"; o.Labels["me@example.org"] = "x" }, diff.Options{Hide: true},
			"Order.ID: string of length 1 vs string of length 6; Order.Labels[*]: nothing vs string of length 1"},
		{"shown by a function", func(o *Order) { o.ID = "secret" }, diff.Options{Show: func(p,
			s string) string {
			return strings.ToUpper(s) + "@" + p
		}}, `Order.ID: "A"@Order.ID vs "SECRET"@Order.ID`},
		{"own equality", func(o *Order) { o.Items[0] = Item{"TEA", "1"} }, diff.Options{Equal: map[reflect.Type]func(a, b any) bool{
			reflect.TypeFor[Item](): func(a, b any) bool { return strings.EqualFold(a.(Item).Sku, b.(Item).Sku) },
		}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := sample(), sample()
			tt.change(&b)
			r := diff.Compare(&a, &b, tt.opt)
			if got := list(r); got != tt.want || r.Truncated {
				t.Errorf("found %s\nwant  %s\ntruncated: %v", got, tt.want, r.Truncated)
			}
			if byValue := diff.Compare(a, b, tt.opt); !reflect.DeepEqual(r, byValue) {
				t.Errorf("by pointer\n%v\nby value\n%v", r, byValue)
			}
			if back := diff.Compare(&b, &a, tt.opt); len(back.Differences) != len(r.Differences) {
				t.Errorf("%d differences one way, %d the other", len(r.Differences), len(back.Differences))
			}
		})
	}
}

func list(r diff.Result) string {
	var out []string
	for _, d := range r.Differences {
		out = append(out, d.String())
	}
	return strings.Join(out, "; ")
}

func TestNormalisations(t *testing.T) {
	nan, zero := math.NaN(), 0.0
	tests := []struct {
		name   string
		a, b   any
		strict diff.Options // under which they differ; without, they are equal
	}{
		{"NaN", nan, nan, diff.Options{NaN: true}},
		{"complex NaN", complex(nan, 1), complex(nan, 1), diff.Options{NaN: true}},
		{"-0", zero, math.Copysign(0, -1), diff.Options{NegativeZero: true}},
		{"nil slice", []int(nil), []int{}, diff.Options{Nil: true}},
		{"nil bytes", []byte(nil), []byte{}, diff.Options{Nil: true}},
		{"nil map", map[string]int(nil), map[string]int{}, diff.Options{Nil: true}},
		{"nil behind an interface", []any{nil}, []any{[]any{}}, diff.Options{Nil: true}},
		{"nil raw JSON", json.RawMessage(nil), json.RawMessage{}, diff.Options{Nil: true}},
		{"raw null", json.RawMessage(nil), json.RawMessage("null"), diff.Options{Spelling: true}},
	}
	for _, tt := range tests {
		if r := diff.Compare(tt.a, tt.b, diff.Options{}); !r.Equal() {
			t.Errorf("%s: %v, want equal", tt.name, r.Differences)
		}
		if r := diff.Compare(tt.a, tt.b, tt.strict); r.Equal() {
			t.Errorf("%s: equal under %+v", tt.name, tt.strict)
		}
	}
}

func TestTypes(t *testing.T) {
	one := 1
	tests := []struct {
		name string
		a, b any
		want string
	}{
		{"nothing", nil, nil, ""},
		{"nothing and something", nil, 1, ".: nothing vs 1"},
		{"two types", 1, "1", `int: int(1) vs string("1")`},
		{"pointer to pointer", ptr(&one), ptr(&one), ""},
		{"array", [3]int{1, 2, 3}, [3]int{1, 2, 4}, "[3]int[2]: 3 vs 4"},
		{"keys of structs", map[[2]int]int{{1, 2}: 3}, map[[2]int]int{{1, 2}: 4}, "map[[2]int]int[[2]int]: 3 vs 4"},
		{"NaN as a key", map[float64]int{math.NaN(): 1}, map[float64]int{math.NaN(): 2}, ""},
		{"NaN keys lost", map[float64]int{math.NaN(): 1, 1: 1}, map[float64]int{1: 1},
			"map[float64]int: map[float64]int of length 2 vs map[float64]int of length 1"},
		{"pointers as keys", map[*int]int{&one: 1}, map[*int]int{new(int): 1}, ""},
		{"functions", func() {}, func() {}, ""},
		{"method on the pointer", byPointer{x: 1}, byPointer{x: 2}, "byPointer: diff_test.byPointer vs diff_test.byPointer"},
		{"promoted from an unexported struct", outer{inner{1}}, outer{inner{2}}, "outer.inner.N: 1 vs 2"},
		{"gogo/protobuf", gogo{1, 2}, gogo{1, 3}, ""},
	}
	for _, tt := range tests {
		r := diff.Compare(tt.a, tt.b, diff.Options{})
		if got := list(r); got != tt.want || r.Truncated {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// opaque is a type that == knows, though not all of its values.
type opaque struct{ v any }

// TestOpaque: structs that are compared whole may hold what cannot be compared.
func TestOpaque(t *testing.T) {
	type holder struct {
		ID string
		O  opaque
	}
	for _, c := range []struct {
		name string
		a, b any
		same bool
	}{
		{"values", 1, 1, true},
		{"other values", 1, 2, false},
		{"slices", []int{1}, []int{1}, true},
		{"other slices", []int{1}, []int{2}, true}, // nothing can tell
		{"a slice and none", []int{1}, 1, false},
		{"none and a slice", nil, []int{1}, false},
		{"a slice within", opaque{[]int{1}}, opaque{[]int{1}}, true},
		{"functions", func() {}, func() {}, true},
	} {
		for id, more := range map[string]int{"a": 0, "b": 1} { // another name: the walk gets there too
			r := diff.Compare(holder{"a", opaque{c.a}}, holder{id, opaque{c.b}}, diff.Options{})
			if same := len(r.Differences) == more; same != c.same {
				t.Errorf("%s, %s: %s", c.name, id, list(r))
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }

type byPointer struct{ x int }

func (p *byPointer) Equal(o *byPointer) bool { return p.x == o.x }

type inner struct{ N int }
type outer struct{ inner }
type gogo struct{ N, XXX_sizecache int } //nolint:revive // a name that gogo/protobuf generates

type node struct {
	V    int
	Next *node
	Kids []*node
	Any  any
}

func ring(n, last int) *node {
	first := &node{}
	at := first
	for i := range n {
		at.Next = &node{V: i}
		at = at.Next
	}
	at.V, at.Next, at.Kids, at.Any = last, first, []*node{first}, first
	return first
}

func TestCyclesEnd(t *testing.T) {
	if r := diff.Compare(ring(20, 1), ring(20, 1), diff.Options{}); !r.Equal() {
		t.Errorf("two equal rings: %+v", r)
	}
	if r := diff.Compare(ring(20, 1), ring(20, 2), diff.Options{}); len(r.Differences) != 1 || r.Truncated {
		t.Errorf("one difference at the end of a ring: %+v", r)
	}
	m := map[string]any{}
	m["self"] = m
	o := map[string]any{}
	o["self"] = map[string]any{"self": o}
	if r := diff.Compare(m, o, diff.Options{}); !r.Equal() {
		t.Errorf("maps that contain themselves: %+v", r)
	}
}

func TestLimits(t *testing.T) {
	long := make([]int, 1000)
	other := slices.Clone(long)
	for i := range other {
		other[i] = 1
	}
	r := diff.Compare(long, other, diff.Options{MaxDifferences: 3})
	if len(r.Differences) != 3 || !r.Truncated {
		t.Errorf("MaxDifferences 3: %d differences, truncated %v", len(r.Differences), r.Truncated)
	}
	r = diff.Compare(long, long[:999:999], diff.Options{})
	if len(r.Differences) != 1 || r.Differences[0].Kind != diff.Length {
		t.Errorf("lengths: %+v", r)
	}
	other = slices.Clone(long)
	other[900] = 1
	if r := diff.Compare(long, other, diff.Options{MaxValues: 500}); len(r.Differences) != 0 || !r.Truncated || r.Equal() {
		t.Errorf("MaxValues 500: %+v, want truncated and nothing found", r)
	}
	many := map[string]any{}
	for i := range 100 {
		many[fmt.Sprint(i)] = i
	}
	if r := diff.Compare(many, many, diff.Options{MaxValues: 50}); !r.Truncated {
		t.Errorf("100 entries, MaxValues 50: %+v, want truncated", r)
	}
	deep := func(end string) any {
		var v any = end
		for range 1000 {
			v = []any{v}
		}
		return v
	}
	if r := diff.Compare(deep("a"), deep("b"), diff.Options{}); !r.Truncated {
		t.Errorf("1000 levels: %+v, want truncated", r)
	}
	r = diff.Compare(deep("a"), deep("b"), diff.Options{MaxDepth: 2000})
	if len(r.Differences) != 1 || len(r.Differences[0].Path) > 500 {
		t.Errorf("1000 levels within MaxDepth: %+v, want one difference with a path cut short", r)
	}
	text := strings.Repeat("é", 1000)
	r = diff.Compare(text, text+"x", diff.Options{})
	if len(r.Differences) != 1 || len(r.Differences[0].Before) > 64 {
		t.Errorf("a long text: %+v, want 64 bytes of it", r)
	}
}

// TestAgainstDeepEqual: on values without anything to normalise, a difference is
// found exactly where reflect.DeepEqual sees one.
func TestAgainstDeepEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		a, b := randomValue(r, 4), randomValue(r, 4)
		if i%2 == 0 {
			b = a
		}
		got := diff.Compare(a, b, diff.Options{Nil: true, MaxDifferences: 1000}).Equal()
		if want := reflect.DeepEqual(a, b); got != want {
			t.Fatalf("%#v\n%#v\nequal %v, reflect.DeepEqual %v", a, b, got, want)
		}
	}
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case depth == 0 || n < 4:
		return []any{r.IntN(2), "s", nil, 1.5, true}[r.IntN(5)]
	case n < 6:
		m := map[string]any{}
		for range r.IntN(3) {
			m[fmt.Sprint(r.IntN(4))] = randomValue(r, depth-1)
		}
		return m
	default:
		s := []any{}
		for range r.IntN(3) {
			s = append(s, randomValue(r, depth-1))
		}
		return s
	}
}

// TestCommonTypes: types that are compared without reflection, and the same under
// another name, give one verdict.
func TestCommonTypes(t *testing.T) {
	type dynamicMap map[string]any
	type stringMap map[string]string
	type dynamic []any
	self := map[string]any{}
	self["self"] = self
	values := []any{
		map[string]any{}, map[string]any(nil), map[string]any{"a": nil}, map[string]any{"b": nil},
		map[string]any{"a": 1, "b": 2.5, "c": true},
		map[string]any{"a": 1, "b": 2.5, "c": false}, map[string]any{"a": math.NaN()}, map[string]any{"a": 0.0},
		map[string]any{"a": math.Copysign(0, -1)},
		map[string]any{"a": []any{"x", map[string]any{"y": 1}}}, map[string]any{"a": []any{"x", map[string]any{"y": 1.0}}},
		map[string]any{"a": int64(1)},
		map[string]any{"a": []any{}}, map[string]any{"a": []any(nil)}, self,
		map[string]string(nil), map[string]string{}, map[string]string{"a": "b"}, map[string]string{"a": "c"}, map[string]string{"b": "b"},
		[]any{}, []any(nil), []any{1, "x", nil}, []any{1, "x", 0}, []any{1},
	}
	named := func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			return dynamicMap(v)
		case map[string]string:
			return stringMap(v)
		}
		return dynamic(v.([]any))
	}
	for _, o := range []diff.Options{{}, {Nil: true}, {NaN: true}, {NegativeZero: true}, {LooseNumbers: true}} {
		for _, a := range values {
			for _, b := range values {
				if reflect.TypeOf(a) != reflect.TypeOf(b) {
					continue
				}
				got, want := diff.Compare(a, b, o), diff.Compare(named(a), named(b), o)
				if got.Truncated != want.Truncated || len(got.Differences) != len(want.Differences) {
					t.Errorf("%+v\n%v\n%v\nfound %v, by reflection %v", o, a, b, got, want)
				}
			}
		}
	}
}

func TestSubjects(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	o := order.SampleOrder(r)
	if got := diff.Compare(&o, &o, diff.Options{}); !got.Equal() {
		t.Errorf("an order and itself: %+v", got)
	}
	a, b := session.SampleUserSession(rand.New(rand.NewPCG(1, 0))), session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	if got := diff.Compare(&a, &b, diff.Options{Nil: true, Zone: true}); !got.Equal() {
		t.Errorf("a session and its copy: %+v", got)
	}
}

func BenchmarkCompareSession(b *testing.B) {
	v, w := session.SampleUserSession(rand.New(rand.NewPCG(1, 0))), session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	b.ReportAllocs()
	for b.Loop() {
		if r := diff.Compare(&v, &w, diff.Options{}); !r.Equal() {
			b.Fatal(r)
		}
	}
}
