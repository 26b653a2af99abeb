package fidelity

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type item struct {
	Sku    string
	Price  *big.Float
	Attrs  map[string]any
	hidden int
}

type order struct {
	ID       string
	Items    []item
	Metadata map[string]any
	At       time.Time
	Next     *order
	embedded
}

type embedded struct{ Deep int }

// money has no exported field and knows its equals: 1.0 equals 1.00.
type money struct{ text string }

func (m money) Equal(o money) bool {
	return strings.TrimRight(m.text, "0.") == strings.TrimRight(o.text, "0.")
}
func (m money) MarshalText() ([]byte, error) { return []byte(m.text), nil }

// price shows its currency and keeps its cents to itself and its own JSON.
type price struct {
	Currency string
	Tags     []string
	cents    int64
}

func (p price) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"c": p.Currency, "t": p.Tags, "n": p.cents})
}

// counter is equal by its count; the cache beside it is no part of the value.
type counter struct {
	Name  string
	count int
	cache string
}

// loose spells its map in any order.
type loose struct {
	Name string
	m    map[string]int
}

func (l loose) MarshalText() ([]byte, error) {
	text := l.Name
	for k := range l.m {
		text += " " + k
	}
	return []byte(text), nil
}

func (c counter) Equal(o counter) bool { return c.Name == o.Name && c.count == o.count }

var (
	noon  = time.Date(2024, 5, 1, 12, 0, 0, 7, time.UTC)
	paris = time.FixedZone("CEST", 2*60*60)
)

