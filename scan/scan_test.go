package scan

import (
	"cmp"
	"context"
	"errors"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan/internal/proftest"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

var (
	stdUnmarshal = &site.Kind{Codec: "std-json", Func: "encoding/json.Unmarshal", Direction: site.Unmarshal, Value: 1, Format: "json"}
	stdEncode    = &site.Kind{Codec: "std-json", Func: "(*encoding/json.Encoder).Encode", Direction: site.Marshal,
		Format: "json", Stream: true}
	iterEncode = &site.Kind{Codec: "jsoniter", Func: "(*github.com/json-iterator/go.Encoder).Encode", Direction: site.Marshal,
		Format: "json", Stream: true}
	iterMarshal  = &site.Kind{Codec: "jsoniter", Func: "github.com/json-iterator/go.Marshal", Direction: site.Marshal, Format: "json"}
	protoMarshal = &site.Kind{Codec: "protobuf", Func: "google.golang.org/protobuf/proto.Marshal", Direction: site.Marshal, Format: "protobuf"}
)

// named returns a type of a package that need not exist.
func named(path, name string) types.Type {
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	o := types.NewTypeName(token.NoPos, pkg, name, nil)
	pkg.Scope().Insert(o)
	return types.NewNamed(o, types.NewStruct(nil, nil), nil)
}

func siteAt(k *site.Kind, file string, line int, values ...site.Value) *site.Site {
	dir := filepath.Dir(file)
	return &site.Site{Kind: k, Call: site.Call{Pos: token.Position{Filename: file, Line: line}, Func: "example.org/shop/" + dir + ".F"},
		Package: "example.org/shop/" + dir, Values: values}
}

// frames returns a stack of a codec's function below a site.
func frames(codec string, s *site.Site) []string {
	return []string{codec + " /lib.go:1", s.Func + " /src/shop/" + s.Pos.Filename + ":" + itoa(s.Pos.Line)}
}

func itoa(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

// silent is a UI that keeps what it is told.
type silent struct{ said []string }

func (s *silent) Doing(text string)                            { s.said = append(s.said, text) }
func (s *silent) Say(text string)                              { s.said = append(s.said, text) }
func (s *silent) Note(text string)                             { s.said = append(s.said, text) }
func (s *silent) First(*run.Contender, []*run.Cell)            {}
func (s *silent) Rounds(_ string, spent, budget time.Duration) {}

// shop is a code base of four sites with profiles of it.
type shop struct {
	code      *Code
	cpu, heap string
	asked     []lab.Options // what the lab was asked for
	ratios    map[string]float64
	writers   map[string]float64 // in mode writer
	bytes     float64            // that fxjson allocates; encoding/json allocates 1000
	fail      error
}

func newShop(t *testing.T, samples int64) *shop {
	device, page, proto := named("example.org/shop/model", "Device"), named("example.org/shop/model", "Page"), named("example.org/shop/pb",
		"Order")
	load := siteAt(stdUnmarshal, "store/load.go", 20, site.Value{Type: types.NewPointer(device), Name: "*example.org/shop/model.Device"})
	list := siteAt(iterMarshal, "api/list.go", 31, site.Value{Type: page, Name: "example.org/shop/model.Page"})
	misc := siteAt(stdEncode, "api/any.go", 40, site.Value{Type: types.Universe.Lookup("any").Type(), Name: "any"})
	send := siteAt(protoMarshal, "bus/send.go", 12, site.Value{Type: types.NewPointer(proto), Name: "*example.org/shop/pb.Order"})
	small := siteAt(stdUnmarshal, "conf/conf.go", 11, site.Value{Type: device, Name: "example.org/shop/model.Device"})
	s := &shop{code: &Code{Sites: []*site.Site{load, list, misc, send, small}, Packages: 5,
		Program: profile.Program{Modules: []string{"example.org/shop"}, Mains: []string{"."}}},
		ratios: map[string]float64{"fxjson": 2, "jsoniter": 1.25}, bytes: 750}
	jsonU, iter, jsonE, pb := "encoding/json.Unmarshal", "github.com/json-iterator/go.Marshal", "encoding/json.(*Encoder).Encode",
		"google.golang.org/protobuf/proto.Marshal"
	n := func(permille int64) int64 { return samples * permille / 1000 }
	dir := t.TempDir()
	s.cpu, s.heap = filepath.Join(dir, "cpu"), filepath.Join(dir, "heap")
	write(t, s.cpu, proftest.CPU(t, 60,
		proftest.Stack{N: n(70), Frames: frames(jsonU, load)}, proftest.Stack{N: n(40), Frames: frames(iter, list)},
		proftest.Stack{N: n(30), Frames: frames(jsonE, misc)}, proftest.Stack{N: n(50), Frames: frames(pb, send)},
		proftest.Stack{N: n(2), Frames: frames(jsonU, small)},
		proftest.Stack{N: n(100), Frames: []string{"runtime.gcBgMarkWorker /r.go:1"}},
		proftest.Stack{N: n(20), Frames: []string{"encoding/json.Marshal /e.go:1", "github.com/dep/one.Log /l.go:1",
			"example.org/shop/api.G /src/shop/api/g.go:1"}},
		proftest.Stack{N: n(688), Frames: []string{"example.org/shop/api.G /src/shop/api/g.go:1"}}))
	write(t, s.heap, proftest.Heap(t,
		proftest.Stack{N: 1000, Bytes: 200 << 20, Frames: frames(jsonU, load)},
		proftest.Stack{N: 1000, Bytes: 800 << 20, Frames: []string{"example.org/shop/api.G /src/shop/api/g.go:1"}}))
	return s
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// lab stands in for lab.Run: it answers with the ratios of the shop.
func (s *shop) lab(_ context.Context, o lab.Options, _ lab.UI) (*run.Run, error) {
	s.asked = append(s.asked, o)
	if s.fail != nil {
		return nil, s.fail
	}
	r := &run.Run{Subject: run.Subject{Values: 256, Source: "field names and types"}}
	for _, c := range append([]string{run.Baseline}, o.Codecs...) {
		x, w := cmp.Or(s.ratios[c], 1), s.writers[c]
		r.Contenders = append(r.Contenders, &run.Contender{Name: c, Status: run.StatusMeasured})
		cell := func(op, mode string, ratio float64) {
			c := &run.Cell{Codec: c, Op: op, Mode: mode, Bytes: map[string]float64{run.Baseline: 1000, "fxjson": s.bytes}[c]}
			for k := range 12 { // two launches; rounds differ, for fxjson more than for the others
				wall := float64(900+20*k) / ratio
				if c.Codec == "fxjson" {
					wall *= []float64{0.95, 1 / 0.95, 0.9, 1 / 0.9, 1, 1}[(k/2+k%2)%6]
				}
				c.Samples = append(c.Samples, run.Sample{Launch: k % 2, Round: k / 2, N: 1, Wall: wall})
			}
			r.Cells = append(r.Cells, c)
		}
		for _, op := range []string{"encode", "decode"} {
			cell(op, "fresh", x)
		}
		if o.Streams && w > 0 {
			cell("encode", "writer", w)
		}
	}
	return r, nil
}

func (s *shop) scan(t *testing.T, o Options) *Result {
	t.Helper()
	o.CPU, o.Heap, o.Run, o.Lab.Seed = s.cpu, s.heap, s.lab, 1
	r, err := Run(t.Context(), s.code, o, &silent{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func bySite(r *Result) map[string]*Site {
	out := map[string]*Site{}
	for _, x := range r.Sites {
		out[x.File] = x
	}
	return out
}

// TestScan: shares, ratios, savings, and what to do at each site.
func TestScan(t *testing.T) {
	s := newShop(t, 20000)
	r := s.scan(t, Options{Measure: true, Price: 0.04, Adopt: "zmy adopt"})
	at := bySite(r)
	near := func(what string, got, want float64) {
		t.Helper()
		if got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	load := at["store/load.go"]
	near("CPU of load", load.CPU.Point, 0.07)
	near("GC of load", load.GC.Point, 0.1*0.2)
	near("saving of load", load.Saving.Share.Point, 0.07/2+0.02*(1-750.0/1000))
	if load.Action != Adopt || load.To != "fxjson" || load.Run != "zmy adopt fxjson ./store" || load.Call != "json.Unmarshal(*model.Device)" {
		t.Errorf("load: %+v", load)
	}
	near("ratio of list: fxjson against jsoniter", at["api/list.go"].Ratio.Point, 2/1.25)
	near("saving of list", at["api/list.go"].Saving.Share.Point, 0.04*(1-1.25/2))
	near("all saved", r.Saving.Share.Point, 0.04+0.015)
	near("all serialization", r.All.Point, 0.212+0.02)
	near("at sites", r.Here.Point, 0.192+0.02)
	near("cores", r.Cores, float64(20000*proftest.Period)/60e9)
	near("money", r.Saving.Month.Point, 0.055*r.Cores*0.04*730)
	for file, want := range map[string]string{
		"api/any.go":   "the values are of an interface type: what is in them is known at run time only",
		"bus/send.go":  "another codec of protobuf is another choice of libraries: compare them by zmy lab",
		"conf/conf.go": "below 0.5% of CPU",
	} {
		if x := at[file]; x.Action != Leave || x.Reason != want {
			t.Errorf("%s: %s, %s", file, x.Action, x.Reason)
		}
	}
	if want := "Serialization takes 23% of CPU: read on. fxjson at 2 sites saves 5.5 points ("; !strings.HasPrefix(r.Verdict, want) ||
		r.Leave {
		t.Errorf("verdict %q, want %s…", r.Verdict, want)
	}
	if len(r.Elsewhere) != 1 || r.Elsewhere[0].Name != "github.com/dep/one" || r.Elsewhere[0].CPU.Point != 0.02 {
		t.Errorf("elsewhere: %+v", r.Elsewhere)
	}
	if len(s.asked) != 2 || s.asked[0].Type != "Device" || strings.Join(s.asked[0].Codecs, " ") != "fxjson" ||
		s.asked[1].Type != "Page" || strings.Join(s.asked[1].Codecs, " ") != "fxjson jsoniter" {
		t.Errorf("the lab was asked for %+v", s.asked)
	}
	if r.Flame.Value != 0.212*20000*proftest.Period {
		t.Errorf("the flame graph has %v ns", r.Flame.Value)
	}
}

// TestStreams: the ratio at a call of an Encoder is that of Encoders, if the lab has one of both codecs.
func TestStreams(t *testing.T) {
	for _, c := range []struct {
		name    string
		from    *site.Kind
		writers map[string]float64
		want    float64
	}{
		{"encoding/json", stdEncode, map[string]float64{"std-json": 0.8, "fxjson": 3}, 3 / 0.8},
		{"json-iterator", iterEncode, map[string]float64{"std-json": 0.8, "jsoniter": 0.5, "fxjson": 3}, 3 / 0.5},
		{"a codec without", iterEncode, map[string]float64{"std-json": 0.8, "fxjson": 3}, 2 / 1.25},
		{"not an Encoder", iterMarshal, map[string]float64{"std-json": 0.8, "jsoniter": 0.5, "fxjson": 3}, 2 / 1.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t, 20000)
			s.writers = c.writers
			s.code.Sites[1].Kind = c.from
			r := s.scan(t, Options{Measure: true})
			x := bySite(r)["api/list.go"]
			if x.Ratio == nil || x.Ratio.Point < c.want-1e-6 || x.Ratio.Point > c.want+1e-6 {
				t.Errorf("ratio %v, want %v", x.Ratio, c.want)
			}
			for _, o := range s.asked {
				if want := c.from.Stream && o.Type == "Page"; o.Streams != want || slices.Contains(o.Command, "-streams") != want {
					t.Errorf("%s: streams are %v by %q", o.Type, o.Streams, o.Command)
				}
			}
			if at := bySite(r)["store/load.go"]; math.Abs(at.Ratio.Point-2) > 1e-6 {
				t.Errorf("another site has the ratio %v", at.Ratio)
			}
		})
	}
}

// TestAdvice: runs in which something is missing or not worth it.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples int64
		change  func(*shop, *Options)
		verdict string
		action  string // of store/load.go
		reason  string
	}{
		{"not measured", 20000, func(_ *shop, o *Options) { o.Measure = false }, "Serialization takes 23% of CPU: read on. It is not known yet",
			Measure, "not measured"},
		{"one type at most", 20000, func(_ *shop, o *Options) { o.Top = 1 },
			"Serialization takes 23% of CPU: read on. fxjson at 1 site saves 4.0",
			Adopt, "2.00× (1.89–2.11) as fast"},
		{"not faster", 20000, func(s *shop, _ *Options) { s.ratios["fxjson"], s.bytes = 1.01, 1000 },
			"Serialization takes 23% of CPU, but no other codec is proven to save any of it: leave it alone.", Leave,
			"fxjson is not proven faster here (1.01× (0.96–1.07))"},
		{"less memory alone", 20000, func(s *shop, _ *Options) { s.ratios["fxjson"], s.bytes = 1.01, 100 },
			"Serialization takes 23% of CPU: read on. fxjson at 1 site saves 1.9", Adopt, "1.01× (0.96–1.07) as fast, and it allocates less"},
		{"more memory", 20000, func(s *shop, _ *Options) { s.ratios["fxjson"], s.bytes = 1.2, 2000 },
			"Serialization takes 23% of CPU, but no other codec is proven to save any of it: leave it alone.", Leave,
			"fxjson is faster here (1.20× (1.14–1.27)), and allocates more: it is not proven to save anything"},
		{"too few samples", 500, nil, "Serialization takes 23% of CPU: read on. It is not known yet", Measure, "too few samples to predict"},
		{"the lab fails", 20000, func(s *shop, _ *Options) { s.fail = errors.New("go build: exit 1\nmore") },
			"Serialization takes 23% of CPU: read on. It is not known yet", Measure, "the lab could not measure it: go build: exit 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, o := newShop(t, c.samples), Options{Measure: true}
			if c.change != nil {
				c.change(s, &o)
			}
			r := s.scan(t, o)
			x := bySite(r)["store/load.go"]
			if !strings.HasPrefix(r.Verdict, c.verdict) || x.Action != c.action || x.Reason != c.reason {
				t.Errorf("%s\n%s: %s", r.Verdict, x.Action, x.Reason)
			}
			if refused := r.Refused != ""; refused != (c.samples < 1000) {
				t.Errorf("refused: %q", r.Refused)
			}
			if c.samples < 1000 && len(s.asked) > 0 {
				t.Error("types were measured although nothing can be predicted")
			}
		})
	}
}

// TestLeave: a program that hardly serializes is told so at once, and nothing is measured.
func TestLeave(t *testing.T) {
	s := newShop(t, 20000)
	write(t, s.cpu, proftest.CPU(t, 60, proftest.Stack{N: 80, Frames: frames("encoding/json.Unmarshal", s.code.Sites[0])},
		proftest.Stack{N: 19920, Frames: []string{"example.org/shop/api.G /src/shop/api/g.go:1"}}))
	r := s.scan(t, Options{Measure: true})
	if r.Verdict != "Serialization takes 0.4% of CPU: leave it alone." || !r.Leave || len(s.asked) > 0 {
		t.Errorf("%s, asked for %d types", r.Verdict, len(s.asked))
	}
}

// TestUnfound: serialization in the code base where no site is known is no reason to leave it alone.
func TestUnfound(t *testing.T) {
	s := newShop(t, 20000)
	s.code.Sites = nil
	r := s.scan(t, Options{Measure: true})
	if r.Leave || r.Verdict != "Serialization takes 23% of CPU, 21.2% of it in calls of this code base that were not found in the source: "+
		"see the warnings." || len(r.Warnings) != 1 {
		t.Errorf("%s %q", r.Verdict, r.Warnings)
	}
}

// TestStopped: Ctrl-C while types are measured leaves a prediction from those that were.
func TestStopped(t *testing.T) {
	s := newShop(t, 20000)
	ctx, stop := context.WithCancel(t.Context())
	calls := 0
	r, err := Run(ctx, s.code, Options{CPU: s.cpu, Measure: true, Run: func(c context.Context, o lab.Options, ui lab.UI) (*run.Run, error) {
		if calls++; calls == 2 {
			stop()
			return nil, ctx.Err()
		}
		return s.lab(c, o, ui)
	}}, &silent{})
	if !errors.Is(err, context.Canceled) || r == nil {
		t.Fatalf("%v, %v", r, err)
	}
	at := bySite(r)
	if at["store/load.go"].Action != Adopt || at["api/list.go"].Action != Measure {
		t.Errorf("%+v\n%+v", at["store/load.go"], at["api/list.go"])
	}
}

// TestNoProfile: the sites with their types, and a profile that is found by itself.
func TestNoProfile(t *testing.T) {
	s := newShop(t, 20000)
	r, err := Run(t.Context(), s.code, Options{}, &silent{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sites) != 5 || r.Sites[0].File != "api/any.go" || r.CPU != nil ||
		r.Verdict != "Sites that marshal or unmarshal: 5, with 5 types. Without a profile it is not known what they cost." {
		t.Errorf("%s: %d sites", r.Verdict, len(r.Sites))
	}
	dir := filepath.Dir(s.cpu)
	if err := os.Rename(s.cpu, filepath.Join(dir, "default.pgo")); err != nil {
		t.Fatal(err)
	}
	s.code.Dir, s.code.Mains = dir, []string{dir}
	if r, err = Run(t.Context(), s.code, Options{}, &silent{}); err != nil || r.CPU == nil || r.CPU.Name != "default.pgo" {
		t.Errorf("default.pgo was not taken: %v, %+v", err, r)
	}
	if _, err := Run(t.Context(), &Code{}, Options{Heap: s.heap}, &silent{}); !errors.As(err, new(*lab.UsageError)) {
		t.Errorf("a heap profile alone: %v", err)
	}
}

// TestSubjects: the types that the lab takes for the values of sites.
func TestSubjects(t *testing.T) {
	device := named("example.org/shop/model", "Device")
	local := types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage("example.org/shop/api", "api"), "answer", nil),
		types.NewStruct(nil, nil), nil)
	for _, c := range []struct {
		t    types.Type
		want string
	}{
		{device, "model.Device"},
		{types.NewPointer(types.NewPointer(device)), "model.Device"},
		{types.NewSlice(types.NewPointer(device)), "model.Device"},
		{types.NewMap(types.Typ[types.String], device), "model.Device"},
		{local, "answer is declared inside a function: generated code needs a type of the package"},
		{types.NewMap(types.Typ[types.String], types.NewInterfaceType(nil, nil)),
			"elements of the map: the values are of an interface type: what is in them is known at run time only"},
		{types.NewStruct(nil, nil), "the struct type has no name: generated code needs one"},
		{types.Typ[types.String], "string is converted without reflection already"},
		{named("time", "Time"), "time.Time belongs to the standard library"},
		{nil, "its type is not known"},
	} {
		s, why := namer{[]string{"example.org/shop"}}.subjectOf(c.t)
		if got := why; got != c.want && s.name() != c.want {
			t.Errorf("%v: %s, %q; want %s", c.t, s.name(), why, c.want)
		}
	}
}

// TestSamples: the lab gets the file of a type, or else the file for all, whether it holds documents or a fit.
func TestSamples(t *testing.T) {
	s := newShop(t, 10_000)
	s.scan(t, Options{Measure: true})
	own := subject{Package: s.asked[0].Package, Type: s.asked[0].Type}
	s.asked = nil
	s.scan(t, Options{Measure: true, Samples: map[string]string{own.name(): "own.ndjson", "": "fit.json"}})
	for _, o := range s.asked {
		want := "fit.json"
		if o.Package == own.Package && o.Type == own.Type {
			want = "own.ndjson"
		}
		if o.Sample != want {
			t.Errorf("%s %s is measured on %s, want %s", o.Package, o.Type, o.Sample, want)
		}
	}
	if len(s.asked) < 2 {
		t.Errorf("%d types were measured", len(s.asked))
	}
}

// TestSamplesOfNoType: a sample for a type that no site has is refused before anything is measured.
func TestSamplesOfNoType(t *testing.T) {
	s := newShop(t, 20000)
	for name, want := range map[string]string{"model.Devise": "did you mean model.Device?", "x.Y": "types are named with their package"} {
		_, err := Run(t.Context(), s.code, Options{CPU: s.cpu, Run: s.lab, Samples: map[string]string{name: "f.json"}}, &silent{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	s.scan(t, Options{Measure: true, Samples: map[string]string{"model.Page": "f.json", "": "g.json"}})
}
