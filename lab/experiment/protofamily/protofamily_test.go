package protofamily

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/run"
)

// samples are of two launches of six rounds, in which the machine is slow by turns. Those of
// times below zero are all over the place.
func samples(ns float64) []run.Sample {
	var out []run.Sample
	for i := range 12 {
		if ns < 0 {
			out = append(out, run.Sample{Launch: i / 6, Round: i % 6, CPU: -ns * []float64{0.2, 1, 5}[i%3]})
			continue
		}
		out = append(out, run.Sample{Launch: i / 6, Round: i % 6, CPU: ns * float64(1+i%2) * (1 + 0.001*float64(i%3))})
	}
	return out
}

// found is a result as the experiment makes one, with times for each row: encode, decode.
func found(times map[string][2]float64) *Result {
	r := &Result{Names: []*Spelling{{Codec: row("optional"), Name: "optional fields", Fields: 3},
		{Codec: row("unchecked"), Name: "strings not checked for UTF-8", Fields: 2},
		{Codec: row("deterministic"), Name: "option Deterministic", Fields: 1}}}
	for key, ns := range times {
		codec, mode, _ := strings.Cut(key, " ")
		enc, dec := "fresh", "fresh"
		if mode != "" {
			enc, dec, _ = strings.Cut(mode, "+")
		}
		for i, op := range experiment.Ops {
			l := &Line{Codec: codec, Op: op, Mode: []string{enc, dec}[i], Allocs: ns[i] / 100, Wire: 200, samples: samples(ns[i])}
			if codec == row("optional") {
				l.Wire = 210
			}
			l.CPU = run.Estimate{Median: ns[i], Lo: 0.9 * ns[i], Hi: 1.1 * ns[i], N: 12}
			r.Own = append(r.Own, l)
		}
	}
	r.Codecs, r.Beside = []string{base, "vtprotobuf-native", beside}, []string{beside}
	r.Change = r.changes()
	return r
}

func TestFindings(t *testing.T) {
	all := map[string][2]float64{base: {1000, 3000}, again: {1010, 3010}, base + " append+reused": {800, 2000},
		"vtprotobuf-native": {400, 1600}, "vtprotobuf-native append+pooled": {300, 700},
		"gogoproto-native": {300, 900}, row("optional"): {1100, 3300}, row("unchecked"): {1000, 3000},
		row("deterministic"): {1500, 3000}, beside: {200, 800}}
	// keep takes all gains of one program away but these.
	keep := func(codecs ...string) func(map[string][2]float64) {
		return func(m map[string][2]float64) {
			for _, key := range []string{base + " append+reused", "vtprotobuf-native", "vtprotobuf-native append+pooled"} {
				if !slices.Contains(codecs, key) {
					m[key] = m[base]
				}
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(map[string][2]float64)
		want   []string
		not    string
	}{
		{"all", func(map[string][2]float64) {}, []string{
			"Change first, where the care that it asks for can be had: MarshalToSizedBufferVT into a kept buffer, messages from " +
				"vtprotobuf's pools. To encode and decode a message then takes 75% less time (25% [",
			"with 10 allocations in place of 40, and the bytes stay; mind that whoever takes",
			"Else protoc-gen-go-vtproto beside protoc-gen-go, MarshalVT and UnmarshalVT (50% less time than now, 20 allocations; mind " +
				"that strings are not checked for UTF-8, sent or read, and who checks may refuse the message",
			"; or proto.MarshalOptions.MarshalAppend into a kept buffer, proto.Unmarshal into a kept message (30% less time",
			"costs time: optional fields (10% more time, 5% more bytes); no difference of time that is proven: strings not checked for UTF-8.",
			"Option Deterministic: encoding a message takes 50% more time",
			"Where all ends are yours, another format: zmy on your own type takes 75% less time (25% of it [",
		}, "gogo"},
		{"one gains", keep("vtprotobuf-native"), []string{"Change first, where the care that it asks for can be had: " +
			"protoc-gen-go-vtproto", "check text that comes from elsewhere."}, "Else"},
		{"nothing is gained", keep(), []string{"nor memory that is kept is proven to save time on this type."}, "Change first"},
		{"too noisy", func(m map[string][2]float64) {
			keep("vtprotobuf-native")(m)
			m["vtprotobuf-native"] = [2]float64{-400, -1600}
		}, []string{"on this type; vtprotobuf: its methods took ", "would decide (-budget, -depth)."}, "Change first"},
		{"no base", func(m map[string][2]float64) { delete(m, base) }, []string{base + " cannot carry this type"}, "Change first"},
	} {
		times := map[string][2]float64{}
		for k, v := range all {
			times[k] = v
		}
		c.change(times)
		got := strings.Join(found(times).findings(), "\n")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing from\n%s", c.name, want, got)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%s: %q stands in\n%s", c.name, c.not, got)
		}
	}
}

