package fxjson_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// cents have functions, money has methods that do the same, for encoding/json to be the oracle.
type (
	cents int64
	money int64
)

func marshalCents(c cents) ([]byte, error) {
	switch {
	case c%101 == 100:
		return nil, errors.New("bad cents")
	case c%103 == 102:
		return []byte(`{"x":}`), nil
	}
	return fmt.Appendf(nil, ` { "<c>" : %d } `, int64(c)), nil
}

func unmarshalCents(b []byte, c *cents) error {
	if string(b) == "null" {
		*c = -1
		return nil
	}
	n, err := strconv.ParseInt(strings.Trim(string(b), "{} \"<>c:\\u03e"), 10, 64)
	*c = cents(n)
	return err
}

func (m money) MarshalJSON() ([]byte, error) { return marshalCents(cents(m)) }

func (m *money) UnmarshalJSON(b []byte) error { return unmarshalCents(b, (*cents)(m)) }

// ledger has a T wherever one can be.
type ledger[T any] struct {
	A      T
	Ptr    *T `json:"ptr,omitempty"`
	PtrPtr **T
	List   []T
	Array  [2]T         `json:"array,omitzero"`
	Map    map[string]T `json:"map"`
	Ptrs   map[int]*T   `json:",omitempty"`
	Zero   T            `json:"zero,omitempty"`
	Any    any          `json:"any"`
	Anys   []any        `json:"anys"`
	ByName map[string]any
	Next   *ledger[T] `json:"next,omitempty"`
	ledgerBase[T]
	Plain jsontypes.SSEEvent // generated code
	Raw   json.RawMessage
	Time  time.Time
}

type ledgerBase[T any] struct {
	Base T `json:"base"`
	N    []float64
}

// fillLedger sets a ledger to what seed makes of it.
func fillLedger[T any](seed uint64) *ledger[T] {
	r := rand.New(rand.NewPCG(seed, 1))
	v := new(ledger[T])
	fill(r, reflect.ValueOf(v).Elem(), 3)
	for l := v; l != nil; l = l.Next {
		l.Any, l.Anys, l.ByName = l.A, []any{l.A, &l.Zero, nil, "s", []T{l.A}, map[string]T{"k": l.A}},
			map[string]any{"a": l.Base, "b": []any{&l.Base}}
		l.N, l.Raw = nil, nil
	}
	return v
}

// TestFuncs compares functions with methods that do the same, by encoding/json and by fxjson.
func TestFuncs(t *testing.T) {
	out := fxjson.DefaultMarshal
	out.Marshalers = fxjson.MarshalFunc(marshalCents)
	in := fxjson.UnmarshalOptions{Unmarshalers: fxjson.UnmarshalFunc(unmarshalCents)}
	failed, n := 0, runs(1500)
	for seed := range uint64(n) {
		have, want := fillLedger[cents](seed), fillLedger[money](seed)
		got, err := out.Marshal(have)
		std, stdErr := json.Marshal(want)
		if (err == nil) != (stdErr == nil) || !bytes.Equal(got, std) {
			t.Fatalf("seed %d:\n%s, %v\nwant\n%s, %v", seed, got, err, std, stdErr)
		}
		byValue, err := out.Append([]byte("x"), *have)
		if (err == nil) != (stdErr == nil) || err == nil && string(byValue) != "x"+string(std) || err != nil && string(byValue) != "x" {
			t.Fatalf("seed %d, by value:\n%s, %v\nwant\n%s", seed, byValue, err, std)
		}
		if stdErr != nil {
			failed++
			continue
		}
		r := rand.New(rand.NewPCG(seed, 2))
		for _, doc := range [][]byte{std, mutate(r, std), mutate(r, std)} {
			a, b := new(ledger[cents]), new(ledger[money])
			if seed%3 == 0 {
				a, b = fillLedger[cents](seed+1), fillLedger[money](seed+1)
				a.Anys, b.Anys = nil, nil
			}
			err, stdErr := in.Unmarshal(doc, a), json.Unmarshal(doc, b)
			if (err == nil) != (stdErr == nil) {
				t.Fatalf("seed %d, %s: %v, want %v", seed, doc, err, stdErr)
			}
			x, _ := json.Marshal((*plainLedger)(a))
			y, _ := json.Marshal((*plainLedger)(convertLedger(b)))
			if err == nil && !bytes.Equal(x, y) {
				t.Fatalf("seed %d, %s:\n%s\nwant\n%s", seed, doc, x, y)
			}
		}
	}
	if failed == 0 || failed > n*2/3 {
		t.Errorf("%d of %d values failed: too few or too many to prove anything", failed, n)
	}
}

type plainLedger ledger[cents]

// convertLedger is l with cents in place of money.
func convertLedger(l *ledger[money]) *ledger[cents] {
	return reflect.NewAt(reflect.TypeFor[ledger[cents]](), reflect.ValueOf(l).UnsafePointer()).Interface().(*ledger[cents])
}

