package serve

import (
	"database/sql"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
)

// reading is what encoding/json refuses where it is no number.
type reading struct{ X float64 }

func readings(r *rand.Rand) reading {
	if r.IntN(3) == 0 {
		return reading{math.NaN()}
	}
	return reading{r.Float64()}
}

// TestRefused: values that encoding/json refuses are named, and left out where that is asked for.
// TestConstantsAreNamed: where values came from tells of declared constants, and they are among
// them.
func TestConstantsAreNamed(t *testing.T) {
	type thing struct{ State phase }
	b := newBinding(worker.Subject[thing]{Constants: map[string][]string{reflect.TypeFor[phase]().PkgPath() + ".phase": {"waxing", "waning"}}},
		stdJSON[thing](), nil)
	v, err := b.values(&worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 50})
	if err != nil || v.Source != "field names and types, and declared constants of 1 type" {
		t.Fatalf("%+v, %v", v, err)
	}
	n := 0
	for _, x := range b.origin {
		if x.State == "waxing" || x.State == "waning" {
			n++
		}
	}
	if n < 35 || n == 50 {
		t.Errorf("%d of 50 are declared constants", n)
	}
}

// TestNullIsTested: a date that is null in all values of the user's is tested by the one that has
// something in every place; a part that only the package can make is not.
func TestNullIsTested(t *testing.T) {
	type row struct {
		Name  string
		Gone  sql.NullTime
		Seen  time.Time
		Cause error
	}
	b := newBinding(worker.Subject[row]{SampleName: "SampleRow", Sample: func(*rand.Rand) row { return row{Name: "a"} }}, stdJSON[row](), nil)
	if _, err := b.values(&worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 4}); err != nil {
		t.Fatal(err)
	}
	if got := b.describe().Untested; !slices.Equal(got, []string{"Cause (error)"}) {
		t.Errorf("untested: %q", got)
	}
}

type phase string

func TestRefused(t *testing.T) {
	newBench := func() *binding[reading, reading] {
		return newBinding(worker.Subject[reading]{Sample: readings, SampleName: "SampleReading"},
			worker.Contender[reading]{Name: "std-json", Family: "json"}, nil)
	}
	b := newBench()
	if _, err := b.values(&worker.Request{Seed: 1, N: 90}); err != nil {
		t.Fatal(err)
	}
	d := b.describe()
	if n := len(d.Refused); n < 15 || n > 45 || len(d.JSON) != 90-n || !strings.Contains(d.Refused[0].Why, "NaN") {
		t.Fatalf("%d refused, %d written: %v", n, len(d.JSON), d.Refused)
	}
	var skip []int
	for _, r := range d.Refused {
		if !math.IsNaN(b.origin[r.Value].X) {
			t.Errorf("value %d is refused: %v", r.Value, b.origin[r.Value])
		}
		skip = append(skip, r.Value)
	}
	all := slices.Clone(b.origin)
	b = newBench()
	got, err := b.values(&worker.Request{Seed: 1, N: 90, Skip: skip})
	if err != nil || got.N != 90-len(skip) || got.Capped || len(b.describe().Refused) != 0 {
		t.Errorf("%+v, %v: %v refused", got, err, b.describe().Refused)
	}
	if want := without(all, skip); !slices.Equal(b.origin, want) {
		t.Error("other values than the ones that were left")
	}
	if _, err := newBench().values(&worker.Request{Seed: 1, N: 1, Skip: []int{0}}); err == nil {
		t.Error("no values, and no error")
	}
}

// TestLeavesOut: the fields that a codec does not carry are named with their packages.
func TestLeavesOut(t *testing.T) {
	b := newBinding(worker.Subject[reading]{Name: "worker.reading"},
		worker.Contender[reading]{Name: "x", Family: "binary"}.Without([]fidelity.Field{{Type: reflect.TypeFor[reading](), Name: "X"}}), nil)
	if _, err := b.values(&worker.Request{Seed: 1, N: 3}); err != nil {
		t.Fatal(err)
	}
	if got := b.describe().LeavesOut; !slices.Equal(got, []string{"github.com/zmylab/zmy/lab/worker/serve.reading.X"}) {
		t.Errorf("%q", got)
	}
}

