package gc

import (
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// stack is a sample of n hits whose frames are named from the innermost outwards.
func stack(n int64, names ...string) *profile.Sample {
	s := &profile.Sample{Value: []int64{n, n * 10_000_000}}
	for _, name := range names {
		s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
	}
	return s
}

func TestShares(t *testing.T) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}, Sample: []*profile.Sample{
		stack(40, "runtime.memclr", "runtime.mallocgcSmallScanNoHeader", "runtime.mallocgc", "runtime.newobject", "x.Decode"),
		stack(10, "runtime.gcDrainN", "runtime.gcAssistAlloc", "runtime.mallocgc", "x.Decode"),
		stack(20, "runtime.scanobject", "runtime.gcDrain", "runtime.gcBgMarkWorker"),
		stack(30, "x.number", "x.Decode"),
	}}
	a := shares(p)
	if a.Samples != 100 || math.Abs(a.Malloc-0.5) > 1e-9 || math.Abs(a.Collect-0.3) > 1e-9 {
		t.Errorf("%+v: want 100 samples, half allocating, three tenths collecting", a)
	}
	if a := shares(&profile.Profile{SampleType: p.SampleType}); a.Malloc != 0 || a.Samples != 0 {
		t.Errorf("no samples: %+v", a)
	}
}

// TestRowsOf: what reuses is found, what aliases is no reuse.
func TestRowsOf(t *testing.T) {
	c := &lab.Built{Contender: &run.Contender{Name: "c"}, Modes: []worker.Mode{{Op: "encode", Mode: "fresh"}, {Op: "encode", Mode: "pooled"},
		{Op: "decode", Mode: "fresh"}, {Op: "decode", Mode: "reused", Alias: true}, {Op: "access", Mode: "fresh"}}}
	got := map[string]int{}
	for _, r := range rowsOf(c) {
		got[r.Op+" "+r.Mode]++
	}
	if len(got) != 3 || got["encode fresh"] != 3 || got["encode pooled"] != 1 || got["decode fresh"] != 3 {
		t.Errorf("%v", got)
	}
}

func row(codec, op, mode, setting string, cpu, bytes float64, cycles int) *Row {
	r := &Row{Codec: codec, Op: op, Mode: mode, Setting: setting, N: 1000}
	for i := range 3 {
		r.Reading = append(r.Reading, worker.GCReading{N: 1000, CPU: 1000 * cpu * (1 + 0.01*float64(i)), Bytes: 1000 * bytes,
			Cycles: cycles, PauseMax: 5e4})
	}
	return r
}

func TestFindings(t *testing.T) {
	res := &Result{Retain: 64, Codecs: []string{run.Baseline, "lean"}, Rows: []*Row{
		row(run.Baseline, "encode", "fresh", Default, 1000, 8000, 20), row(run.Baseline, "encode", "fresh", Off, 700, 8000, 0),
		row(run.Baseline, "encode", "fresh", Heavy, 900, 8000, 2),
		row(run.Baseline, "encode", "append", Default, 600, 800, 2),
		row("lean", "encode", "fresh", Default, 100, 1000, 3), row("lean", "encode", "fresh", Off, 100, 1000, 0),
	}, Alloc: []Alloc{{Codec: run.Baseline, Op: "encode", Samples: 500, Malloc: 0.42},
		{Codec: "lean", Op: "encode", Samples: 500, Malloc: 0.1},
		{Codec: "lean", Op: "decode", Samples: 9, Malloc: 0.9}}}
	s := strings.Join(findings(res), "\n")
	for _, want := range []string{"spends 42% of its encode time in runtime.mallocgc: keep the buffer (mode append",
		"200 collections instead of 2000 per 100,000",
		"that of lean", "without the collector it takes 30% less", "beside 64 MiB"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing from:\n%s", want, s)
		}
	}
	if strings.Contains(s, "90%") {
		t.Errorf("nine samples are spoken of:\n%s", s)
	}
}
