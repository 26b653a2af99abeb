package side

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

type inner struct {
	Text string
	N    int
}

type outer struct {
	Name  string `json:"name"`
	List  []inner
	Map   map[string]*inner
	Any   any
	Pair  [2]int
	When  time.Time
	Bytes []byte
	inner // promoted fields
	quiet int
}

func sample() *outer {
	return &outer{
		Name: "abc", List: []inner{{"x", 1}, {"y", 2}}, Map: map[string]*inner{"k": {"z", 3}, "l": nil},
		Any: map[string]any{"a": []any{1.5, "s"}}, Pair: [2]int{4, 5}, When: time.Unix(0, 0).UTC(), Bytes: []byte{1},
		inner: inner{"in", 6}, quiet: 7,
	}
}

func spellLines(v any) string {
	return strings.Join(Lines(reflect.ValueOf(v).Elem()), "\n")
}

// TestLines: the lines tell apart what programs tell apart, and nothing else.
func TestLines(t *testing.T) {
	if a, b := spellLines(sample()), spellLines(sample()); a != b {
		t.Errorf("two equal values:\n%s\n\n%s", a, b)
	}
	zero := 0.0
	for name, pair := range map[string][2]any{
		"nil and empty slice": {&outer{}, &outer{List: []inner{}}},
		"nil and empty map":   {&outer{}, &outer{Map: map[string]*inner{}}},
		"0 and -0":            {&outer{Any: 0.0}, &outer{Any: -1 * zero * 1}},
		"int and float":       {&outer{Any: 1}, &outer{Any: 1.0}},
		"unexported":          {&outer{quiet: 1}, &outer{quiet: 2}},
		"key":                 {&outer{Map: map[string]*inner{"a": nil}}, &outer{Map: map[string]*inner{"b": nil}}},
		"zone":                {&outer{When: time.Unix(0, 0).UTC()}, &outer{When: time.Unix(0, 0).In(time.FixedZone("", 3600))}},
		"long strings":        {&outer{Name: strings.Repeat("a", 500) + "b"}, &outer{Name: strings.Repeat("a", 500) + "c"}},
	} {
		if name == "0 and -0" {
			pair[1] = &outer{Any: negative(zero)}
		}
		if spellLines(pair[0]) == spellLines(pair[1]) {
			t.Errorf("%s have the same lines:\n%s", name, spellLines(pair[0]))
		}
	}
	type loop struct{ Next *loop }
	l := &loop{}
	l.Next = l
	if n := len(Lines(reflect.ValueOf(l).Elem())); n > 10 {
		t.Errorf("%d lines for a value that contains itself", n)
	}
}

func negative(f float64) float64 { return -f }

// TestCopy: cuts of a copy do not change the value that it was made from.
func TestCopy(t *testing.T) {
	v := sample()
	before := spellLines(v)
	if spellLines(Copy(v)) != before {
		t.Fatalf("the copy is\n%s\nof\n%s", spellLines(Copy(v)), before)
	}
	places := Places(reflect.ValueOf(v).Elem())
	if len(places) < 15 {
		t.Errorf("only %d places: %v", len(places), places)
	}
	for _, p := range places {
		c := Copy(v)
		Cut(reflect.ValueOf(c).Elem(), p)
		if spellLines(v) != before {
			t.Fatalf("cut %s changed the value itself:\n%s", p, spellLines(v))
		}
		if spellLines(c) == before {
			t.Errorf("cut %s changes nothing", p)
		}
	}
}

// TestCut: all cuts one after the other leave next to nothing.
func TestCut(t *testing.T) {
	v := sample()
	for range 100 {
		places := Places(reflect.ValueOf(v).Elem())
		if len(places) == 0 {
			break
		}
		Cut(reflect.ValueOf(v).Elem(), places[len(places)-1])
	}
	v.quiet = 0
	if !reflect.ValueOf(*v).IsZero() {
		t.Errorf("left is %s", Spell(reflect.ValueOf(v).Elem()))
	}
	for _, wrong := range []string{"", "z", "z:99", "z:1.x", "d:0", "k9:0", "q:0", "z:1.5.0", "d:2.7"} {
		Cut(reflect.ValueOf(v).Elem(), wrong) // must not panic
	}
	s := "a<b"
	Cut(reflect.ValueOf(&s).Elem(), "k1:")
	if s != "<" {
		t.Errorf("%q, want the second character", s)
	}
}

