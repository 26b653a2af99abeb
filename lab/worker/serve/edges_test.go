package serve

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

// graded is the verdict over values of T.
func graded[T any](t *testing.T, c worker.Contender[T], sample func(*rand.Rand) T) *worker.Fidelity {
	t.Helper()
	b := newBinding(worker.Subject[T]{Name: "worker.T", Sample: sample}, c, nil)
	if _, err := b.values(&worker.Request{Seed: 3, N: 32}); err != nil {
		t.Fatal(err)
	}
	f, err := b.fidelity()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func stdJSON[T any]() worker.Contender[T] {
	return worker.Contender[T]{Name: "json", Family: "json", Encoders: []worker.Encoder[T]{worker.Marshal[T]("fresh", json.Marshal)},
		Decoders: worker.Unmarshal[T](json.Unmarshal)}
}

func stdGob[T any]() worker.Contender[T] {
	marshal := func(v any) ([]byte, error) {
		var out bytes.Buffer
		err := gob.NewEncoder(&out).Encode(v)
		return out.Bytes(), err
	}
	unmarshal := func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }
	return worker.Contender[T]{Name: "gob", Family: "binary",
		Encoders: []worker.Encoder[T]{worker.Marshal[T]("fresh", marshal)}, Decoders: worker.Unmarshal[T](unmarshal)}
}

// lostEdges are the extremes that came back as something else.
func lostEdges(f *worker.Fidelity) (names []string) {
	for _, e := range f.Edges {
		if e.Result == worker.EdgeLost {
			names = append(names, e.Name)
		}
	}
	return names
}

func wantLost(t *testing.T, f *worker.Fidelity, names ...string) {
	t.Helper()
	for _, name := range names {
		if !slices.Contains(lostEdges(f), name) {
			t.Errorf("%s is lost and not named: grade %s, lost %q", name, f.Value.Grade, lostEdges(f))
		}
	}
}

type optionals struct {
	ID     string
	Rate   float64
	Qty    *int64
	Note   *string
	Labels map[string]string
	Parts  map[string]*struct{ A string }
}

// gob leaves zeros out, also those behind pointers; JSON replaces invalid UTF-8 in keys too.
func TestPointersToZeroAndKeys(t *testing.T) {
	f := graded(t, stdGob[optionals](), nil)
	wantLost(t, f, "pointer to zero int64", "pointer to zero string")
	wantLost(t, graded(t, stdJSON[optionals](), nil), "map key invalid UTF-8")
	for _, e := range f.Edges {
		if e.Name == "map with an empty key" {
			t.Errorf("%+v: gob carries empty keys", e)
		}
	}
}

// digit has a method on the pointer, which encoding/json does not call for elements of a map:
// it cannot read such maps back, and neither can it the value with something in every place.
type digit int

func (d *digit) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d"`, int(*d)), nil }
func (d *digit) UnmarshalJSON(b []byte) error {
	_, err := fmt.Sscanf(string(b), `"%d"`, (*int)(d))
	return err
}

type refusing struct {
	Name  string
	Count *digit
	By    map[string]digit
}

// TestExtremesWithoutDense: a type whose dense value is refused has its extremes all the same.
func TestExtremesWithoutDense(t *testing.T) {
	sample := func(r *rand.Rand) refusing { d := digit(r.IntN(90)); return refusing{Name: "a", Count: &d} }
	f := graded(t, stdJSON[refusing](), sample)
	wantLost(t, f, "string invalid UTF-8")
	if f.Tried < 6 {
		t.Errorf("%d extremes tried", f.Tried)
	}
}

type sealedPart struct{ n int64 } // nobody reads or writes it

// TestExtremesOfSampled: so has one that only the package's own function can make.
func TestExtremesOfSampled(t *testing.T) {
	type holder struct {
		Name string
		Part *sealedPart
	}
	f := graded(t, stdJSON[holder](), func(r *rand.Rand) holder { return holder{"a", &sealedPart{1 + r.Int64N(9)}} })
	wantLost(t, f, "string invalid UTF-8")
	if f.Value.Grade != "LOSSY" {
		t.Errorf("grade %s, while Part.n is lost", f.Value.Grade)
	}
}

