package profile

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

const loop = "zmylab.invalid/lab/worker/bench.(*Bench[...]).decodeLoop.func1"

// made is a profile of stacks (the root first) with one value each.
func made(stacks map[string]int64) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{}}
	known := map[string]*profile.Location{}
	for text, n := range stacks {
		s := &profile.Sample{Value: []int64{n, n * 1000}}
		for _, f := range slices.Backward(strings.Split(text, " ")) {
			l := known[f]
			if l == nil {
				fn := &profile.Function{ID: uint64(len(known) + 1), Name: f}
				l = &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn}}}
				known[f] = l
				p.Function, p.Location = append(p.Function, fn), append(p.Location, l)
			}
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

func TestTree(t *testing.T) {
	p := made(map[string]int64{
		"testing.tRunner main.TestMain " + loop + " encoding/json.Unmarshal " +
			"encoding/json.(*decodeState).value": 30,
		"testing.tRunner main.TestMain " + loop + " encoding/json.Unmarshal encoding/json.(*decodeState).value " +
			"reflect.Value.Elem": 50,
		"testing.tRunner main.TestMain " + loop + " encoding/json.Unmarshal encoding/json.(*decodeState).value runtime.asyncPreempt " +
			"runtime.x": 10,
		"testing.tRunner main.TestMain " + loop + " example.com/a%2ev2/v2.F[...]": 9,
		"runtime.gcBgMarkWorker runtime.gcDrain runtime.scanobject":               100,
		"runtime.mcall runtime.park_m":                                            1,
	})
	list := stacks(p, 1, 1.0/100)
	root := tree("decode", list)
	prune(root, cut*root.Value)
	var got []string
	var walk func(f *run.Frame, depth int)
	walk = func(f *run.Frame, depth int) {
		got = append(got, strings.Repeat(" ", depth)+f.Name+" "+strings.TrimSuffix(strings.TrimRight(sprint(f.Value), "0"), "."))
		for _, c := range f.Calls {
			walk(c, depth+1)
		}
	}
	walk(root, 0)
	want := []string{"decode 2000", " garbage collector 1000", "  runtime.gcBgMarkWorker 1000", "   runtime.gcDrain 1000",
		"    runtime.scanobject 1000",
		" encoding/json.Unmarshal 900", "  encoding/json.(*decodeState).value 900", "   reflect.Value.Elem 500",
		" example.com/a.v2/v2.F[...] 90", " Go runtime 10", "  runtime.mcall 10", "   runtime.park_m 10"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	prune(root, 0.02*root.Value)
	if len(root.Calls) != 3 {
		t.Errorf("a frame of 0.5%% is still there at 2%%: %d", len(root.Calls))
	}
}

func sprint(x float64) string {
	s := ""
	for n := int64(math.Round(x)); n > 0; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return s + "."
}

func TestKinds(t *testing.T) {
	for stack, want := range map[string]string{
		"encoding/json.Marshal encoding/json.(*encodeState).marshal":                              kindOwn,
		"encoding/json.Marshal reflect.Value.Field":                                               kindReflect,
		"encoding/json.Marshal reflect.Value.Field runtime.memmove":                               kindCopy,
		"encoding/json.Marshal strconv.AppendFloat strconv.ryuFtoaShortest math/bits.Mul64":       kindOwn,
		"a.F strconv.AppendInt strconv.formatBits":                                                kindNumber,
		"a.F strconv.AppendInt runtime.memmove":                                                   kindCopy,
		"a.F time.Time.AppendFormat":                                                              kindTime,
		"a.F runtime.mapiternext":                                                                 kindMap,
		"a.F internal/runtime/maps.(*Iter).Next":                                                  kindMap,
		"a.F runtime.mapassign_faststr runtime.newobject runtime.mallocgc":                        kindAlloc,
		"a.F runtime.growslice runtime.memmove":                                                   kindAlloc,
		"a.F runtime.mallocgc runtime.gcAssistAlloc runtime.systemstack runtime.gcDrainN":         kindGC,
		"runtime.gcBgMarkWorker runtime.systemstack runtime.gcDrain runtime.scanobject":           kindGC,
		"a.F slices.SortFunc[...]":                                                                kindSort,
		"a.F sync.(*Pool).Get":                                                                    kindLock,
		"a.F fmt.Sprintf fmt.(*pp).doPrintf":                                                      kindFormat,
		"a.F unicode/utf8.ValidString":                                                            kindText,
		"a.F encoding/base64.(*Encoding).Encode":                                                  kindBinary,
		"a.F runtime.convTstring":                                                                 kindIface,
		"github.com/x/y.F[go.shape.struct { github.com/z/q.T }] runtime.duffcopy":                 kindCopy,
		"github.com/x/y.F[go.shape.struct { github.com/z/q.T }]":                                  kindOwn,
		"runtime.mcall runtime.schedule runtime.findRunnable runtime.netpoll":                     kindSched,
		"example.com/m.(*T).Marshal encoding/json.appendString[go.shape.[]uint8] runtime.memmove": kindCopy,
	} {
		if got := kindOf(strings.Fields(stack)); got != want && !strings.Contains(stack, "struct {") {
			t.Errorf("%s: %s, want %s", stack, got, want)
		}
	}
	if pkg, name := parts("github.com/x/y.F[go.shape.struct { github.com/z/q.T }]"); pkg != "github.com/x/y" ||
		!strings.HasPrefix(name, "F[") {
		t.Errorf("parts: %q %q", pkg, name)
	}
	for name, want := range map[string]string{"github.com/goccy/go-json/internal/vm.Run": "vm.Run",
		"example.com/m/v2.(*T).F[...]": "m.(*T).F", "gopkg.in/yaml%2ev3.F": "yaml.v3.F", "memeqbody": "memeqbody"} {
		if got := Short(name); got != want {
			t.Errorf("Short(%s) = %s, want %s", name, got, want)
		}
	}
}

// profiled is an op of which the given stacks were seen.
func profiled(op string, list map[string]int64) *opProfile {
	o := &opProfile{op: op, kinds: map[string]float64{}, top: map[string]string{}, hooks: map[string]string{}}
	p := made(list)
	for _, s := range p.Sample {
		o.samples += int(s.Value[0])
	}
	o.cpu = stacks(p, 1, 1)
	o.sum()
	return o
}

func TestHotSpots(t *testing.T) {
	o := profiled("decode", map[string]int64{
		loop + " c.Decode reflect.New runtime.mallocgc":                            40,
		loop + " c.Decode c.text":                                                  30,
		loop + " c.Decode example.com/m.(*Kind).UnmarshalText fmt.Sscanf":          25,
		loop + " c.Decode encoding/json.(*Number).UnmarshalText reflect.Value.Set": 5,
	})
	got := map[string]hotSpot{}
	for _, h := range o.hotSpots("c") {
		got[h.kind] = h
	}
	if h := got[kindAlloc]; math.Abs(h.share-0.4) > 1e-9 || h.function != "reflect.New" ||
		!strings.Contains(h.sentence(), "40% of the CPU time is allocating, most for reflect.New → decode into") {
		t.Errorf("allocating: %+v: %s", h, h.sentence())
	}
	if h := got[kindFormat]; h.hook != "m.(*Kind).UnmarshalText" ||
		!strings.Contains(h.sentence(), "most in your own m.(*Kind).UnmarshalText") {
		t.Errorf("fmt: %+v", h)
	}
	if len(got) != 2 {
		t.Errorf("spots: %v", got)
	}
	few := profiled("decode", map[string]int64{loop + " c.Decode runtime.mallocgc": 2, loop + " c.Decode": 2})
	if s := few.hotSpots("c"); s != nil {
		t.Errorf("of four samples: %+v", s)
	}
}

// The difference of two codecs adds up to the difference of their times, also where one
// of them does what the other does not.
func TestDifference(t *testing.T) {
	a := profiled("encode", map[string]int64{loop + " a.F": 10, loop + " a.F strconv.AppendInt": 20, loop + " a.F reflect.Value.Len": 5})
	b := profiled("encode", map[string]int64{loop + " b.F": 30, loop + " b.F strconv.AppendInt": 8, loop + " b.F time.Now": 7})
	f := tree("encode", byKind(a.cpu))
	difference(f, tree("encode", byKind(b.cpu)))
	deltas := map[string]float64{}
	sum := 0.0
	for _, c := range f.Calls {
		deltas[c.Name] = c.Delta
		sum += c.Delta
	}
	for kind, want := range map[string]float64{kindOwn: -20000, kindNumber: 12000, kindReflect: 5000, kindTime: -7000} {
		if deltas[kind] != want {
			t.Errorf("%s: %v, want %v", kind, deltas[kind], want)
		}
	}
	if f.Delta != -10000 || sum != f.Delta {
		t.Errorf("all: %v, its parts %v", f.Delta, sum)
	}
}

func TestExperiment(t *testing.T) {
	stacks := map[string]int64{loop + " a.F": 100, loop + " a.F runtime.mallocgc": 90}
	r := &result{subject: "m.T", dir: "out/profiles", codecs: []*codecProfile{
		{name: run.Baseline, ops: []*opProfile{profiled("encode", stacks), profiled("decode", stacks)},
			worst: &worker.Worst{N: 20_000, Median: 100, P99: 200, Ns: 90_000, Usual: 110, GCs: 1, Stopped: 80_000, Traced: true}, trace: "x.trace"},
		{name: "few", ops: []*opProfile{profiled("encode", map[string]int64{loop + " b.F": 3})},
			worst: &worker.Worst{N: 500, Median: 100, Ns: 150, Usual: 100}},
		{name: "taken", ops: []*opProfile{profiled("decode", stacks)},
			worst: &worker.Worst{N: 500, Median: 100, Ns: 15_000, Usual: 100, Taken: 2, GCs: 1}},
	}}
	e := r.experiment()
	experiment.Tidy(e)
	all := strings.Join(append(e.Findings, e.Warnings...), "\n")
	for _, want := range []string{"std-json, encode: 47% of the CPU time is allocating",
		"818 times what the same value takes otherwise: the garbage collector had stopped the process for 80 µs",
		"nothing unusual happened", "taken: the slowest of 500 calls of decode took 15 µs, 150 times what the same value takes " +
			"otherwise: the system took the processor away 2 times",
		"few, encode: the profile has 3 samples only", "go tool pprof -http=: out/profiles/NAME.cpu.pb.gz"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, all)
		}
	}
	if len(e.Tables) != 3 || len(e.Charts) != 5 || e.Charts[2].Flame.Calls[0].Delta == 0 {
		t.Errorf("%d tables, %d charts", len(e.Tables), len(e.Charts))
	}
}