func bigFloat(s string, prec uint) *big.Float {
	f, _, err := big.ParseFloat(s, 10, prec, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return f
}

// cached keeps something beside its exported field, and has no methods.
type cached struct {
	Name string
	sum  int
	rows []int
}

// syncMap has the keys and values given by turns.
func syncMap(entries ...any) *sync.Map {
	m := &sync.Map{}
	for i := 0; i < len(entries); i += 2 {
		m.Store(entries[i], entries[i+1])
	}
	return m
}

func TestCompare(t *testing.T) {
	east := time.FixedZone("", 7200)
	one := 1
	nan := math.NaN()
	big1 := new(big.Int).Lsh(big.NewInt(1), 100)
	for _, c := range []struct {
		name          string
		before, after any
		want          string // diffs as kind: path before → after, one a line
	}{
		{"equal", order{ID: "a", Items: []item{{Sku: "x"}}}, order{ID: "a", Items: []item{{Sku: "x"}}}, ""},
		{"unexported", item{hidden: 1}, item{hidden: 2}, `lossy: hidden 1 → 2`},
		{"field", order{ID: "a"}, order{ID: "b"}, `lossy: ID "a" → "b"`},
		{"embedded", order{embedded: embedded{1}}, order{embedded: embedded{2}}, `lossy: embedded.Deep 1 → 2`},
		{"nested", order{Items: []item{{}, {Attrs: map[string]any{"k": 1}}}},
			order{Items: []item{{}, {Attrs: map[string]any{"k": 2}}}}, `lossy: Items[1].Attrs["k"] 1 → 2`},
		{"through pointer", order{Next: &order{ID: "a"}}, order{Next: &order{ID: "b"}}, `lossy: Next.ID "a" → "b"`},
		{"top", 1, 2, `lossy: . 1 → 2`},
		{"top pointer", &one, &one, ``},
		{"nil slice", []int(nil), []int{}, `normalised: . nil → empty`},
		{"nil map", map[string]int{}, map[string]int(nil), `normalised: . map[string]int (0 keys) → nil`},
		{"nil to filled", []int(nil), []int{1}, `lossy: . nil → []int (1 element)`},
		{"any nil to empty", map[string]any{"k": nil}, map[string]any{"k": []any{}}, `normalised: ["k"] nil → []any empty`},
		{"any nil to value", []any{nil}, []any{0}, `lossy: [0] nil → int 0`},
		{"nil pointer to zero", order{}, order{Next: &order{}}, `lossy: Next nil → fidelity.order{…}`},
		{"int to float64", map[string]any{"qty": 5}, map[string]any{"qty": 5.0}, `lossy: ["qty"] int 5 → float64 5`},
		{"int to int64", []any{5}, []any{int64(5)}, `normalised: [0] int 5 → int64 5`},
		{"int to uint64", []any{5}, []any{uint64(5)}, `normalised: [0] int 5 → uint64 5`},
		{"negative to uint", []any{-1}, []any{uint64(math.MaxUint64)}, `lossy: [0] int -1 → uint64 18446744073709551615`},
		{"int8 overflow", []any{300}, []any{int8(44)}, `lossy: [0] int 300 → int8 44`},
		{"bytes to string", []any{[]byte("ab")}, []any{"YWI="}, `lossy: [0] []uint8 0x6162 (2 bytes) → string "YWI="`},
		{"time to string", []any{noon}, []any{"x"}, `lossy: [0] time.Time 2024-05-01T12:00:00.000000007Z → string "x"`},
		{"big to float", []any{big1}, []any{1.0}, `lossy: [0] *big.Int 1267650600228229401496703205376 → float64 1`},
		{"pointer to value", []any{big1}, []any{*big1}, `normalised: [0] *big.Int 1267650600228229401496703205376 → big.Int ` +
			`1267650600228229401496703205376`},
		{"value to pointer", []any{*big1}, []any{big.NewInt(1)}, `lossy: [0] big.Int 1267650600228229401496703205376 → *big.Int 1`},
		{"nil pointer to value", []any{(*big.Int)(nil)}, []any{big.Int{}}, `lossy: [0] *big.Int nil → big.Int 0`},
		{"number spelled differently", []any{json.Number("1.50")}, []any{json.Number("15e-1")}, `normalised: [0] 1.50 → 15e-1`},
		{"number changed", json.Number("1.5"), json.Number("1.6"), `lossy: . "1.5" → "1.6"`},
		{"slice retyped", []any{[]int{1}}, []any{[]any{1}}, `lossy: [0] []int (1 element) → []any (1 element)`},
		{"zone", noon, noon.In(paris), `normalised: . 2024-05-01T12:00:00.000000007Z → 2024-05-01T14:00:00.000000007+02:00`},
		{"location", noon.In(paris), noon.In(time.FixedZone("", 7200)),
			`normalised: . 2024-05-01T14:00:00.000000007+02:00 → 2024-05-01T14:00:00.000000007+02:00`},
		{"nanoseconds", noon, noon.Truncate(time.Second), `lossy: . 2024-05-01T12:00:00.000000007Z → 2024-05-01T12:00:00Z`},
		{"NaN", nan, math.Float64frombits(0x7FF8000000000002), ``},
		{"minus zero", math.Copysign(0, -1), 0.0, `lossy: . -0 → 0`},
		{"big.Int", big.NewInt(5), big.NewInt(6), `lossy: . 5 → 6`},
		{"big.Int equal", big.NewInt(5), new(big.Int).SetBytes([]byte{0, 5}), ``},
		{"big.Rat", big.NewRat(1, 2), big.NewRat(1, 3), `lossy: . 1/2 → 1/3`},
		{"big.Float precision", bigFloat("1.5", 53), bigFloat("1.5", 64), `normalised: . 1.5 (precision 53) → 1.5 (precision 64)`},
		{"big.Float value", bigFloat("1.1", 64), bigFloat("1.1", 53), `lossy: . 1.1 (precision 64) → 1.1 (precision 53)`},
		{"raw JSON", json.RawMessage(`{"a":1,"b":"x"}`), json.RawMessage(`{ "b":"\u0078", "a":1.0 }`),
			`normalised: . {"a":1,"b":"x"} → { "b":"\u0078", "a":1.0 }`},
		{"raw JSON changed", json.RawMessage(`{"a":1}`), json.RawMessage(`{"a":2}`), `lossy: . {"a":1} → {"a":2}`},
		{"raw JSON none", json.RawMessage(nil), json.RawMessage(`null`), `normalised: . nil → null`},
		{"raw JSON as bytes", []any{json.RawMessage(`1`)}, []any{[]byte(`1`)},
			"normalised: [0] " + reflect.TypeFor[json.RawMessage]().String() + " 1 → []uint8 0x31 (1 byte)"},
		{"lost key", map[string]int{"a": 1, "b": 2}, map[string]int{"a": 1, "c": 2}, "lossy: [\"b\"] 2 → missing\nlossy: [\"c\"] missing → 2"},
		{"NaN key", map[float64]int{nan: 1}, map[float64]int{1: 1}, "lossy: [1] missing → 1\nlossy: [NaN] 1 keys → 0 keys"},
		{"addr", netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2"), `lossy: . 10.0.0.1 → 10.0.0.2`},
		{"addr equal", netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.1"), ``},
		{"own Equal", money{"1.0"}, money{"1.00"}, `normalised: . 1.0 → 1.00`},
		{"hidden equal", price{"EUR", nil, 5}, price{"EUR", nil, 5}, ``},
		{"hidden lost", price{"EUR", nil, 5}, price{"EUR", nil, 0}, `lossy: . {"c":"EUR","n":5,"t":null} → {"c":"EUR","n":0,"t":null}`},
		{"hidden lost in a list", []price{{}, {cents: 5}}, []price{{}, {}}, `lossy: [1] {"c":"","n":5,"t":null} → {"c":"","n":0,"t":null}`},
		{"hidden kept, other normalised", price{"EUR", nil, 5}, price{"EUR", []string{}, 5}, `normalised: Tags nil → empty`},
		{"hidden lost, other normalised", price{"EUR", nil, 5}, price{"EUR", []string{}, 0},
			"normalised: Tags nil → empty\n" + `lossy: . {"c":"EUR","n":5,"t":null} → {"c":"EUR","n":0,"t":null}`},
		{"hidden zeroed", cached{"a", 7, nil}, cached{"a", 0, nil}, `normalised: sum 7 → 0`},
		{"hidden changed", cached{"a", 7, nil}, cached{"a", 8, nil}, `lossy: sum 7 → 8`},
		{"account kept", account{"a", []entry{{"x", 1}}, map[string]int{"day": 1}, noon, purse{5, "EUR"}},
			account{"a", []entry{{"x", 1}}, map[string]int{"day": 1}, noon.In(time.FixedZone("X", 3600)), purse{5, "EUR"}},
			`normalised: opened 2024-05-01T12:00:00.000000007Z → 2024-05-01T13:00:00.000000007+01:00`},
		{"account: an entry lost", account{entries: []entry{{"x", 1}, {"y", 2}}}, account{entries: []entry{{"x", 1}}},
			`lossy: entries []fidelity.entry (2 elements) → []fidelity.entry (1 element)`},
		{"account: an entry changed", account{entries: []entry{{"x", 1}}}, account{entries: []entry{{"x", 2}}}, `lossy: entries[0].Cents 1 → 2`},
		{"account: a limit changed", account{limits: map[string]int{"day": 1}}, account{limits: map[string]int{"day": 2}},
			`lossy: limits["day"] 1 → 2`},
		{"account: hours of a time lost", account{opened: noon}, account{opened: noon.Truncate(24 * time.Hour)},
			`lossy: opened 2024-05-01T12:00:00.000000007Z → 2024-05-01T00:00:00Z`},
		{"account: a currency changed", account{balance: purse{5, "EUR"}}, account{balance: purse{5, "USD"}},
			`lossy: balance.currency "EUR" → "USD"`},
		{"account: made up", account{}, account{id: "a"}, `lossy: id "" → "a"`},
		{"locations of one name", time.FixedZone("A", 1), time.FixedZone("A", 1), ``},
		{"another location", time.FixedZone("A", 1), time.FixedZone("A", 2),
			`lossy: . A +00:00:01 +00:00:01 +00:00:01 +00:00:01 → A +00:00:02 +00:00:02 +00:00:02 +00:00:02`},
		{"hidden made", cached{"a", 0, nil}, cached{"a", 8, []int{1}}, ``},
		{"hidden in any order", loose{"a", map[string]int{"x": 1, "y": 1, "z": 1}}, loose{"a", map[string]int{"x": 1, "y": 1, "z": 1}}, ``},
		{"hidden equal by Equal", counter{"a", 1, "x"}, counter{"a", 1, "y"}, ``},
		{"hidden lost by Equal", counter{"a", 1, "x"}, counter{"a", 0, "x"}, `lossy: . fidelity.counter{…} → one that it calls unequal`},
		{"lone surrogates of raw JSON", json.RawMessage(`"\ud800"`), json.RawMessage(`"\udc01"`), `lossy: . "\ud800" → "\udc01"`},
		{"a pair of surrogates in raw JSON", json.RawMessage(`"\ud83d\ude00"`), json.RawMessage(`"😀"`), `normalised: . "\ud83d\ude00" → "😀"`},
		{"invalid UTF-8 in raw JSON", json.RawMessage("\"\xff\""), json.RawMessage("\"\ufffd\""), "lossy: . \"\xff\" → \"\ufffd\""},
		{"no json.Number", json.Number(""), json.Number("0"), `normalised: . "" → 0`},
		{"a value under NaN", map[float64]string{nan: "a"}, map[float64]string{nan: "b"}, `lossy: [NaN] "a" → "b"`},
		{"Equal of a list", net.IPv4(10, 0, 0, 1).To4(), net.IPv4(10, 0, 0, 1),
			`normalised: . 0x0a000001 (4 bytes) → 0x00000000000000000000ffff… (16 bytes)`},
		{"Equal of a list denies it", net.IPv4(10, 0, 0, 1).To4(), net.IPv4(10, 0, 0, 2),
			`lossy: . 0x0a000001 (4 bytes) → 0x00000000000000000000ffff… (16 bytes)`},
		{"entries of a sync.Map", syncMap("a", 1, "b", 2), syncMap("a", 1, "b", 2), ``},
		{"a lost entry of a sync.Map", syncMap("a", 1), syncMap(), `lossy: ["a"] 1 → missing`},
		{"keys in another zone", map[time.Time]int{noon: 1}, map[time.Time]int{noon.In(east): 1},
			`normalised: [2024-05-01T12:00:00.000000007Z] 2024-05-01T12:00:00.000000007Z → 2024-05-01T14:00:00.000000007+02:00`},
		{"a value under such a key", map[time.Time]int{noon: 1}, map[time.Time]int{noon.In(east): 2},
			`normalised: [2024-05-01T12:00:00.000000007Z] 2024-05-01T12:00:00.000000007Z → 2024-05-01T14:00:00.000000007+02:00
lossy: [2024-05-01T12:00:00.000000007Z] 1 → 2`},
		{"keys of another type of integer", map[any]int{1: 1}, map[any]int{int64(1): 1}, `normalised: [1] 1 → 1`},
		{"another key", map[any]int{1: 1}, map[any]int{2: 1}, `lossy: [1] 1 → missing
lossy: [2] missing → 1`},
		{"own Equal differs", money{"1.0"}, money{"2"}, `lossy: . 1.0 → 2`},
		{"complex", complex(1, 2), complex(1, 3), `lossy: . (1+2i) → (1+3i)`},
		{"array", [2]int{1, 2}, [2]int{1, 3}, `lossy: [1] 2 → 3`},
		{"func", struct{ F func() }{}, struct{ F func() }{func() {}}, `lossy: F nil → func()`},
		{"long string", strings.Repeat("é", 100), "", `lossy: . "` + strings.Repeat("é", 46) + `… → ""`},
		{"first of its kind", []int{1, 2, 3}, []int{2, 3, 4}, `lossy: [0] 1 → 2`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines []string
			for _, d := range Compare(c.before, c.after, Options{}) {
				lines = append(lines, d.Kind+": "+d.String())
			}
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestCompareMonotonic(t *testing.T) {
	now := time.Now()
	diffs := Compare(now, now.Round(0), Options{})
	if len(diffs) != 1 || diffs[0].Kind != Normalised || diffs[0].Cause != "monotonic clock" {
		t.Errorf("got %v, want one normalised monotonic clock", diffs)
	}
}

func TestCompareCycles(t *testing.T) {
	ring := func(id string) *order {
		a, b := &order{ID: "a"}, &order{ID: id}
		a.Next, b.Next = b, a
		return a
	}
	if d := Compare(ring("b"), ring("b"), Options{}); d != nil {
		t.Errorf("equal rings differ: %v", d)
	}
	if d := Compare(ring("b"), ring("c"), Options{}); len(d) != 1 || d[0].Path != "Next.ID" {
		t.Errorf("got %v, want one difference at Next.ID", d)
	}
	m := map[string]any{}
	m["self"] = m
	n := map[string]any{}
	n["self"] = n
	if d := Compare(m, n, Options{}); d != nil {
		t.Errorf("maps that hold themselves differ: %v", d)
	}
}

func TestCompareDepth(t *testing.T) {
	deep := func() *order {
		var o *order
		for range maxDepth {
			o = &order{Next: o}
		}
		return o
	}
	d := Compare(deep(), deep(), Options{})
	if Grade(d) != GradeLossy || d[0].Cause != "depth" {
		t.Errorf("got %v, want a lossy report of the depth", d)
	}
}

func TestGradeAndSummary(t *testing.T) {
	var s Summary
	if s.Grade() != GradeLossless {
		t.Errorf("empty summary is %s", s.Grade())
	}
	for i := range 10 {
		before := order{Items: []item{{}, {Sku: "a"}}, Metadata: map[string]any{"a": 1, "b": 2, "c": noon}}
		after := order{Items: []item{{}, {Sku: "a"}}, Metadata: map[string]any{"a": 1.0, "b": 2.0, "c": "x"}}
		if i%2 == 0 {
			after.Metadata["c"] = noon
		}
		if i == 3 {
			after.Items[0].Attrs = map[string]any{}
			after.Items[1].Sku = "b"
		}
		s.Add(Compare(before, after, Options{Every: i == 0}))
	}
	var lines []string
	for _, c := range s.Top(10) {
		lines = append(lines, strings.Join([]string{c.Pattern, c.Cause, string(rune('0' + c.Count%10))}, " "))
	}
	want := "Metadata[*] int → float64 0\nMetadata[*] time.Time → string 5\nItems[].Sku value 1\nItems[].Attrs nil → empty 1"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.Grade() != GradeLossy || s.Values() != 10 || s.Kinds() != 4 || len(s.Top(2)) != 2 {
		t.Errorf("grade %s, %d values, %d kinds", s.Grade(), s.Values(), s.Kinds())
	}
}

func TestPatterns(t *testing.T) {
	type row struct {
		Grid [][]int
		Dyn  map[string]any
		Any  any
		Sub  []any
	}
	in := func(n any) row {
		return row{Grid: [][]int{{1}, {n.(int)}},
			Dyn: map[string]any{"a": n, "b": map[string]any{"c": []any{1, n}}, "s": []any{item{Sku: strings.Repeat("x", n.(int))}}},
			Any: map[string]any{"x": []any{n}}, Sub: []any{n, []any{n}}}
	}
	var got []string
	for _, d := range Compare(in(1), in(2), Options{Every: true}) {
		got = append(got, d.Path+" "+d.Pattern)
	}
	want := `Grid[1][0] Grid[][]
Dyn["a"] Dyn[*]
Dyn["b"]["c"][1] Dyn[*]
Dyn["s"][0].Sku Dyn[*].Sku
Any["x"][0] Any[*]
Sub[0] Sub[]
Sub[1][0] Sub[]`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// A field that is left out as announced is a normalisation; one that comes back as
// something else, or in another struct, is a loss.
func TestLeftOut(t *testing.T) {
	type inner struct{ Token, Name string }
	type outer struct {
		Token string
		In    inner
	}
	left := Options{LeftOut: map[Field]bool{{reflect.TypeFor[inner](), "Token"}: true}}
	v := outer{"a", inner{"b", "c"}}
	for _, c := range []struct {
		after outer
		want  string
	}{
		{v, ""},
		{outer{"a", inner{"", "c"}}, "normalised In.Token left out"},
		{outer{"a", inner{"x", "c"}}, "lossy In.Token value"},
		{outer{"", inner{"", "c"}}, "lossy Token value, normalised In.Token left out"},
	} {
		var got []string
		for _, d := range Compare(v, c.after, left) {
			got = append(got, d.Kind+" "+d.Pattern+" "+d.Cause)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%+v: %s, want %s", c.after, s, c.want)
		}
	}
}

// TestTags: a struct tag excuses the codec that reads it, and no other; the first tag that the
// codec asks for decides.
func TestTags(t *testing.T) {
	type row struct {
		J string `json:"-"`
		M string `msgpack:"-"`
		C string `json:"-" cbor:"c"`
		D string `json:"-,"`
	}
	for _, c := range []struct {
		tags []string
		want string // the fields whose loss is a normalisation
	}{
		{nil, ""},
		{[]string{"json"}, "J C"},
		{[]string{"msgpack"}, "M"},
		{[]string{"cbor", "json"}, "J"},
		{[]string{"bson"}, ""},
	} {
		var got []string
		for _, d := range Compare(row{"j", "m", "c", "d"}, row{}, Options{Tags: c.tags}) {
			if d.Kind == Normalised {
				got = append(got, d.Path)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("a codec that reads %q: %q are left out, want %q", c.tags, s, c.want)
		}
	}
}

// TestKeptIsOfJSON: a tag of another codec does not make a field one that encoding/json keeps
// against its tags.
func TestKeptIsOfJSON(t *testing.T) {
	type holder struct {
		Spans []span
		Note  string `msgpack:"-"`
	}
	kept := KeptByJSON([]holder{{[]span{{"a", 7, "n"}}, "x"}})
	if want := (map[Field]bool{{reflect.TypeFor[span](), "At"}: true}); !maps.Equal(kept, want) {
		t.Errorf("kept are %v", kept)
	}
}

// span writes what its struct tag keeps out of JSON, as some types do to write it in another form.
type span struct {
	ID   string
	At   int64  `json:"-"`
	Note string `json:"-"`
}

func (s span) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"ID":%q,"At":%d}`, s.ID, s.At), nil
}

func (s *span) UnmarshalJSON(b []byte) error {
	var x struct {
		ID string
		At int64
	}
	err := json.Unmarshal(b, &x)
	s.ID, s.At = x.ID, x.At
	return err
}

// account is carried by methods that fidelity does not know.
type account struct {
	id      string
	entries []entry
	limits  map[string]int
	opened  time.Time
	balance purse
}

type entry struct {
	Text  string
	Cents int64
}

type purse struct {
	units    int64
	currency string
}

// TestKeptByJSON: a field with tag json:"-" that encoding/json carries by a method is lost by who
// leaves it out; one that encoding/json leaves out too is not.
func TestKeptByJSON(t *testing.T) {
	type holder struct{ Spans []span }
	vals := []holder{{[]span{{"a", 7, "n"}}}, {nil}}
	kept := KeptByJSON(vals)
	if want := (map[Field]bool{{reflect.TypeFor[span](), "At"}: true}); !maps.Equal(kept, want) {
		t.Errorf("kept are %v", kept)
	}
	var lines []string
	for _, d := range Compare(vals[0], holder{[]span{{"a", 0, ""}}}, Options{Kept: kept, Tags: []string{"json"}}) {
		lines = append(lines, d.Kind+" "+d.Path)
	}
	if got := strings.Join(lines, ", "); got != "lossy Spans[0].At, normalised Spans[0].Note" {
		t.Errorf("lost: %s", got)
	}
	if kept := KeptByJSON([]order{{}}); kept != nil {
		t.Errorf("of a type without such methods: %v", kept)
	}
}

// tool writes its parameters, and no method reads them.
type tool struct {
	Name   string
	Params map[string]int `json:"-"`
	Note   string         `json:"-"`
}

func (t tool) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"Name": t.Name, "params": t.Params})
}

type byPointer struct {
	Name string
	N    int `json:"-"`
}

func (p *byPointer) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.Name, p.N}) }

func (p *byPointer) UnmarshalJSON([]byte) error { return nil }

type base struct {
	Name string
	Note string `json:"-"`
}

func (b base) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"n": b.Name, "x": b.Note})
}

type needy struct {
	Name string
	N    *int `json:"-"`
}

func (n needy) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{n.Name: *n.N}) }

type counting struct {
	Name string
	N    int `json:"-"`
}

var counted atomic.Int64

func (c counting) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int64{c.Name: counted.Add(1)})
}

// TestKeptByMarshalJSON: a field with tag json:"-" that encoding/json writes and does not read is data
// too.
func TestKeptByMarshalJSON(t *testing.T) {
	vals := [][]*tool{{{"a", map[string]int{"x": 1}, "n"}}}
	kept := KeptByJSON(vals)
	if want := (map[Field]bool{{reflect.TypeFor[tool](), "Params"}: true}); !maps.Equal(kept, want) {
		t.Errorf("kept are %v", kept)
	}
	diffs := Compare(vals[0], []*tool{{Name: "a"}}, Options{Kept: kept, Tags: []string{"json"}})
	if Grade(diffs) != GradeLossy || len(diffs) != 2 {
		t.Errorf("%+v", diffs)
	}
	// Written by a method that encoding/json does not call, by an embedded struct that nobody can copy,
	// by one that panics without the field, and by one that writes something else at each call.
	type embeds struct{ base }
	none := map[string]map[Field]bool{
		"in a map": KeptByJSON([]map[string]byPointer{{"a": {"a", 1}}}), "embedded": KeptByJSON([]embeds{{base{"a", "n"}}}),
		"panics": KeptByJSON([]needy{{"a", new(int)}}), "counts": KeptByJSON([]counting{{"a", 1}}),
	}
	for name, kept := range none {
		if len(kept) > 0 {
			t.Errorf("%s: kept are %v", name, kept)
		}
	}
	if kept := KeptByJSON([]*byPointer{{"a", 1}}); len(kept) != 1 {
		t.Errorf("by a pointer's method: kept are %v", kept)
	}
	if vals[0][0].Params["x"] != 1 || vals[0][0].Note != "n" {
		t.Errorf("the value is %+v", vals[0][0])
	}
}

// TestEmptyIsNil: the option hides changes between nil and empty, and nothing else.
func TestEmptyIsNil(t *testing.T) {
	type list struct {
		A []int
		M map[string]int
		X any
		B []byte
	}
	empty := list{[]int{}, map[string]int{}, []any{}, []byte{}}
	for _, c := range []struct {
		name string
		a, b any
		want int
	}{
		{"from nil", list{}, empty, 0},
		{"to nil", empty, list{}, 0},
		{"nil pointer", list{X: (*int)(nil)}, list{}, 1},
		{"an element", list{}, list{A: []int{0}}, 1},
		{"a key", empty, list{M: map[string]int{"": 0}}, 1},
		{"a byte lost", list{B: []byte{0}}, empty, 1},
		{"an element of any", list{}, list{X: []any{nil}}, 1},
	} {
		if got := Compare(c.a, c.b, Options{EmptyIsNil: true}); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if got := Compare(list{}, empty, Options{}); len(got) != 4 {
		t.Errorf("without the option: %v", got)
	}
}
