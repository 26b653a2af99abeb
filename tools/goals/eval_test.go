package goals

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

var order = sync.OnceValue(func() *run.Run {
	r := runtest.Order(runtest.Options{})
	stats.Fill(r)
	return r
})

func parse(t *testing.T, line string) *Goal {
	t.Helper()
	g, err := Parse("g.yaml", []byte("- {subject: order, "+line+"}"))
	if err != nil {
		t.Fatal(err)
	}
	return g[0]
}

// The simulated run's truth: zmy decodes in 701 ns, msgp in 1460 (2.083×).
func TestVerdicts(t *testing.T) {
	r := order()
	truth := stats.Ratio(stats.Find(r, "msgp", "decode", "fresh").Samples, stats.Find(r, "zmy", "decode", "fresh").Samples, r.Clock, 1)
	between := (truth.Lo + truth.Point) / 2
	for _, c := range []struct{ name, line, verdict, why string }{
		{"pass", "op: decode, ours: zmy/fresh, than: msgp/fresh, least: 1.9", Pass, ""},
		{"near", fmt.Sprintf("op: decode, ours: zmy/fresh, than: msgp/fresh, least: %.5f", between), Near, ""},
		{"fail", "op: decode, ours: zmy/fresh, than: msgp/fresh, least: 2.3", Fail, ""},
		{"accepted", "op: decode, ours: zmy/fresh, than: msgp/fresh, least: 2.3, accepted: 2.08 on 2026-11-21", Accepted, "2.08 on 2026-11-21"},
		{"accepted, yet met", "op: decode, ours: zmy/fresh, than: msgp/fresh, least: 1.5, accepted: it was once 1.4", Pass, ""},
		{"most, pass", "op: decode, ours: zmy/fresh, than: msgp/fresh, most: 0.55", Pass, ""},
		{"most, near", fmt.Sprintf("op: decode, ours: zmy/fresh, than: msgp/fresh, most: %.5f", 1/between), Near, ""},
		{"most, fail", "op: decode, ours: zmy/fresh, than: msgp/fresh, most: 0.4", Fail, ""},
		{"slower", "op: decode, ours: gob/fresh, than: msgp/fresh, least: 1", Fail, ""},
		{"across ops", "op: access, ours: zmy/fresh, than: msgp/decode/fresh, least: 50", Pass, ""},
		{"fastest is msgp, not the codec that does nothing", "op: decode, ours: zmy/fresh, than: fastest/fresh, least: 1.9", Pass, ""},
		{"fastest, missed", "op: decode, ours: zmy/fresh, than: fastest/fresh, least: 2.3", Fail, ""},
		{"fastest of none", "op: decode, ours: zmy/fresh, than: fastest/other, least: 2", Pending, "no other ranked contender"},
		{"allocs, absolute", "op: decode, metric: allocs, ours: zmy/fresh, most: 5", Pass, ""},
		{"allocs, missed", "op: decode, metric: allocs, ours: zmy/fresh, most: 4", Fail, ""},
		{"no allocs", "op: encode, metric: allocs, ours: zmy/append, most: 0", Pass, ""},
		{"allocs against none", "op: encode, metric: allocs, ours: zmy/fresh, than: zmy/append, most: 2", Fail, ""},
		{"none against allocs", "op: encode, metric: allocs, ours: zmy/append, than: zmy/fresh, least: 9", Pass, ""},
		{"none against none", "op: access, metric: allocs, ours: zmy/fresh, than: msgp/fresh, most: 1", Pass, ""},
		{"bytes", "op: decode, metric: bytes, ours: zmy/fresh, than: std-json/fresh, most: 0.5", Pass, ""},
		{"wire", "op: encode, metric: wire, ours: zmy/fresh, than: protobuf-native/fresh, most: 1.1", Pass, ""},
		{"wire, missed", "op: encode, metric: wire, ours: zmy/fresh, than: protobuf-native/fresh, most: 1.05", Fail, ""},
		{"time, absolute", "op: encode, ours: zmy/fresh, most: 250", Pass, ""},
		{"first call, twice over", "op: encode, metric: first-call, ours: zmy/fresh, most: 15000", Pass, ""},
		{"first call, once over", "op: encode, metric: first-call, ours: zmy/fresh, most: 8000", Near, "2 times over"},
		{"first call, missed", "op: encode, metric: first-call, ours: zmy/fresh, most: 7000", Fail, ""},
		{"ours breaks its contract", "op: decode, ours: nothing/fresh, than: msgp/fresh, least: 1", Fail, "contract broken"},
		{"pending contender", "op: decode, ours: zmy/fresh, than: benc/fresh, least: 1", Pending, "benc is not in the lab yet"},
		{"pending ours", "op: decode, ours: zmy2/fresh, than: msgp/fresh, least: 1", Pending, "zmy2 is not in the lab yet"},
		{"pending mode", "op: decode, ours: zmy/alias, than: msgp/fresh, least: 1", Pending, "zmy has no decode in mode alias yet"},
		{"pending floor", "op: encode, ours: zmy/append, floor: memcpy, most: 1.25", Pending, "floor-memcpy is not in the lab yet"},
		{"pending metric", "metric: code-size, ours: zmy/fresh, most: 1", Pending, "code-size is not measured yet"},
		{"unavailable, failed", "op: encode, ours: zmy/fresh, than: fory/fresh, least: 1", Unavailable, "could not be downloaded"},
		{"unavailable, skipped", "op: encode, ours: zmy/fresh, than: easyjson/fresh, least: 1", Unavailable, "fall back to encoding/json"},
	} {
		o := Judge(parse(t, c.line), r)
		if o.Verdict != c.verdict || !strings.Contains(o.Why, c.why) || c.why == "" && o.Why != "" {
			t.Errorf("%s: %s %s %q, want %s %q", c.name, o.Verdict, spell(o), o.Why, c.verdict, c.why)
		}
	}
}

