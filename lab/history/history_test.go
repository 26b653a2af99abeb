package history

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// made is a history of n runs of two codecs. From run 21 on fxjson takes 4% more instructions to
// encode; from run 31 on gob allocates once less to decode.
func made(n int) (all []Record) {
	for i := range n {
		encode, allocs := 1000+3*math.Sin(float64(7*i)), 12.0
		if i >= 20 {
			encode *= 1.04
		}
		if i >= 30 {
			allocs--
		}
		x := Record{Commit: fmt.Sprintf("c%02d", i+1), Time: time.Date(2026, 1, 1, 12*i, 0, 0, 0, time.UTC), Type: "example.com/app.Order",
			Go: "go1.26.8"}
		x.Add(&run.Cell{Codec: "fxjson", Op: "encode", Mode: "fresh", Instrs: encode, Allocs: 1, Bytes: 256, Wire: 180}, 0)
		x.Add(&run.Cell{Codec: "fxjson", Op: "decode", Mode: "fresh", Instrs: 2000 + math.Sin(float64(5*i)), Allocs: 4, Bytes: 512}, 0)
		x.Add(&run.Cell{Codec: "gob", Op: "decode", Mode: "fresh", Instrs: 9000, Allocs: allocs, Bytes: 2048}, 0)
		all = append(all, x)
	}
	return all
}

func TestExperiment(t *testing.T) {
	e, changes := Experiment(made(40), Options{Least: 0.01}, []string{"zmy", "lab", "history"})
	var got []string
	for _, c := range changes {
		got = append(got, fmt.Sprintf("%s %d %s %s %s", c.Commit, c.Number, c.line.codec, c.line.measure, point(c)))
	}
	if text := strings.Join(got, "; "); text != "c31 31 gob allocs −8.3%; c21 21 fxjson instructions +4%" {
		t.Error(text)
	}
	if c := changes[1]; c.Ratio.Lo > 1.04 || c.Ratio.Hi < 1.04 || c.Ratio.Lo < 1.03 || c.Ratio.Hi > 1.05 {
		t.Errorf("the interval of +4%% is %s", c.size())
	}
	if e.Title != "History of example.com/app.Order" || len(e.Charts) != 7 || len(e.Warnings) != 0 {
		t.Errorf("%s, %d charts, %q", e.Title, len(e.Charts), e.Warnings)
	}
	if c := e.Charts[0]; len(c.Marks) != 1 || c.Marks[0].X != 21 || c.Marks[0].Text != "c21 encode +4%" ||
		c.Note != "100% is 1000 for encode, 2000 for decode" || math.Abs(c.Series[0].Y[39]-1.04) > 0.01 {
		t.Errorf("%s: %q, %+v", c.Title, c.Note, c.Marks)
	}
	var page strings.Builder
	if err := report.ExperimentHTML(&page, e); err != nil || strings.Count(page.String(), "<svg") != 7 {
		t.Errorf("%v, %d charts on the page", err, strings.Count(page.String(), "<svg"))
	}
	if _, changes := Experiment(made(40), Options{Least: 0.05}, nil); len(changes) != 1 {
		t.Errorf("%d changes by at least 5%%", len(changes))
	}
	if e, changes := Experiment(made(40), Options{Last: 15}, nil); len(changes) != 1 || changes[0].Commit != "c31" || len(e.Warnings) != 1 {
		t.Errorf("of the last 15 runs: %d changes, %q", len(changes), e.Warnings)
	}
	if e, changes := Experiment(nil, Options{}, nil); len(e.Findings) != 1 || changes != nil {
		t.Errorf("an empty history: %q", e.Findings)
	}
}

// Runs of two machines and of two types are told apart.
func TestMixed(t *testing.T) {
	all := made(8)
	for i := range all {
		all[i].CPU = "one"
	}
	all[7].CPU, all[7].Type = "two", "example.com/app.Other"
	e, _ := Experiment(all, Options{}, nil)
	if len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "2 processors (one, two)") || e.Title != "History" {
		t.Errorf("%s: %q", e.Title, e.Warnings)
	}
	if !strings.HasPrefix(e.Charts[0].Title, "example.com/app.Order fxjson: ") {
		t.Error(e.Charts[0].Title)
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "history.ndjson")
	if _, err := Read(name); err == nil || !strings.Contains(err.Error(), "there is no history yet") {
		t.Error(err)
	}
	want := made(3)
	for _, x := range want {
		if err := Append(name, x); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(name)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\n%v, want\n%v", err, got, want)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\n{\"commit\":\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Read(name)
	if text := fmt.Sprint(err); !strings.Contains(text, "history.ndjson:5: ") || !strings.Contains(text, "remove the line") {
		t.Error(err)
	}
}
