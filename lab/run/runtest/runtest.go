// Package runtest simulates runs of the lab, for the tests of code that reads them. The figures are
// invented; their shape is that of a real run on a shared machine: drift, rounds disturbed by other
// programs, launches that differ.
package runtest

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/lab/run"
)

// Options say what a simulated run is like. The zero value is 5 launches of 20 rounds.
type Options struct {
	Launches, Rounds int
	LaunchSD         float64 // log scale; 0 means 0.004
	RoundSD          float64 // log scale; 0 means 0.02
	Seed             uint64
	Partial          bool
}

// codec is one simulated contender: true times in ns, sizes in bytes.
type codec struct {
	name, family, text string
	enc, dec           float64
	raw, gzip, zstd    float64
	encAllocs          float64
	decAllocs          float64
	module, version    string
}

var codecs = []codec{
	{"zmy", "binary", "ZMY native, generated", 177, 701, 1180, 640, 610, 1, 5, "github.com/zmylab/zmy", "v0.1.0"},
	{"fxjson", "json", "generated JSON, encoding/json semantics", 1120, 2510, 1930, 720, 690, 1, 9, "github.com/zmylab/zmy", "v0.1.0"},
	{"goccy", "json", "goccy/go-json", 1140, 2530, 1930, 720, 690, 1, 22, "github.com/goccy/go-json", "v0.12.0"},
	{"sonic", "json", "bytedance/sonic, ConfigStd", 1395, 3160, 1930, 720, 690, 2, 19, "github.com/bytedance/sonic", "v1.15.5"},
	{"jsoniter", "json", "json-iterator, compatible", 2280, 5890, 1930, 720, 690, 3, 48, "github.com/json-iterator/go", "v1.1.12"},
	{"segmentio", "json", "segmentio/encoding", 1760, 4300, 1930, 720, 690, 1, 30, "github.com/segmentio/encoding", "v0.5.3"},
	{"std-json", "json", "encoding/json, the baseline", 2510, 10163, 1930, 720, 690, 2, 51, "", ""},
	{"msgp", "binary", "tinylib/msgp, generated", 398, 1460, 1410, 705, 680, 1, 31, "github.com/tinylib/msgp", "v1.4.0"},
	{"msgpack", "binary", "vmihailenco/msgpack", 2050, 4210, 1440, 710, 684, 4, 57, "github.com/vmihailenco/msgpack/v5", "v5.4.1"},
	{"cbor", "binary", "fxamacker/cbor", 1310, 3890, 1405, 700, 676, 1, 44, "github.com/fxamacker/cbor/v2", "v2.9.0"},
	{"gob", "binary", "encoding/gob, a fresh stream each", 9800, 41200, 2210, 1080, 1010, 61, 402, "", ""},
	{"vtprotobuf", "protobuf", "planetscale/vtprotobuf + convert", 690, 1710, 1120, 650, 622, 2, 42,
		"github.com/planetscale/vtprotobuf", "v0.6.0"},
	{"protobuf", "protobuf", "protobuf-go + convert", 1870, 3340, 1120, 650, 622, 4, 58, "google.golang.org/protobuf", "v1.36.12"},
	{"protobuf-native", "protobuf", "protobuf-go on its own generated type", 1290, 2480, 1120, 650, 622, 1, 45,
		"google.golang.org/protobuf", "v1.36.12"},
	{"ffjson", "json", "pquerna/ffjson, generated", 1980, 5010, 1904, 716, 688, 2, 46, "github.com/pquerna/ffjson", "v0.0.0-20190930134022"},
	{"nothing", "binary", "does no work at all", 2, 2, 0, 0, 0, 0, 0, "", ""},
}

