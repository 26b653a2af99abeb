package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
)

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
	data := mustJSON(t, fit)
	for _, c := range []struct {
		sample, ids, source string
		n, refused          int
	}{
		{file, "a b a b a", "file a.ndjson: 2 documents, in order and repeated", 5, 1},
		{file, "a", "file a.ndjson: the first 1 of 3 documents", 1, 0},
		{write("one.json", `{"ID":"x"}`), "x x", "file one.json: 1 document, repeated", 2, 0},
		{write("fit.json", data), "a a a", "a fit of 1 document of a.ndjson", 3, 0},
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