// TestServer asks a server without a process.
func TestServer(t *testing.T) {
	open := func(pins []string) (func(any) ([]byte, error), func([]byte, any) error, error) {
		return func(v any) ([]byte, error) {
			b, err := json.Marshal(v)
			if len(pins) > 0 {
				b = bytes.ToUpper(b)
			}
			return b, err
		}, json.Unmarshal, nil
	}
	c := Codec[outer](open, []string{"upper"})
	if err := c.Setup([]outer{*sample()}); err != nil {
		t.Fatal(err)
	}
	data, err := c.Commands[CmdList](`{}`)
	if err != nil {
		t.Fatal(err)
	}
	var l Listed
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	if l.Drawn != 1 || !l.Dense || len(l.Cases) < 50 || len(l.Sums) != 2+len(l.Cases) || !slices.Contains(l.Names, "name") ||
		slices.Contains(l.Names, "quiet") {
		t.Fatalf("%d drawn, dense %t, %d cases, %d sums, names %v", l.Drawn, l.Dense, len(l.Cases), len(l.Sums), l.Names)
	}
	last := 1 + len(l.Cases)
	out := ask(t, c.Commands[CmdProbe], []Item{
		{Value: 0, Full: true}, {Value: 0, Pins: []string{"upper"}, Full: true}, {Value: last, Full: true}, {Value: last, Cuts: []string{"z:0"}},
		{Read: true, Doc: []byte(`{"name":"x"}`), Full: true}, {Read: true, Doc: []byte(`{}`), Into: []byte(`{"name":"x"}`), Full: true},
		{Read: true}, {Value: 1, List: true}, {Read: true, Doc: []byte(`{"name":1}`)},
	})
	if !out[0].OK() || !bytes.Contains(out[0].Out, []byte(`"abc"`)) || !bytes.Contains(out[1].Out, []byte(`"ABC"`)) ||
		!out[2].OK() || !out[3].OK() {
		t.Errorf("%+v", out[:4])
	}
	for _, i := range []int{4, 5} {
		if !slices.Contains(out[i].Lines, `Name = "x"`) {
			t.Errorf("%+v", out[i])
		}
	}
	if out[6].OK() || !slices.Contains(out[6].Types, "*encoding/json.SyntaxError") {
		t.Errorf("an empty document: %+v", out[6])
	}
	if len(out[7].Places) == 0 || !slices.Contains(out[8].Types, "*encoding/json.UnmarshalTypeError") {
		t.Errorf("%+v", out[7:])
	}
}

// TestUnsteadyReading: a reader that seldom gives another value is found out where the value matters.
func TestUnsteadyReading(t *testing.T) {
	calls := 0
	c := Codec[outer](func([]string) (func(any) ([]byte, error), func([]byte, any) error, error) {
		return json.Marshal, func(_ []byte, v any) error {
			if calls++; calls%8 == 0 {
				v.(*outer).Name = "x"
			}
			return nil
		}, nil
	}, nil)
	if err := c.Setup([]outer{*sample()}); err != nil {
		t.Fatal(err)
	}
	out := ask(t, c.Commands[CmdProbe], []Item{{Read: true, Doc: []byte(`{}`), Full: true}})
	if !out[0].OK() || !out[0].Unstable {
		t.Errorf("%+v", out[0])
	}
}

func ask(t *testing.T, do func(string) (json.RawMessage, error), items []Item) (out []Outcome) {
	t.Helper()
	text, err := json.Marshal(items)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "items")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	arg, err := json.Marshal(Probe{File: file})
	if err != nil {
		t.Fatal(err)
	}
	data, err := do(string(arg))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