// Order returns a simulated run on order.Order: ranked, tied, unranked, skipped and failed
// contenders, an A/A twin, and one codec that does nothing.
func Order(o Options) *run.Run {
	if o.Launches == 0 {
		o.Launches, o.Rounds = 5, 20
	}
	if o.LaunchSD == 0 {
		o.LaunchSD = 0.004
	}
	if o.RoundSD == 0 {
		o.RoundSD = 0.02
	}
	r := &run.Run{
		Schema:  run.Schema,
		Tool:    "zmy v0.1.0",
		Command: []string{"zmy", "lab", "-type", "Order", "-budget", "60s", "-seed", "42", "./order"},
		Started: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
		Seconds: 61.4, Seed: 42 + o.Seed, Budget: 60,
		Host: run.Host{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 9B14", Cores: 2, Virtual: "KVM", MemBytes: 24 << 30,
			Load1: 1.2, Go: "go1.26.8", Counters: "n/a"},
		Subject: run.Subject{Package: "example.com/shop/order", Module: "example.com/shop", Type: "Order", Name: "order.Order",
			Sampler: "SampleOrder",
			Fields:  14, Depth: 3, Values: 256, Source: "func SampleOrder", Access: "Items[0].Sku", Derived: true,
			JSONSize: run.Quartile{Min: 610, P25: 1320, Median: 1930, P75: 2710, Max: 6120}},
	}
	if o.Partial {
		r.Partial, r.PartialWhy = true, "stopped by Ctrl-C after 31 s: 2 of 5 launches done"
	}
	rng := rand.New(rand.NewPCG(o.Seed, 99))
	mood := moods(rng, o.Launches*o.Rounds)
	for _, c := range codecs {
		r.Contenders = append(r.Contenders, c.contender())
		for _, v := range c.variants() {
			r.Cells = append(r.Cells, cell(rng, o, mood, c, c.name, v))
		}
		if c.name == run.Baseline {
			for _, v := range c.variants() {
				if v.mode == "fresh" {
					r.Cells = append(r.Cells, cell(rng, o, mood, c, run.Twin, v))
				}
			}
		}
	}
	r.Contenders = append(r.Contenders, excluded()...)
	return r
}

type variant struct {
	op, mode      string
	ns            float64
	bytes, allocs float64
}

func (c codec) variants() []variant {
	return []variant{
		{"encode", "fresh", c.enc, c.raw + 60*c.encAllocs, c.encAllocs},
		{"encode", "append", c.enc * 0.82, 48 * max(0, c.encAllocs-1), max(0, c.encAllocs-1)},
		{"decode", "fresh", c.dec, 800 + 44*c.decAllocs, c.decAllocs},
		{"decode", "reused", c.dec * 0.88, 200 + 30*c.decAllocs, math.Floor(c.decAllocs * 0.7)},
		{"access", "fresh", accessNs(c), 0, 0},
	}
}

func accessNs(c codec) float64 {
	if c.name == "zmy" {
		return 24
	}
	return c.dec * 1.02
}

func cell(rng *rand.Rand, o Options, mood []float64, c codec, name string, v variant) *run.Cell {
	out := &run.Cell{Codec: name, Op: v.op, Mode: v.mode, Bytes: v.bytes, Allocs: v.allocs, Wire: c.raw, First: 40 * v.ns}
	for l := range o.Launches {
		luck := o.LaunchSD * rng.NormFloat64()
		for k := range o.Rounds {
			at := l*o.Rounds + k
			wall := v.ns * math.Exp(mood[at]+luck+o.RoundSD*rng.NormFloat64())
			if rng.IntN(40) == 0 {
				wall *= 1.3 + rng.Float64()
			}
			out.Samples = append(out.Samples, run.Sample{
				Launch: l, Round: k, N: int(1e7/v.ns) + 1, Wall: wall,
				CPU: v.ns * 1.03 * math.Exp(mood[at]/2+luck+o.RoundSD/3*rng.NormFloat64()),
				At:  float64(at)*0.55 + rng.Float64()*0.5,
			})
		}
	}
	return out
}

// moods returns the machine's speed over time: a slow wave and a random walk.
func moods(rng *rand.Rand, n int) []float64 {
	out, walk := make([]float64, n), 0.0
	for i := range out {
		walk = 0.9*walk + 0.02*rng.NormFloat64()
		out[i] = walk + 0.03*math.Sin(float64(i)/9)
	}
	return out
}

