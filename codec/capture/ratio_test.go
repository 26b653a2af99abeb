package capture_test

import (
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec/capture"
	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/examples/order"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/twitter"
	"github.com/zmylab/zmy/examples/user"
	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/internal/longtest"
)

// mostOff is how far a ratio from a fit may be from the ratio of the values themselves.
const mostOff = 0.10

var (
	timed = flag.Bool("timed", false, "TestRatios: measure processor time instead of counting instructions")
	keep  = flag.String("keep", "", "TestRatios: keep the documents and the files of callgrind in a `folder`")
)

// TestRatios: codecs are as much faster than encoding/json on values drawn from a fit as on the JSON
// payloads that the fit was learned from. The costs are instructions that callgrind counts, which do
// not depend on how busy the machine is. With -timed they are processor time, and a difference is the
// median of seven tries.
func TestRatios(t *testing.T) {
	longtest.Only(t, "runs codecs under callgrind on six types")
	judge, tries := counted(t), 1
	if *timed {
		judge, tries = clocked, 7
	}
	for _, s := range subjects {
		raw, drawn := s.documents(t)
		var real, fitted [][]float64 // ratios, by codec and try
		var cells []cost
		for range tries {
			costs := judge(t, &s, raw, drawn)
			cells = costs[0]
			real, fitted = append(real, ratios(costs[0])), append(fitted, ratios(costs[1]))
		}
		for i, c := range cells {
			if c.codec == "std-json" {
				continue
			}
			var offs []float64
			for try := range tries {
				offs = append(offs, fitted[try][i]/real[try][i]-1)
			}
			slices.Sort(offs)
			off := offs[tries/2]
			t.Logf("| %s | %s | %s | %.2f | %.2f | %+.1f%% (%+.1f to %+.1f) |", s.name, c.codec, c.op, middle(real, i), middle(fitted, i), 100*off,
				100*offs[0], 100*offs[tries-1])
			if math.Abs(off) > mostOff {
				t.Errorf("%s: %s %s is %.2f times as fast as encoding/json, %.2f times by the fit", s.name, c.codec, c.op,
					middle(real, i), middle(fitted, i))
			}
		}
		t.Logf("| %s | JSON, bytes | | %.0f | %.0f | %+.1f%% |", s.name, size(raw), size(drawn), 100*(size(drawn)/size(raw)-1))
	}
}

// subject is a type with documents to compare.
type subject struct {
	name      string
	documents func(t *testing.T) (raw, drawn [][]byte) // JSON
	ways      func(docs [][]byte) ([]way, error)       // each reads or writes all documents
}

// way is a codec in one direction.
type way struct {
	codec, op string
	run       func()
}

// cost is what a way costs, in instructions or nanoseconds.
type cost struct {
	codec, op string
	each      float64 // of a document
}

// ratios are the costs of encoding/json divided by the codecs'.
func ratios(costs []cost) (out []float64) {
	base := map[string]float64{}
	for _, c := range costs {
		if c.codec == "std-json" {
			base[c.op] = c.each
		}
	}
	for _, c := range costs {
		out = append(out, base[c.op]/c.each)
	}
	return out
}

// middle is the median of the tries of codec i.
func middle(tries [][]float64, i int) float64 {
	var all []float64
	for _, t := range tries {
		all = append(all, t[i])
	}
	slices.Sort(all)
	return all[len(all)/2]
}

var subjects = []subject{
	subjectOf("session", 2000, 200, session.SampleUserSession, true),
	subjectOf("sse", 2000, 500, sse.SampleSSEEvent, true),
	subjectOf("order", 2000, 200, order.SampleOrder, true),
	subjectOf("order, keys by Names", 2000, 200, order.SampleOrder, true,
		"allocations", "channel", "currency", "gift", "ledger", "placed", "points", "risk", "shipping", "signature", "address", "city",
		"country", "name", "number", "street", "carrier", "cost", "express", "bin", "reserved", "warehouse", "color", "size", "rating",
		"warranty_months", "tags"),
	subjectOf("order-lite", 2000, 200, orderlite.SampleOrder, true),
	subjectOf("user", 2000, 500, user.SampleUser, true),
	subjectOf("twitter", 60, 10, twitter.SampleSearch, false),
}

// subjectOf learns from a number of samples, and compares the first ones with as many drawn values.
// native says whether T has ZMY native code.
func subjectOf[T any](name string, learned, compared int, sample func(*rand.Rand) T, native bool, names ...string) subject {
	documents := func(t *testing.T) (raw, drawn [][]byte) {
		c := capture.New(capture.Options{Rate: 1, Limits: fit.Limits{Names: names}})
		for i := range learned {
			v := sample(rand.New(rand.NewPCG(3, uint64(i))))
			payload, err := json.Marshal(&v)
			var read T
			if err == nil {
				err = json.Unmarshal(payload, &read)
			}
			if err != nil {
				t.Fatal(err)
			}
			c.Value(&read)
			if payload, err = json.Marshal(&read); err != nil {
				t.Fatal(err)
			}
			if i < compared {
				raw = append(raw, payload)
			}
		}
		return raw, draw[T](t, c.Fit(), compared)
	}
	return subject{name, documents, func(docs [][]byte) ([]way, error) { return waysOf[T](docs, native) }}
}

func waysOf[T any](docs [][]byte, native bool) (out []way, err error) {
	set := make([]T, len(docs))
	for i := range docs {
		if err := json.Unmarshal(docs[i], &set[i]); err != nil {
			return nil, err
		}
	}
	add := func(codec string, m func(any) ([]byte, error), u func([]byte, any) error) {
		texts := make([][]byte, len(set))
		for i := range set {
			text, failed := m(&set[i])
			if failed != nil {
				err = failed
			}
			texts[i] = text
		}
		out = append(out, way{codec, "marshal", func() {
			for i := range set {
				if _, err := m(&set[i]); err != nil {
					panic(err)
				}
			}
		}}, way{codec, "unmarshal", func() {
			for _, b := range texts {
				if err := u(b, new(T)); err != nil {
					panic(err)
				}
			}
		}})
	}
	add("std-json", json.Marshal, json.Unmarshal)
	add("fxjson", fxjson.Marshal, fxjson.Unmarshal)
	if native {
		add("zmy", zmy.Marshal, zmy.Unmarshal)
	}
	return out, err
}

// draw draws the JSON of values from the file of a fit.
func draw[T any](t *testing.T, f *fit.Fit, n int) [][]byte {
	t.Helper()
	text, err := f.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if f, err = fit.Parse(text); err != nil {
		t.Fatal(err)
	}
	d := fit.NewDrawer(f.Subjects[0])
	out := make([][]byte, n)
	for i := range out {
		doc := d.Document(rand.New(rand.NewPCG(4, uint64(i))), reflect.TypeFor[T](), false)
		var v T
		err := json.Unmarshal(doc, &v)
		if err == nil {
			out[i], err = json.Marshal(&v)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
	}
	return out
}

// size is the mean size of documents.
func size(docs [][]byte) (n float64) {
	for _, d := range docs {
		n += float64(len(d)) / float64(len(docs))
	}
	return n
}