// TestFuncsForKnownTypes gives functions for types that have generated code, methods or kinds known
// by heart, by themselves and in types with generated code.
func TestFuncsForKnownTypes(t *testing.T) {
	opt := fxjson.DefaultMarshal
	opt.Marshalers = fxjson.JoinMarshalers(
		fxjson.MarshalFunc(func(t time.Time) ([]byte, error) { return strconv.AppendInt(nil, t.Unix(), 10), nil }),
		fxjson.MarshalFunc(func(e jsontypes.SSEEvent) ([]byte, error) { return strconv.AppendQuote(nil, e.ID), nil }),
		fxjson.MarshalFunc(func(f float64) ([]byte, error) { return strconv.AppendFloat(nil, f, 'f', 2, 64), nil }),
		nil, fxjson.MarshalFunc(func(float64) ([]byte, error) { return nil, errors.New("the second one") }),
	)
	in := fxjson.UnmarshalOptions{Unmarshalers: fxjson.JoinUnmarshalers(
		fxjson.UnmarshalFunc(func(b []byte, t *time.Time) error {
			n, err := strconv.ParseInt(string(b), 10, 64)
			*t = time.Unix(n, 0).UTC()
			return err
		}),
		fxjson.UnmarshalFunc(func(b []byte, e *jsontypes.SSEEvent) error { e.ID = string(b); return nil }),
	)}
	type times struct {
		At    time.Time
		List  []time.Time
		Quote float64 `json:",string"`
		Fixed float64 `fxjson:"decimals=4"`
		Many  []float64
		Event *jsontypes.SSEEvent
	}
	v := times{time.Unix(7, 0), []time.Time{time.Unix(8, 0)}, 1, 2, []float64{3, 4.005}, &jsontypes.SSEEvent{ID: "e"}}
	want := `{"At":7,"List":[8],"Quote":1.00,"Fixed":2.00,"Many":[3.00,4.00],"Event":"e"}`
	got, err := opt.Marshal(v)
	if string(got) != want || err != nil {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	var enc bytes.Buffer
	e := fxjson.NewEncoder(&enc)
	e.SetOptions(opt)
	if err := e.Encode([]any{v, time.Unix(9, 0)}); enc.String() != "["+want+",9]\n" || err != nil {
		t.Errorf("%s, %v", &enc, err)
	}
	var back times
	dec := fxjson.NewDecoder(strings.NewReader(`{"At":5,"List":[6],"Event":{"id":1}}`))
	dec.SetOptions(in)
	if err := dec.Decode(&back); err != nil || back.At.Unix() != 5 || back.List[0].Unix() != 6 || back.Event.ID != `{"id":1}` {
		t.Errorf("%+v, %v", back, err)
	}
	s := jsontypes.SSEEvent{ID: "root"}
	if got, err := opt.Marshal(&s); string(got) != `"root"` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if err := in.Unmarshal([]byte(`"own"`), &s); s.ID != `"own"` || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if err := in.Unmarshal([]byte(`{"At":"x"}`), &back); err == nil ||
		!strings.Contains(err.Error(), `unmarshal time.Time: strconv.ParseInt`) {
		t.Errorf("%v", err)
	}
	// A call with functions leaves nothing behind for calls without.
	if b, err := fxjson.Marshal(v); err != nil || !bytes.Contains(b, []byte(`"At":"1970`)) {
		t.Errorf("without functions: %s, %v", b, err)
	}
	for _, f := range []func(){
		func() { fxjson.MarshalFunc(func(*times) ([]byte, error) { return nil, nil }) },
		func() { fxjson.UnmarshalFunc(func([]byte, *any) error { return nil }) },
	} {
		if ended(func() ([]byte, error) { f(); return nil, nil }) != "panic" {
			t.Error("a function for a pointer or an interface is accepted")
		}
	}
}

// bothForms holds a type with a function, and has methods of two forms.
type bothForms struct{ C cents }

func (bothForms) MarshalJSON() ([]byte, error) { return []byte(`"as JSON"`), nil }
func (bothForms) MarshalText() ([]byte, error) { return []byte("as text"), nil }

// TestFuncsInInterfaces holds that a method of an interface's own counts, as without functions,
// unless the value has a function.
func TestFuncsInInterfaces(t *testing.T) {
	opt := fxjson.DefaultMarshal
	opt.Marshalers = fxjson.JoinMarshalers(fxjson.MarshalFunc(marshalCents),
		fxjson.MarshalFunc(func(netip.Addr) ([]byte, error) { return []byte("4"), nil }))
	v := struct {
		Text  []encoding.TextMarshaler
		JSON  []json.Marshaler
		Any   []any
		Other []encoding.TextMarshaler
	}{[]encoding.TextMarshaler{bothForms{}, &bothForms{}}, []json.Marshaler{bothForms{}}, []any{bothForms{}},
		[]encoding.TextMarshaler{netip.Addr{}, &netip.Addr{}}}
	text, err := json.Marshal(v.Text) // version 2 looks at what the interface holds
	if err != nil {
		t.Fatal(err)
	}
	want := `{"Text":` + string(text) + `,"JSON":["as JSON"],"Any":["as JSON"],"Other":[4,4]}`
	if got, err := opt.Marshal(&v); string(got) != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