func (c codec) contender() *run.Contender {
	out := &run.Contender{
		Name: c.name, Family: c.family, Text: c.text, Status: run.StatusMeasured,
		Contract: run.Grade{Grade: run.Kept}, Value: run.Grade{Grade: run.Lossless},
		Sizes: run.Sizes{Raw: c.raw, Gzip: c.gzip, Zstd: c.zstd, P95: c.raw * 1.9, Total: int64(c.raw * 262), GzipNs: 14 * c.raw,
			Mean: c.raw, MeanGzip: c.gzip, Max: c.raw * 3.1},
		BuildSec: 1.1, Binary: 3_200_000 + int64(c.dec*300), Loaded: 2_100_000 + int64(c.dec*300),
		Checks: []run.Check{
			{Name: "fresh decode copies its input", Result: "ok"}, {Name: "fresh encode owns its output", Result: "ok"},
			{Name: "truncation", Result: "ok"}, {Name: "bit flips", Result: "ok"}, {Name: "a kept string keeps the input", Result: "no"},
		},
	}
	out.Adopt = adopt[c.name]
	if c.module != "" {
		out.Modules = []run.Module{{Path: c.module, Version: c.version}}
	}
	anyInt := run.Diff{Path: `Metadata["qty"]`, Before: "3 (int)", After: "3 (float64)", Kind: "lossy", Count: 211}
	switch {
	case c.name == "nothing":
		out.Contract = run.Grade{Grade: run.Broken, Diffs: []run.Diff{{Path: "ID", Before: `"ord-81f2"`, After: `""`, Kind: "lossy", Count: 256}}}
		out.Value = run.Grade{Grade: run.Fails}
		out.Checks[2] = run.Check{Name: "truncation", Result: "bad", Detail: "accepts every input"}
	case c.name == "ffjson":
		out.Contract = run.Grade{Grade: run.Broken, Diffs: []run.Diff{{Path: "Meta.At", Before: "2026-11-21T09:30:00.123456789Z",
			After: "2026-11-21T09:30:00.123Z", Kind: "lossy", Count: 256}}}
		out.Value = run.Grade{Grade: run.Lossy, Diffs: append(out.Contract.Diffs, anyInt)}
	case c.name == "protobuf-native":
		out.Rankless = "native row: measured on its own generated type, without the conversion that a user pays"
	case c.family == "json":
		out.Value = run.Grade{Grade: run.Lossy, Diffs: []run.Diff{anyInt}}
	case c.name == "zmy":
		out.Checks[4] = run.Check{Name: "a kept string keeps the input", Result: "yes",
			Detail: "one kept string keeps the message's slab (1.2 KB) alive"}
		out.Notes = []string{"field numbers derived from declaration order"}
	case c.name == "msgpack", c.name == "gob":
		out.Value = run.Grade{Grade: run.Normalised, Diffs: []run.Diff{{Path: "Items[1].Attrs", Before: "[]", After: "nil",
			Kind: "normalised", Count: 19}}}
	}
	if c.name == "jsoniter" {
		out.Checks[3] = run.Check{Name: "bit flips", Result: "bad", Detail: "panic: index out of range [7] with length 7"}
		out.Notes = []string{"built v1.1.12: the user's build list forces it over v1.1.13"}
	}
	return out
}

func excluded() []*run.Contender {
	return []*run.Contender{
		{Name: "easyjson", Family: "json", Text: "mailru/easyjson, generated", Status: run.StatusSkipped, Why: &run.Why{
			What: "skipped: Order.Metadata has type any", Where: "order.go:31", Reason: "it would fall back to encoding/json",
			Next: "-allow-fallback"}},
		{Name: "flatbuffers", Family: "binary", Text: "FlatBuffers", Status: run.StatusSkipped, Why: &run.Why{
			What: "skipped: flatc is not installed", Reason: "its generator is a program of its own", Next: "apt-get install flatbuffers-compiler"}},
		{Name: "fory", Family: "binary", Text: "Apache Fory", Status: run.StatusFailed, Why: &run.Why{
			What: "failed: the module could not be downloaded", Next: "try again with network access",
			Output: "go: github.com/apache/fory/go/fory@v0.12.0: module lookup disabled\nexit status 1"}},
	}
}

// adopt says how programs adopt some of the codecs.
var adopt = map[string]*run.Adopt{
	"zmy": {Generate: "zmy gen -type=TYPE", Derive: "zmy gen -derive -type=TYPE", Import: "github.com/zmylab/zmy",
		Marshal: "zmy.Marshal(v)", Unmarshal: "zmy.Unmarshal(b, &v)", Limit: 128 << 10,
		MarshalLarge: "zmy.MarshalOptions{MaxWire: MAX}.Marshal(v)", UnmarshalLarge: "zmy.UnmarshalOptions{MaxWire: MAX}.Unmarshal(b, &v)"},
	"fxjson": {Generate: "fxjson -type=TYPE", Import: "github.com/zmylab/zmy/fxjson", Marshal: "fxjson.Marshal(v)",
		Unmarshal: "fxjson.Unmarshal(b, &v)"},
	"goccy": {Import: "github.com/goccy/go-json", Same: true},
	"cbor": {Import: "github.com/fxamacker/cbor/v2", Imports: []string{"reflect"}, Code: "var cborEncoding, cborDecoding = cborModes()\n",
		Marshal: "cborEncoding.Marshal(v)", Unmarshal: "cborDecoding.Unmarshal(b, &v)"},
}
