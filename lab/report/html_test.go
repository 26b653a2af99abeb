package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

func filled(o runtest.Options) *run.Run {
	r := runtest.Order(o)
	stats.Fill(r)
	return r
}

// A run whose every string tries to break out of where it is shown.
const evil = "</script><script>window.evil=1</script><img src=x onerror='window.evil=1'>\" onmouseover=\"evil=1\x1b[31m\u202e`|*"

func hostile() *run.Run {
	r := filled(runtest.Options{Launches: 3, Rounds: 4, Partial: true})
	r.PartialWhy, r.Tool, r.Command = evil, evil, []string{"zmy", "lab", evil}
	r.Subject = run.Subject{Package: evil, Type: "Page[" + evil + "]", Name: evil, Source: evil, Access: evil, Values: 3, Derived: true}
	r.Host.CPU, r.Host.Go, r.Host.Virtual, r.Host.Flags, r.Host.Counters = evil, evil, evil, evil, evil
	r.Verdict = run.Verdict{Sentence: evil, Losses: []string{evil}, Next: []string{evil}, Pick: "zmy", PickJSON: "fxjson"}
	r.Warnings = []string{evil}
	for _, c := range r.Contenders {
		c.Text, c.Rankless, c.Notes, c.Family = evil, evil, []string{evil}, evil
		c.Why = &run.Why{What: evil, Where: evil, Reason: evil, Next: evil, Output: evil}
		c.Value = run.Grade{Grade: run.Lossy, Diffs: []run.Diff{{Path: evil, Before: evil, After: evil, Kind: "lossy"}}}
		c.Checks = []run.Check{{Name: evil, Result: evil, Detail: evil}}
		c.Modules = []run.Module{{Path: evil, Version: evil, Pinned: evil}}
		c.Capabilities = []run.Capability{{Name: evil, Value: evil, Note: evil}}
	}
	for _, c := range r.Cells {
		c.Warnings = []string{evil}
		if c.Mode == "append" {
			c.Mode = evil
		}
	}
	return r
}

func render(t *testing.T, r *run.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHTMLSizeAndStability(t *testing.T) {
	r := filled(runtest.Options{})
	a := render(t, r)
	if a != render(t, r) {
		t.Error("the same run gave two pages")
	}
	t.Logf("%d bytes for %d cells", len(a), len(r.Cells))
	if len(a) > 400_000 {
		t.Errorf("%d bytes, want at most 400,000", len(a))
	}
	for _, s := range []string{"http://", "https://", "@import", "url("} {
		if strings.Contains(a, s) {
			t.Errorf("page refers to something outside itself: %q", s)
		}
	}
}

func TestHTMLOfAlmostNothing(t *testing.T) {
	r := &run.Run{Schema: run.Schema}
	stats.Fill(r)
	if s := render(t, r); !strings.Contains(s, "No contender is ranked") {
		t.Error("an empty run draws no page that says so")
	}
	r = filled(runtest.Options{Launches: 1, Rounds: 1})
	r.Noise.Twin = nil
	render(t, r)
}

// No bar is longer than its box, whatever the run: compressed sizes may exceed
// raw ones, intervals may end beyond the slowest median.
func TestBarsStayInTheirBoxes(t *testing.T) {
	small := filled(runtest.Options{Launches: 2, Rounds: 3, RoundSD: 0.3, LaunchSD: 0.2})
	for _, c := range small.Contenders {
		c.Sizes.Gzip, c.Sizes.Zstd = c.Sizes.Raw+30, 0
	}
	cpu := filled(runtest.Options{Launches: 2, Rounds: 3})
	cpu.Clock = stats.CPU
	stats.Fill(cpu)
	for _, r := range []*run.Run{filled(runtest.Options{}), small, cpu} {
		p := newPage(r)
		in := func(what string, xs ...float64) {
			t.Helper()
			for _, x := range xs {
				if x < 0 || x > 100.001 {
					t.Errorf("%s: %v%% of its box", what, x)
				}
			}
		}
		for _, x := range p.Ranking.Rows {
			in("ranking "+x.C.Name, x.Bar.Enc, x.Bar.Dec, x.Bar.Enc+x.Bar.Dec, x.Bar.Lo, x.Bar.Lo+x.Bar.Whisker)
		}
		for _, op := range p.Ops {
			for _, x := range op.Rows {
				in(op.Op+" "+x.C.Codec, x.Width, x.WhiskLo, x.WhiskLo+x.WhiskWidth)
			}
		}
		for _, x := range p.Sizes {
			in("size "+x.C.Name, x.RawPct, x.GzPct, x.ZsPct)
		}
		if (r == small) == p.Zstd {
			t.Errorf("zstd shown: %v", p.Zstd)
		}
		for _, q := range p.Plot.Points {
			in("plot "+q.Name, q.X/p.Plot.W*100, q.Y/p.Plot.H*100)
		}
	}
	if s := render(t, cpu); !strings.Contains(s, "median of CPU time") || !strings.Contains(s, ">wall <span") {
		t.Error("a run on CPU time does not say so")
	}
}
