// Package experimenttest runs an experiment on a small subject and checks the rules that hold for
// every experiment's report.
package experimenttest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// Subject is the source of the package on which experiments are tested.
const Subject = `package subject

type Msg struct {
	ID    string
	N     int
	Note  *string
	Items []Item
}

type Item struct {
	Sku   string
	Count int
	Price float64
}
`

// notes is a lab.UI that logs the lab's notes, such as why a contender is left out.
type notes struct {
	experiment.Silent
	t testing.TB
}

func (n notes) Note(text string) { n.t.Log(text) }

// UI returns a lab.UI that shows nothing.
func UI() lab.UI { return experiment.Silent{} }

// Options returns the options of a run on the subject, with codecs that need no module: the
// baseline and gob.
func Options(t testing.TB, budget time.Duration) lab.Options {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/subject\n\ngo 1.24\n", "msg.go": Subject} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rows := slices.DeleteFunc(table.Reflective(), func(i contender.Info) bool { return i.Name != run.Baseline && i.Name != "gob" })
	return lab.Options{Dir: dir, Package: ".", Type: "Msg", Seed: 1, Values: 32, Budget: budget, Out: filepath.Join(t.TempDir(), "report"),
		Table: rows, Codecs: []string{"gob"}, Command: []string{"zmy", "lab"}}
}

// Run runs an experiment for about the budget, and checks the experiment and the report.
func Run(t *testing.T, e experiment.Experiment, budget time.Duration) *run.Experiment {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	o := Options(t, budget)
	_, x, err := experiment.Run(t.Context(), e, o, notes{t: t})
	if err != nil {
		t.Fatal(err)
	}
	Check(t, x)
	f, err := os.Open(filepath.Join(o.Out, report.FileJSON))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := report.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Experiments) != 1 || r.Experiments[0].Name != e.About().Name || r.Subject.Type != "Msg" {
		t.Errorf("run.json holds %d experiments on %q", len(r.Experiments), r.Subject.Type)
	}
	return x
}

// Check tests that x keeps the promises of run.Experiment.
func Check(t *testing.T, x *run.Experiment) {
	t.Helper()
	if x.Name == "" || x.Title == "" || x.Question == "" || len(x.Findings) == 0 || len(x.Tables) == 0 || x.Seconds <= 0 {
		t.Errorf("name %q, title %q, question %q, %d findings, %d tables, %g s", x.Name, x.Title, x.Question, len(x.Findings),
			len(x.Tables), x.Seconds)
	}
	if _, err := json.Marshal(x); err != nil {
		t.Errorf("not every figure is a number: %v", err)
	}
	for _, b := range x.Tables {
		for i, row := range b.Rows {
			if len(row) != len(b.Columns) {
				t.Errorf("table %q, row %d: %d items under %d columns", b.Title, i, len(row), len(b.Columns))
			}
		}
	}
	for _, c := range x.Charts {
		for _, s := range c.Series {
			checkSeries(t, &c, &s)
		}
	}
}

func checkSeries(t *testing.T, c *run.Chart, s *run.Series) {
	t.Helper()
	n := len(s.Y)
	switch {
	case c.Kind == run.ChartBars && n != len(c.Categories):
		t.Errorf("chart %q, series %q: %d bars for %d categories", c.Title, s.Name, n, len(c.Categories))
	case (c.Kind == run.ChartLines || c.Kind == run.ChartScatter) && len(s.X) != n:
		t.Errorf("chart %q, series %q: %d points at %d places", c.Title, s.Name, n, len(s.X))
	}
	for _, other := range [][]float64{s.Lo, s.Hi} {
		if len(other) != 0 && len(other) != n {
			t.Errorf("chart %q, series %q: an interval for %d of %d points", c.Title, s.Name, len(other), n)
		}
	}
	if len(s.Void) != 0 && len(s.Void) != n {
		t.Errorf("chart %q, series %q: validity of %d of %d points", c.Title, s.Name, len(s.Void), n)
	}
	for _, y := range append(slices.Clone(s.Y), s.X...) {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			t.Errorf("chart %q, series %q: %g", c.Title, s.Name, y)
		}
	}
}
