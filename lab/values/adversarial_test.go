package values

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// collect calls f with all cases of T, none of which is refused.
func collect[T any](t *testing.T, f func(c *Case[T])) {
	t.Helper()
	if err := Adversarial(func(c *Case[T]) bool { f(c); return true }); err != nil {
		t.Fatal(err)
	}
}

// Each case differs from the plain value at its places and nowhere else. The first case of an
// extreme has one place, later ones have all others, each once.
func TestAdversarialChangesItsPlaces(t *testing.T) {
	plain, err := Dense[session]()
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]func(s session) bool{
		"zero":                 func(s session) bool { return reflect.DeepEqual(s, session{}) },
		"all nil":              func(s session) bool { return s.Attrs == nil && s.Children == nil && s.Any == nil && s.UserID != "" },
		"uint64 maximum":       func(s session) bool { return s.ID == math.MaxUint64 },
		"int8 minimum":         func(s session) bool { return anyInt8(s) },
		"float64 NaN":          func(s session) bool { return s.Price != s.Price },
		"float64 -0":           func(s session) bool { return s.Price == 0 && math.Signbit(s.Price) },
		"string invalid UTF-8": func(s session) bool { return strings.Contains(s.UserID, "\xff") },
		"time nanoseconds":     func(s session) bool { return s.CreatedAt.Nanosecond() == 123456789 },
		"time zone":            func(s session) bool { return s.CreatedAt.Location() != time.UTC },
		"pointer nil":          func(s session) bool { return s.Birthday == nil },
		"slice empty, not nil": func(s session) bool { return s.Roles != nil && len(s.Roles) == 0 },
		"any uint64 maximum": func(s session) bool {
			return s.Any == uint64(math.MaxUint64) || hasValue(s.Attrs, uint64(math.MaxUint64))
		},
		"bytes of every value":     func(s session) bool { return len(s.Payload) == 256 },
		"big.Float nil":            func(s session) bool { return s.Balance == nil },
		"raw JSON null":            func(s session) bool { return string(s.Raw) == "null" },
		"map with an empty key":    func(s session) bool { _, ok := s.Attrs[""]; return ok && len(s.Attrs) == 1 },
		"slice with a nil element": func(s session) bool { return len(s.Children) == 1 && s.Children[0] == nil },
	}
	names, places := map[string]bool{}, map[string]bool{}
	var texts []string // of all cases
	collect(t, func(c *Case[session]) {
		s := *c.Value
		texts = append(texts, fmt.Sprintf("%s %q %v", c.Name, c.Paths, fidelity.Compare(plain, s, fidelity.Options{})))
		if !names[c.Name] {
			names[c.Name] = true
			if len(c.Paths) != 1 {
				t.Errorf("%s starts at %q", c.Name, c.Paths)
			}
			if ok := expected[c.Name]; ok != nil && !ok(s) {
				t.Errorf("case %q: %+v", c.Name, s)
			}
		}
		for _, p := range c.Paths {
			if at := c.Name + " at " + p; places[at] {
				t.Errorf("%s occurs twice", at)
			} else {
				places[at] = true
			}
		}
		for _, d := range fidelity.Compare(plain, *c.Value, fidelity.Options{}) {
			if !slices.ContainsFunc(c.Paths, func(p string) bool { return p == "." || strings.HasPrefix(d.Path, p) }) {
				t.Errorf("%s: %s changed %s", c.Name, c.Paths, d)
			}
		}
	})
	if len(texts) < 60 {
		t.Errorf("only %d cases", len(texts))
	}
	for name := range expected {
		if !names[name] {
			t.Errorf("there is no case %q", name)
		}
	}
	after, _ := Dense[session]()
	if d := fidelity.Compare(plain, after, fidelity.Options{}); d != nil {
		t.Errorf("what it starts from changed: %v", d)
	}
	n := 0
	collect(t, func(c *Case[session]) {
		if text := fmt.Sprintf("%s %q %v", c.Name, c.Paths, fidelity.Compare(plain, *c.Value, fidelity.Options{})); n < len(texts) &&
			text != texts[n] {
			t.Errorf("%s\nis at a second call\n%s", texts[n], text)
		}
		n++
	})
	if err := Adversarial(func(*Case[opaque]) bool { return true }); err == nil {
		t.Error("no error for a type that cannot be filled")
	}
}

// scattered has int64s in every sort of place.
type scattered struct {
	A, B int64
	List []struct{ N int64 }
	By   map[string]struct{ N, M int64 }
	Row  [2]struct{ Cell [2]int64 }
	Tree *scattered
}

// TestAdversarialEverywhere: an extreme comes to every place of its kind, in maps, arrays and
// what recursion holds too.
func TestAdversarialEverywhere(t *testing.T) {
	plain, err := Dense[scattered]()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	var only int64 // 0: any
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.Int64:
			if only == 0 || v.Int() == only {
				found[path] = true
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				walk(v.MapIndex(k), fmt.Sprintf("%s[%q]", path, k))
			}
		}
	}
	walk(reflect.ValueOf(plain), "")
	want := found
	found, only = map[string]bool{}, math.MinInt64
	collect(t, func(c *Case[scattered]) {
		if c.Name == "int64 minimum" {
			walk(reflect.ValueOf(*c.Value), "")
		}
	})
	if len(want) < 12 || !maps.Equal(want, found) {
		t.Errorf("int64s at %v, extremes at %v", slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(found)))
	}
}