// TestKinds: differences are told by the ratios of the same rounds, and what does not show is
// not said.
func TestKinds(t *testing.T) {
	r := &Result{}
	add := func(about, name, codec string, ns, ratio, wire, per float64) {
		for _, op := range experiment.Ops {
			r.Kinds = append(r.Kinds, &SetLine{About: about, Name: name, Codec: codec, Op: op, Wire: wire, Per: per,
				CPU:   run.Estimate{Median: ns, Lo: ns * 0.5, Hi: ns * 2, N: 9},
				Ratio: run.Estimate{Median: ratio, Lo: ratio * 0.98, Hi: ratio * 1.02, N: 9}})
		}
	}
	add(aboutPresence, "int64", base, 300, 1, 2+15*6, 15)
	add(aboutPresence, "int64", row("optional"), 302, 1.005, 2+15*6, 15)
	add(aboutPresence, "int64", row("wrapper"), 600, 2, 2+15*8, 15)
	add(aboutIntegers, "63 bits", base, 300, 1, 3+15*10, 15)
	add(aboutIntegers, "63 bits", row("zigzag"), 300, 1, 3+15*11, 15)
	add(aboutIntegers, "63 bits", row("fixed"), 200, 0.66, 3+15*9, 15)
	add(aboutLists, "double", base, 300, 1, 520, 64)
	add(aboutLists, "double", row("unpacked"), 900, 3, 578, 64)
	add(aboutMaps, "4", base, 300, 1, 80, 4)
	add(aboutMaps, "4", row("deterministic"), 450, 1.5, 80, 4)
	add(aboutTexts, "1000 bytes of ASCII", base, 300, 1, 15000, 15)
	add(aboutTexts, "1000 bytes of ASCII", row("unchecked"), 240, 0.8, 15000, 15)
	for _, codec := range []string{base, beside} {
		r.Codecs = append(r.Codecs, codec)
		for _, f := range factors {
			for i, at := range []float64{1, 11, 101} {
				for _, op := range experiment.Ops {
					ns := 100 + at*float64(10*len(codec))
					r.Shapes = append(r.Shapes, Shape{Factor: f, At: at, Codec: codec, Op: op,
						CPU: run.Estimate{Median: ns, Lo: ns - float64(i), Hi: ns + float64(i), N: 9}})
				}
			}
		}
	}
	got := strings.Join(r.findings()[1:], "\n") // the first says that base is not there
	for _, want := range []string{
		"an optional field takes no time that shows to encode and no time that shows to decode, and 0 bytes more; a wrapped one " +
			"takes 20 ns to 20 ns to encode and 20 ns to 20 ns to decode, and 2 bytes more.",
		"Integers: sfixed64 takes fewer bytes than int64 for values of 63 bits (9 in place of 10).",
		"Lists that are not packed take, of double 1.11 times the bytes, 3 times the time to encode and 3 times to decode.",
		"by the entries of a map: 1.5 times the time with 4 and 1.5 times",
		"The check for UTF-8 takes 20% of encode for strings of 1000 bytes of ASCII and 20% of decode",
		"A scalar field more takes 30 ns in zmy, 150 ns in protobuf-native to encode it; 30 ns in zmy",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
	x := &run.Experiment{Name: "protobuf", Title: "t", Question: "q", Findings: r.findings(), Tables: r.tables(), Charts: r.charts(),
		Seconds: 1}
	experiment.Tidy(x)
	experimenttest.Check(t, x)
	if len(x.Tables) != 6 || len(x.Charts) != 6 || !x.Charts[1].Beside || x.Charts[2].Beside {
		t.Errorf("%d tables, %d charts", len(x.Tables), len(x.Charts))
	}
}

// TestSources: the synthetic package is Go, and every document of a set fills one group.
func TestSources(t *testing.T) {
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", "package synthetic\n\n"+kindsSource()+shapesSource(), 0); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	groups := map[string]bool{}
	for _, s := range sets() {
		var doc map[string]map[string]any
		if err := json.Unmarshal(s.draw(r), &doc); err != nil || len(doc) != 1 {
			t.Errorf("%s %s: %v, %v", s.about, s.name, doc, err)
		}
		for name, g := range doc {
			groups[name] = true
			if len(g) != width && len(g) != 1 {
				t.Errorf("%s %s: %d fields", s.about, s.name, len(g))
			}
		}
	}
	var all map[string]any
	if err := json.Unmarshal(everything(sets(), r), &all); err != nil || len(all) != len(groups) {
		t.Errorf("%d groups of %d: %v", len(all), len(groups), err)
	}
	for _, s := range shapes() {
		var doc map[string]any
		if err := json.Unmarshal(s.document(r), &doc); err != nil || doc[strings.ToLower(s.name)] == nil {
			t.Errorf("%s %g: %v", s.factor, s.at, err)
		}
	}
	if d := synthetic.Draw(sets()[0].draw, 1); d.N < 2 {
		t.Errorf("%d documents", d.N)
	}
}

// TestNames: the rows that choices name are in the table of codecs, and each has the modes
// that it is measured in.
func TestNames(t *testing.T) {
	known := map[string]bool{}
	for _, i := range table.All() {
		known[i.Name] = true
	}
	for _, c := range append(choices, choice{codec: base}, choice{codec: beside}) {
		if !known[c.codec] {
			t.Errorf("%s: there is no codec %s", c.what, c.codec)
		}
	}
	advised := 0
	for _, c := range choices {
		if c.advise {
			advised++
			if c.how == "" || c.note == "" {
				t.Errorf("%s is advised without how, or what to mind", c.what)
			}
			if c.codec != base && !strings.Contains(c.note, unchecked) {
				t.Errorf("%s: only protobuf-go checks strings that are sent", c.what)
			}
		}
	}
	if advised == 0 {
		t.Error("nothing is advised")
	}
}

// TestWireEach: the tag and the length around a group are left out, for groups whose length takes
// another number of bytes than that of the message too.
func TestWireEach(t *testing.T) {
	for n := range 20_000 {
		size := 1
		if n >= 128 {
			size = 2
		}
		if n >= 1<<14 {
			size = 3
		}
		l := SetLine{Wire: float64(1 + size + n), Per: 1}
		if got := l.wireEach(); got != float64(n) {
			t.Fatalf("a group of %d bytes: %v", n, got)
		}
	}
}