// TestExtremesOfOwnedAny: the generator's content of an interface is not in the grade of a
// user's own values, and therefore among the extremes.
func TestExtremesOfOwnedAny(t *testing.T) {
	type event struct {
		Name string
		Any  any
	}
	f := graded(t, stdJSON[event](), func(*rand.Rand) event { return event{"a", "text"} })
	if f.Value.Grade != "LOSSLESS" {
		t.Errorf("grade %+v", f.Value)
	}
	wantLost(t, f, "any int", "any time", "any bytes", "any nested")
	if slices.ContainsFunc(f.Edges, func(e worker.Edge) bool {
		return strings.HasPrefix(e.Name, "string ") && strings.HasPrefix(e.Path, "Any")
	}) {
		t.Errorf("extremes of strings are blamed on Any: %+v", f.Edges)
	}
}

// reach is what an interface holds.
type reach struct{ N int64 }

// TestExtremesBehindInterface: what a codec does to a struct in an interface shows where the user's
// own values have one.
func TestExtremesBehindInterface(t *testing.T) {
	type holder struct {
		Name string
		Any  any
	}
	gob.Register(reach{})
	cut := stdGob[holder]()
	dec := cut.Decoders[0].New()
	cut.Decoders[0].New = func() func([]byte, *holder) error {
		return func(b []byte, v *holder) error {
			err := dec(b, v)
			if r, ok := v.Any.(reach); ok {
				v.Any = reach{int64(int32(r.N))}
			}
			return err
		}
	}
	f := graded(t, cut, func(*rand.Rand) holder { return holder{"a", reach{5}} })
	if f.Value.Grade != "LOSSLESS" {
		t.Errorf("grade %+v", f.Value)
	}
	wantLost(t, f, "int64 minimum", "int64 maximum")
}

// TestUnseenState: what no codec sees is lost, or left out, in the open.
func TestUnseenState(t *testing.T) {
	type counted struct {
		Name string
		Hits atomic.Int64
		On   atomic.Pointer[string]
	}
	if f := graded(t, stdJSON[counted](), nil); f.Value.Grade != "LOSSY" {
		t.Errorf("atomic counters: %+v", f.Value)
	}
	type linked struct{ Home *url.URL }
	user := func(*rand.Rand) linked {
		return linked{&url.URL{Scheme: "https", Host: "a.example", User: url.UserPassword("u", "p")}}
	}
	if f := graded(t, stdJSON[linked](), user); f.Value.Grade != "LOSSY" {
		t.Errorf("the password of a URL: %+v", f.Value)
	}
	type session struct {
		Name  string
		token string
	}
	f := graded(t, stdJSON[session](), func(*rand.Rand) session { return session{"a", "secret"} })
	if f.Value.Grade != "NORMALISED" || f.Value.Diffs[0].Path != "token" {
		t.Errorf("an unexported field: %+v", f.Value)
	}
}

// TestKeptOut: a field that its tag keeps out of messages is no loss, and needs no value.
func TestKeptOut(t *testing.T) {
	type service struct {
		Name  string
		Cache map[string]int `json:"-"`
		Log   *sealedPart    `json:"-"`
		Pool  sealedPart     `json:"-"`
	}
	f := graded(t, stdJSON[service](), nil)
	if f.Value.Grade != "NORMALISED" || f.Value.Diffs[0].Path != "Cache" {
		t.Errorf("grade %+v", f.Value)
	}
	if f := graded(t, stdGob[struct{ Name, Cache string }](), nil); f.Value.Grade != "LOSSLESS" {
		t.Errorf("grade %+v", f.Value)
	}
}