// Captured documents become values in their order, again and again, and what was
// refused is told; a saved fit draws values of its own.
func TestSampled(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	file := write("a.ndjson", "{\"ID\":\"a\"}\n{\"ID\":5}\n{\"ID\":\"b\"}\n")
	docs, _, err := values.ReadDocuments(file, false)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := values.Learn(docs[:1], "a.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	data, err := fit.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sample, ids, source string
		n, refused          int
	}{
		{file, "a b a b a", "file a.ndjson: 2 documents, in order and repeated", 5, 1},
		{file, "a", "file a.ndjson: the first 1 of 3 documents", 1, 0},
		{write("one.json", `{"ID":"x"}`), "x x", "file one.json: 1 document, repeated", 2, 0},
		{write("fit.json", string(data)), "a a a", "a fit of 1 document of a.ndjson", 3, 0},
	} {
		b := testBench(jsonCodec())
		got, err := b.values(&worker.Request{Seed: 1, N: c.n, Sample: c.sample})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, v := range b.Vals {
			ids = append(ids, v.ID)
		}
		if strings.Join(ids, " ") != c.ids || got.Source != c.source || len(got.Refused) != c.refused {
			t.Errorf("%s: %q from %q, refused %v", c.sample, ids, got.Source, got.Refused)
		}
	}
	if _, err := testBench(jsonCodec()).values(&worker.Request{N: 1, Sample: write("bad.json", `{"ID":1}`)}); err == nil ||
		!strings.Contains(err.Error(), "bad.json:1: cannot unmarshal number") {
		t.Errorf("got %v", err)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// crates writes null where it holds nothing, and the generator knows no value for crate.
type crates struct{ set []crate }

type crate interface{ weigh() int }

func (c crates) MarshalJSON() ([]byte, error)  { return json.Marshal(c.set) }
func (c *crates) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &c.set) }
func readCrates[T any](b []byte, v *T) error   { return json.Unmarshal(b, v) }
func dropLoad(b []byte, v *shipment) error     { err := json.Unmarshal(b, v); v.Load = ""; return err }
func shipmentsBench(d func([]byte, *shipment) error) *binding[shipment, shipment] {
	c := worker.Contender[shipment]{Name: "x", Family: "json",
		Encoders: []worker.Encoder[shipment]{worker.Marshal[shipment]("fresh", json.Marshal)},
		Decoders: []worker.Decoder[shipment]{{Mode: "fresh", New: func() func([]byte, *shipment) error { return d }}}}
	return newBinding(worker.Subject[shipment]{Name: "worker.shipment"}, c, nil)
}

type shipment struct {
	ID     string
	Crates *crates `json:",omitempty"`
	Load   string  `json:",omitempty"`
}

// TestOwnedValues: a codec is judged LOSSY by what the user's own values can hold, also where
// they hold nothing at a place, and not by values that only the generator makes.
func TestOwnedValues(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(`{"ID":"a"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, sample string
		decode       func([]byte, *shipment) error
		lossy        bool
	}{
		{"documents", file, readCrates[shipment], false},
		{"documents, a field dropped", file, dropLoad, true},
		{"generated", "", readCrates[shipment], false},
	} {
		b := shipmentsBench(c.decode)
		if _, err := b.values(&worker.Request{Seed: 1, N: 8, Sample: c.sample}); err != nil {
			t.Fatal(err)
		}
		f, err := b.fidelity()
		if err != nil || (f.Value.Grade == "LOSSY") != c.lossy || f.Tried == 0 {
			t.Errorf("%s: %+v, %v", c.name, f, err)
		}
	}
}
