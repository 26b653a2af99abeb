package gate

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

var alarmRuns = flag.Int("alarms", 1,
	"runs of a gate that counts, of two equal programs and, half as many but at least four, of one with 2% more instructions")

// alarmSubject has maps: they are what counts of Go programs vary by.
const alarmSubject = `package subject

type Msg struct {
	ID    string
	N     int
	Tags  []string
	Attrs map[string]int
}
`

// TestAlarms runs the gate that counts on what is known: a codec against its equal, and against one
// that takes 2% more instructions to encode. `make gate-alarms` does it often enough for rates.
func TestAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and counts programs")
	}
	tool, err := callgrind.Find()
	if err != nil {
		t.Skip(err)
	}
	b := &alarmBench{t: t, tool: tool}
	b.open()
	plain, much := b.encode("plain"), b.encode("much")
	b.extra = int(0.02 * plain * muchWork / (much - plain))
	b.build("slow")

	alarms, undecided, found, wrong, slow, widest, sizes := 0, 0, 0, 0, 0, 0.0, 0.0
	for i := range max(*alarmRuns, fewestSlow) {
		if i < *alarmRuns {
			x := b.gate("same", "plain")
			widest = max(widest, x.Floor)
			if x.Regressed() {
				alarms++
				t.Logf("run %d: %q", i, x.findings())
			}
			if x.Undecided() {
				undecided++
				t.Logf("run %d: %q", i, x.findings())
			}
		}
		if i%2 == 0 || i < fewestSlow {
			x := b.gate("slow", "plain")
			slow++
			c := x.Cells[0]
			if c.Verdict == Regression {
				found++
			} else {
				t.Logf("run %d: %s, %s", i, c.Verdict, changed(c.Ratio))
			}
			sizes += 1/c.Ratio.Point - 1
			if x.Cells[1].Verdict == Regression {
				wrong++
			}
		}
		if i+1 == max(*alarmRuns, fewestSlow) || i%20 == 19 {
			t.Logf("equal programs: %d alarms and %d undecided in %d runs; launches of one program differed by up to %.2f%%", alarms,
				undecided, min(i+1, *alarmRuns), 100*widest)
			t.Logf("2%% more instructions, counted as %.2f%%: found in %d of %d runs, with %d alarms about the other operation",
				100*sizes/float64(slow), found, slow, wrong)
		}
	}
	if mean := sizes / float64(slow); mean < 0.017 || mean > 0.023 {
		t.Errorf("2%% more instructions were counted as %.2f%%", 100*mean)
	}
	if alarms > 0 || wrong > 0 || found*100 < 95*slow || undecided*20 > *alarmRuns {
		t.Errorf("want no alarm, at least 95%% found, at most 5%% undecided")
	}
}

// fewestSlow is the least number of runs with more instructions, for the mean of what they are counted
// as: that of one run varies by 0.12 points (standard deviation of twelve).
const fewestSlow = 4

// muchWork is a number of iterations whose instructions are easily told from none.
const muchWork = 10_000

// alarmBench has the codecs that are compared.
type alarmBench struct {
	t     *testing.T
	tool  *callgrind.Tool
	lab   *lab.Opened
	extra int // iterations of codec slow
	of    map[string]*lab.Built
}

// open opens the subject and builds the codecs plain, same and much, which do 0, 0 and muchWork
// iterations of work beside encoding/json.
func (b *alarmBench) open() {
	b.t.Helper()
	dir := b.t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/subject\n\ngo 1.24\n", "msg.go": alarmSubject} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	much := muchWork
	rows := table.Reflective()[:1:1]
	for name, n := range map[string]*int{"plain": new(int), "same": new(int), "much": &much, "slow": &b.extra} {
		rows = append(rows, contender.Info{Name: name, Family: "json", Text: "works",
			Generate: func(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
				return inject.Contender(name, inject.Code{Decl: "var zzSum uint64", Encode: fmt.Sprintf(
					"for i := range %d { zzSum = zzSum*6364136223846793005 + uint64(i) }", *n)}).Generate(ctx, t, tools)
			}})
	}
	l, err := lab.Open(b.t.Context(), lab.Options{Dir: dir, Package: ".", Type: "Msg", Seed: 1, Values: 16, Table: rows}, experiment.Silent{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := l.Close(); err != nil {
			b.t.Error(err)
		}
	})
	b.lab, b.of = l, map[string]*lab.Built{}
	b.build("plain", "same", "much")
}

func (b *alarmBench) build(names ...string) {
	b.t.Helper()
	built, err := b.lab.Build(b.t.Context(), names)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, x := range built {
		b.of[x.Name] = x
	}
}

// encode returns the instructions that a codec takes to encode, roughly.
func (b *alarmBench) encode(name string) float64 {
	b.t.Helper()
	cells := []worker.CountCell{{Op: stats.Encode, Mode: stats.Fresh, N: b.lab.Options().Values}}
	got, err := b.tool.Rounds(b.t.Context(), b.of[name].Worker, b.lab.Values(), cells, 3)
	if err != nil {
		b.t.Fatal(err)
	}
	return got[0][1].Instrs
}

// gate compares two of the codecs as the two sides of one.
func (b *alarmBench) gate(now, before string) *Result {
	b.t.Helper()
	x := &Result{Now: &run.Run{}, Before: &run.Run{}, Ref: "main", Tolerance: 0.01}
	cells := []measure.Cell{{Op: stats.Encode, Mode: stats.Fresh}, {Op: stats.Decode, Mode: stats.Fresh}}
	if err := x.count(b.t.Context(), b.tool, b.lab, b.lab, []pair{{b.of[now], b.of[before], cells}}, experiment.Silent{}); err != nil {
		b.t.Fatal(err)
	}
	if len(x.Cells) != 2 {
		b.t.Fatalf("%d cells instead of 2: %q", len(x.Cells), append(x.Apart, x.Unmatched...))
	}
	return x
}