// TestExtremesEverywhere: a codec that keeps the first place of a kind and not a later one
// loses the extreme, where it does; one that refuses a place does not hide what another loses.
func TestExtremesEverywhere(t *testing.T) {
	type line struct{ Qty int64 }
	type order struct {
		ID, Total int64
		Rate, Tax float64
		Lines     []line
		Sku, Note string
	}
	gobs := stdGob[order]()
	enc := gobs.Encoders[0].New()
	for name, c := range map[string]struct {
		change            func(o *order) error
		edge, path, after string
	}{
		"second field":   {func(o *order) error { o.Total = int64(int32(o.Total)); return nil }, "int64 minimum", "Total", worker.EdgeLost},
		"in a list":      {func(o *order) error { o.Lines[0].Qty &= 1<<40 - 1; return nil }, "int64 maximum", "Lines[0].Qty", worker.EdgeLost},
		"second element": {func(o *order) error { o.Lines[1].Qty &= 1<<40 - 1; return nil }, "int64 maximum", "Lines[1].Qty", worker.EdgeLost},
		"short texts": {func(o *order) error { o.Note = o.Note[:min(len(o.Note), 1000)]; return nil }, "string of 64 KiB", "Note",
			worker.EdgeLost},
		"one refuses, one loses": {func(o *order) error {
			if o.Total == math.MaxInt64 {
				return errors.New("too large")
			}
			o.Lines[0].Qty &= 1<<40 - 1
			return nil
		}, "int64 maximum", "Lines[0].Qty", worker.EdgeLost},
		"later refused": {func(o *order) error {
			if math.IsNaN(o.Tax) {
				return errors.New("no number")
			}
			return nil
		}, "float64 NaN", "Tax", worker.EdgeRefused},
	} {
		t.Run(name, func(t *testing.T) {
			codec := gobs
			codec.Encoders = []worker.Encoder[order]{{Mode: "fresh", New: func() func([]byte, *order) ([]byte, error) {
				return func(out []byte, o *order) ([]byte, error) {
					w := *o
					if w.Lines = slices.Clone(o.Lines); len(w.Lines) > 1 {
						if err := c.change(&w); err != nil {
							return nil, err
						}
					}
					return enc(out, &w)
				}
			}}}
			f := graded(t, codec, func(r *rand.Rand) order {
				return order{1 + r.Int64N(9), 1 + r.Int64N(9), 1.5, 2.5, []line{{1 + r.Int64N(9)}, {2}}, "a", "b"}
			})
			at := slices.IndexFunc(f.Edges, func(e worker.Edge) bool { return e.Name == c.edge })
			if at < 0 || f.Edges[at].Result != c.after || f.Edges[at].Path != c.path {
				t.Errorf("want %s %s at %s of %+v", c.edge, c.after, c.path, f.Edges)
			}
			for i, e := range f.Edges {
				if slices.ContainsFunc(f.Edges[i+1:], func(x worker.Edge) bool { return x.Name == e.Name }) {
					t.Errorf("%s is told twice", e.Name)
				}
			}
		})
	}
}

// TestLengthsAreGraded: a codec that counts in too few bits loses values that any program may have.
// Where the values are the user's own, the loss is named and not graded.
func TestLengthsAreGraded(t *testing.T) {
	type line struct{ Qty int64 }
	type order struct {
		ID    string
		Lines []line
	}
	gobs := stdGob[order]()
	enc := gobs.Encoders[0].New()
	codec := gobs
	codec.Encoders = []worker.Encoder[order]{{Mode: "fresh", New: func() func([]byte, *order) ([]byte, error) {
		return func(out []byte, o *order) ([]byte, error) {
			w := *o
			w.Lines = o.Lines[:len(o.Lines)&15]
			return enc(out, &w)
		}
	}}}
	if f := graded(t, gobs, nil); f.Value.Grade == "LOSSY" || f.Contract.Grade != "KEPT" {
		t.Errorf("gob keeps them: %+v", f)
	}
	if f := graded(t, codec, nil); f.Value.Grade != "LOSSY" || f.Contract.Grade != "BROKEN" || f.Value.Diffs[0].Path != "Lines" {
		t.Errorf("lists are cut: %+v", f)
	}
	f := graded(t, codec, func(r *rand.Rand) order { return order{"a", []line{{1 + r.Int64N(9)}}} })
	if f.Value.Grade == "LOSSY" || f.Contract.Grade != "KEPT" {
		t.Errorf("the user has no such lists: %+v", f)
	}
	wantLost(t, f, "slice of 16", "slice of 256")
}

func TestExtremes(t *testing.T) {
	loses := coder(nil, nil)
	loses.Family = "binary"
	loses.Encoders[0].New = func() func([]byte, *whole) ([]byte, error) {
		return func(_ []byte, v *whole) ([]byte, error) {
			c := *v
			if c.F != c.F || c.F == 0 {
				c.F = 0
			}
			return json.Marshal(&c)
		}
	}
	for name, c := range map[string]struct {
		codec worker.Contender[whole]
		want  map[string]string
	}{
		"encoding/json": {coder(nil, nil), map[string]string{"float64 NaN": worker.EdgeRefused, "float64 -0": "",
			"string invalid UTF-8": worker.EdgeLost}},
		"without NaN and -0": {loses, map[string]string{"float64 NaN": worker.EdgeLost, "float64 -0": worker.EdgeLost,
			"float64 +Inf": worker.EdgeRefused}},
	} {
		f, err := wholeBench(t, c.codec).fidelity()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range f.Edges {
			got[e.Name] = e.Result
		}
		for edge, want := range c.want {
			if got[edge] != want {
				t.Errorf("%s: %s is %q, want %q", name, edge, got[edge], want)
			}
		}
		if f.Tried < 10 || f.Value.Grade != "LOSSLESS" {
			t.Errorf("%s: %d tried, %s", name, f.Tried, f.Value.Grade)
		}
	}
}