func TestAllocsOfAPool(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 2, Rounds: 2})
	stats.Fill(r)
	c := stats.Find(r, "zmy", "encode", "append")
	for allocs, want := range map[float64]string{0: Pass, 0.003: Pass, 0.06: Fail, 0.9: Fail} {
		c.Allocs = allocs
		if o := Judge(parse(t, "op: encode, metric: allocs, ours: zmy/append, most: 0"), r); o.Verdict != want {
			t.Errorf("%v allocs: %s, want %s", allocs, o.Verdict, want)
		}
	}
}

func TestOneSampleNeverPasses(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 1})
	stats.Fill(r)
	o := Judge(parse(t, "op: decode, ours: zmy/fresh, than: std-json/fresh, least: 1.1"), r)
	if o.Verdict != Near {
		t.Errorf("a single sample gave %s %s", o.Verdict, spell(o))
	}
}

func TestGroups(t *testing.T) {
	list, err := Parse("g.yaml", []byte(`
- {subject: a, op: encode, ours: z/fresh, than: y/fresh, least: 1}
- {subject: b, op: encode, ours: z/fresh, than: fastest/fresh, least: 1}
- {subject: a, op: decode, ours: z/fresh, floor: slab, most: 2}
- {subject: a, op: decode, ours: z/fresh, than: x/fresh, least: 1, variant: shuffled}
- {subject: a, op: decode, ours: z/fresh, than: x/fresh, least: 1, env: [GOEXPERIMENT=jsonv2]}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range groups(list) {
		all := ""
		if g.All {
			all = " all"
		}
		got = append(got, g.Name()+" "+strings.Join(g.Codecs, ",")+all)
	}
	want := []string{"a floor-slab,std-json,y,z", "b std-json,z all", "a+shuffled std-json,x,z", "a+GOEXPERIMENT-jsonv2 std-json,x,z"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
}

type fakeRunner struct {
	run   func(Request) (*run.Run, error)
	bench func(Request) ([]byte, error)
}

func (f fakeRunner) Run(_ context.Context, q Request) (*run.Run, error) { return f.run(q) }
func (f fakeRunner) Bench(_ context.Context, q Request) ([]byte, error) { return f.bench(q) }

func TestMain_(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "g.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const pass = "- {subject: order, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 1.9}\n"
	const fail = "- {subject: order, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 3}\n"
	const later = "- {subject: later, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 3}\n"
	const broken = "- {subject: broken, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 3}\n"
	const startup = "- {subject: never-run, metric: code-size, ours: zmy/fresh, most: 3}\n"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	runs := 0
	runner := fakeRunner{func(q Request) (*run.Run, error) {
		runs++
		switch q.Subject {
		case "order":
			return order(), nil
		case "later":
			return nil, fmt.Errorf("subject later: %w", ErrMissing)
		case "stop":
			cancel()
			return nil, ctx.Err()
		}
		return nil, errors.New("disk on fire\nand more")
	}, func(q Request) ([]byte, error) {
		runs++
		switch q.Bench {
		case "pkg":
			return []byte(benchOutput), nil
		case "later":
			return nil, fmt.Errorf("package: %w", ErrMissing)
		}
		return nil, errors.New("does not compile\nx.go:1: because")
	}}
	const bench = "- {bench: pkg, ours: BenchmarkA/ours, than: BenchmarkA/other, least: 1.9}\n"
	const benchLater = "- {bench: later, ours: BenchmarkA, most: 1}\n"
	const benchBroken = "- {bench: broken, ours: BenchmarkA, most: 1}\n"
	for _, c := range []struct {
		name, goals string
		args        []string
		code, runs  int
		out, err    string
	}{
		{"pass", pass, nil, 0, 1, "1 goals: 1 PASS\n", "measuring order (msgp, std-json, zmy)"},
		{"one run for a subject", pass + fail, nil, 4, 1, "2 goals: 1 PASS · 1 FAIL", ""},
		{"pending subject", pass + later, nil, 0, 2, "1 PASS · 1 PENDING", ""},
		{"strict", pass + later, []string{"-strict"}, 4, 2, "subject later: not built yet", ""},
		{"broken run", pass + broken, nil, 1, 2, "1 UNAVAILABLE", "disk on fire"},
		{"unmeasured metric runs nothing", startup, nil, 0, 0, "1 PENDING", ""},
		{"only one subject", pass + later, []string{"-subject", "order"}, 0, 1, "1 goals: 1 PASS", ""},
		{"only one file", pass, []string{"-file", "g"}, 0, 1, "1 PASS", ""},
		{"no such file", pass, []string{"-file", "h"}, 2, 0, "", "no goal has"},
		{"list", pass, []string{"-list"}, 0, 0, "g.yaml:1\torder\tdecode zmy/fresh ≥ 1.9× msgp/fresh", ""},
		{"benchmarks", bench + pass, nil, 0, 2, "2 goals: 2 PASS", "running 2 benchmarks of ./pkg"},
		{"benchmarks, chosen", bench + pass, []string{"-subject", "./pkg"}, 0, 1, "1 goals: 1 PASS", ""},
		{"benchmarks, listed", bench, []string{"-list"}, 0, 0, "g.yaml:1\t./pkg\tcpu-ns/op BenchmarkA/ours ≥ 1.9× BenchmarkA/other", ""},
		{"benchmarks, pending", benchLater, nil, 0, 1, "1 PENDING", ""},
		{"benchmarks that do not compile", benchBroken + bench, nil, 1, 2, "1 PASS · 1 UNAVAILABLE", "x.go:1: because"},
		{"benchmarks, keep", bench, []string{"-keep", filepath.Join(dir, "kept")}, 0, 1, "1 PASS", ""},
		{"benchmarks, from", bench + benchLater, []string{"-from", filepath.Join(dir, "kept")}, 0, 0, "1 PASS · 1 PENDING", ""},
		{"bad flag", pass, []string{"-nope"}, 2, 0, "", "-nope"},
		{"argument", pass, []string{"order"}, 2, 0, "", `unexpected argument "order"`},
		{"help", pass, []string{"-h"}, 0, 0, "-strict", ""},
		{"no budget", pass, []string{"-budget", "0s"}, 2, 0, "", "must be positive"},
		{"bad goals", "- {x: 1}", nil, 2, 0, "", "g.yaml:1: unknown key"},
		{"keep", pass, []string{"-keep", filepath.Join(dir, "kept")}, 0, 1, "1 PASS", ""},
		{"from what was kept", pass + later, []string{"-from", filepath.Join(dir, "kept")}, 0, 0, "1 PASS · 1 PENDING", ""},
		{"interrupted", pass + "- {subject: stop, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 3}\n" + fail, nil, 130, 2,
			"1 PASS", "stopped"},
	} {
		write(c.goals)
		runs = 0
		var out, errs bytes.Buffer
		code := Main(ctx, append([]string{"-dir", dir}, c.args...), &out, &errs, runner)
		if code != c.code || runs != c.runs || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.err) {
			t.Errorf("%s: exit %d after %d runs, want %d after %d\nstdout %s\nstderr %s", c.name, code, runs, c.code, c.runs, &out, &errs)
		}
	}
}

// The project's goals, judged by a simulated run, print one line each.
func TestPrintBuilt(t *testing.T) {
	var out bytes.Buffer
	code := Main(t.Context(), []string{"-subject", "order-lite,sse"}, &out, &bytes.Buffer{},
		fakeRunner{run: func(Request) (*run.Run, error) { return order(), nil }})
	all, _ := Built()
	want := len(choose(all, "order-lite,sse", ""))
	if got := strings.Count(out.String(), "\n"); got != want+1 {
		t.Errorf("%d lines for %d goals (exit %d)\n%s", got, want, code, &out)
	}
	t.Log("\n" + out.String())
}

// Start-up and scaling are estimates of a cell's own.
func TestEstimatedMetrics(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 2, Rounds: 2})
	stats.Fill(r)
	c := stats.Find(r, "zmy", "encode", "append")
	r.Cells = append(r.Cells, &run.Cell{Codec: "zmy", Mode: "fresh"})
	whole := stats.Find(r, "zmy", "", "fresh")
	const startUp, scaling = "metric: start-up, ours: zmy/fresh, most: 5000000", "op: encode, metric: scaling, ours: zmy/append, least: 1.9"
	for _, line := range []string{startUp, scaling} {
		if o := Judge(parse(t, line), r); o.Verdict != Pending {
			t.Errorf("%s: %s", line, o.Verdict)
		}
	}
	for _, k := range []struct {
		line, verdict string
		e             run.Estimate
	}{
		{startUp, Pass, run.Estimate{Median: 3e5, Lo: 2e5, Hi: 4e6, N: 40}},
		{startUp, Near, run.Estimate{Median: 3e5, Lo: 2e5, Hi: 6e6, N: 40}},
		{startUp, Fail, run.Estimate{Median: 6e6, Lo: 5e6, Hi: 7e6, N: 40}},
		{scaling, Pass, run.Estimate{Median: 1.97, Lo: 1.91, Hi: 2.02, N: 40}},
		{scaling, Near, run.Estimate{Median: 1.93, Lo: 1.8, Hi: 2, N: 40}},
		{scaling, Fail, run.Estimate{Median: 1.2, Lo: 1.1, Hi: 1.3, N: 40}},
	} {
		c.Scaling, whole.Start = &k.e, &k.e
		if o := Judge(parse(t, k.line), r); o.Verdict != k.verdict {
			t.Errorf("%s of %+v: %s, want %s", k.line, k.e, o.Verdict, k.verdict)
		}
	}
}