// TestRefusedPlacesHideNone: where one place of many is refused, each other one has its case.
func TestRefusedPlacesHideNone(t *testing.T) {
	taken := map[string]bool{}
	refuses := func(c *Case[scattered]) bool {
		if c.Name == "int64 maximum" && slices.Contains(c.Paths, "B") {
			return false
		}
		for _, p := range c.Paths {
			taken[c.Name+" "+p] = true
		}
		return true
	}
	if err := Adversarial(refuses); err != nil {
		t.Fatal(err)
	}
	all := 0
	for at := range taken {
		if p, ok := strings.CutPrefix(at, "int64 minimum "); ok {
			all++
			if !taken["int64 maximum "+p] && p != "B" {
				t.Errorf("%s was not tried without B", p)
			}
		}
	}
	if all < 12 || taken["int64 maximum B"] {
		t.Errorf("%d places, %v", all, taken)
	}
	// Around puts every place back.
	v, _ := Dense[scattered]()
	was, _ := Dense[scattered]()
	n := 0
	Around(&v, func(c *Case[scattered]) bool { n++; return refuses(c) })
	if d := fidelity.Compare(was, v, fidelity.Options{}); d != nil || n < 20 {
		t.Errorf("after %d cases: %v", n, d)
	}
}

func anyInt8(s session) bool {
	for _, m := range s.Nested {
		for _, v := range m {
			if v == math.MinInt8 {
				return true
			}
		}
	}
	return s.Tiny == math.MinInt8
}

func hasValue(m map[string]any, want any) bool {
	for _, v := range m {
		if reflect.DeepEqual(v, want) {
			return true
		}
	}
	return false
}

type rung uint8

type inner struct{ Promoted string }

// wrapped has a JSON form of its own that keeps what its fields hold, but for NaN.
type wrapped struct {
	N int64
	F float64
}

func (w wrapped) MarshalJSON() ([]byte, error) {
	type plain wrapped
	return json.Marshal(plain(w))
}

func (w *wrapped) UnmarshalJSON(b []byte) error {
	type plain wrapped
	return json.Unmarshal(b, (*plain)(w))
}

// scaled is written as one followed by so many zeros.
type scaled struct{ Exp int32 }

func (s scaled) MarshalText() ([]byte, error) {
	if s.Exp > 1000 {
		panic("gigabytes")
	}
	return []byte("1" + strings.Repeat("0", max(0, int(s.Exp)))), nil
}

func (s *scaled) UnmarshalText(b []byte) error {
	s.Exp = int32(len(b) - 1)
	return nil
}

// TestPlaces: what extremes reach beside plain fields.
func TestPlaces(t *testing.T) {
	type odd struct {
		inner
		Levels []rung
		Own    wrapped
		Ints   map[int64]string
		Sum    big.Int
		Ratio  *big.Rat
		Wave   complex128
		Any    any
		Rows   [200]string
		Parts  []*wrapped
		Scale  scaled
	}
	tried := map[string]bool{}
	collect(t, func(c *Case[odd]) {
		for _, p := range c.Paths {
			tried[c.Name+" "+p] = true
			if strings.HasPrefix(p, "Scale.") {
				t.Errorf("%s is put into %s, whose text is as long as its number is large", c.Name, p)
			}
		}
	})
	for _, want := range []string{"string invalid UTF-8 inner.Promoted", "bytes of every value Levels", "int64 maximum Own.N",
		"float64 -0 Own.F",
		"map key int64 maximum Ints", "big.Int negative, 1000 bits Sum", "big.Rat nil Ratio", "complex128 NaN Wave",
		"any string invalid UTF-8 Any",
		"string empty Rows[0]", "string empty Rows[199]", "slice with a nil element Parts"} {
		if !tried[want] {
			t.Errorf("not tried: %s", want)
		}
	}
	for _, not := range []string{"float64 NaN Own.F", "pointer nil Parts[0]", "string empty Rows[100]"} {
		if tried[not] {
			t.Errorf("tried: %s", not)
		}
	}
}

// hub, spoke and rim refer to each other in many fields, as the types of an API do.
type hub struct {
	Name             string
	A, B, C, D, E, F *spoke
	Spokes           []*spoke
	ByName           map[string]rim
	Last             *lastOfHub
}

type spoke struct {
	Name              *string
	Hub, Other, Third *hub
	Rims              []rim
}

type rim struct {
	Spokes []spoke
	Hubs   map[string]*hub
	Next   *rim
}

type lastOfHub struct{ Reached *string }

// TestDenseOfManyReferences: a dense value of types that refer to each other is small, and holds
// something in each field of each of them, the last ones too.
func TestDenseOfManyReferences(t *testing.T) {
	v, err := Dense[hub]()
	if err != nil {
		t.Fatal(err)
	}
	structs, held := 0, map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				walk(v.MapIndex(k))
			}
		case reflect.Struct:
			structs++
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				held[name] = held[name] || !v.Field(i).IsZero()
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(&v))
	for name, ok := range held {
		if !ok {
			t.Errorf("%s holds nothing", name)
		}
	}
	if len(held) != 19 || structs > 400 {
		t.Errorf("%d fields, %d structs", len(held), structs)
	}
}

// TestLongOfEachType: an extreme that takes memory reaches a place of each type.
func TestLongOfEachType(t *testing.T) {
	type lists struct {
		A, B, C []string
		D, E    []int64
		F, G    []bool
		H       []float32
	}
	reached := map[string]bool{}
	collect(t, func(c *Case[lists]) {
		if c.Name == "slice of 65,537" {
			for _, p := range c.Paths {
				reached[p] = true
			}
		}
	})
	for _, p := range []string{"A", "D", "F", "H"} {
		if !reached[p] {
			t.Errorf("%s is never long: %v", p, reached)
		}
	}
}
