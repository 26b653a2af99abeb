package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/run"
)

// quiet is a UI that remembers notes.
type quiet struct{ notes []string }

func (q *quiet) Doing(string)                                {}
func (q *quiet) Say(string)                                  {}
func (q *quiet) Note(text string)                            { q.notes = append(q.notes, text) }
func (q *quiet) First(*run.Contender, []*run.Cell)           {}
func (q *quiet) Rounds(string, time.Duration, time.Duration) {}

// TestBadContenders puts one well-behaved contender among many that are not:
// each is caught, with its reason, and the others survive.
func TestBadContenders(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	dir := t.TempDir()
	if err := contender.Write(dir, inject.Subject()); err != nil {
		t.Fatal(err)
	}
	cases := inject.AllBad()
	rows := table.Reflective()[:1]
	for _, c := range cases {
		rows = append(rows, c.Info)
	}
	ui := &quiet{}
	out := filepath.Join(t.TempDir(), "report")
	r, err := Run(t.Context(), Options{
		Dir: dir, Package: ".", Seed: 1, Values: 64, Budget: 2 * time.Second, Out: out, Table: rows,
		Limits: harness.Limits{Answer: 8 * time.Second, Memory: 300 << 20},
	}, ui)
	if err != nil {
		t.Fatal(err)
	}
	if r.Subject.Type != "Msg" || r.Subject.Values != 64 || r.Partial || r.Measured <= 0 || r.Measured > r.Seconds {
		t.Errorf("subject %+v, partial %v, %v of %v s measured", r.Subject, r.Partial, r.Measured, r.Seconds)
	}
	for _, c := range cases {
		x := find(t, r, c.Info.Name)
		if x.Status != c.Status || !strings.Contains(inject.Evidence(x), c.Holds) {
			t.Errorf("%s: status %s, evidence %s; want %s with %q", x.Name, x.Status, inject.Evidence(x), c.Status, c.Holds)
		}
		measured := false
		for _, cell := range r.Cells {
			measured = measured || cell.Codec == x.Name && len(cell.Samples) > 0
		}
		if measured != (c.Status == run.StatusMeasured) {
			t.Errorf("%s: status %s, measured %v", x.Name, x.Status, measured)
		}
		if ranked := slices.ContainsFunc(r.Ranking, func(k run.Rank) bool { return k.Codec == x.Name }); ranked && !c.Ranked {
			t.Errorf("%s is ranked", x.Name)
		}
	}
	for name, grade := range map[string]string{"good": run.Kept, "lossy": run.Broken, "wrongjson": run.Broken, "printing": run.Kept} {
		if x := find(t, r, name); x.Contract.Grade != grade {
			t.Errorf("%s: contract %s, want %s", name, x.Contract.Grade, grade)
		}
	}
	for _, name := range []string{"index.html", "run.json", "bench.txt"} {
		if st, err := os.Stat(filepath.Join(out, name)); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func find(t *testing.T, r *run.Run, name string) *run.Contender {
	t.Helper()
	for _, c := range r.Contenders {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no contender %s in the run", name)
	return nil
}

func TestNearest(t *testing.T) {
	words := []string{"std-json", "goccy", "gob", "gob-stream", "sonic"}
	for in, want := range map[string]string{"gocy": "goccy", "sonc": "sonic", "std": "std-json", "gob-strem": "gob-stream", "zzzzzz": ""} {
		if got := Nearest(in, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestChoose(t *testing.T) {
	rows := append(table.Reflective(), contender.Info{Name: "extra", Extra: true})
	got, err := choose(rows, []string{"goccy"}, nil)
	if err != nil || len(got) != 2 || got[0].Name != run.Baseline {
		t.Errorf("choose goccy = %v, %v", got, err)
	}
	if _, err := choose(rows, []string{"gocy"}, nil); err == nil || !strings.Contains(err.Error(), "did you mean goccy") {
		t.Errorf("err = %v", err)
	}
	if got, err := choose(rows, []string{"all"}, nil); err != nil || len(got) != len(rows) {
		t.Errorf("choose all = %d, %v", len(got), err)
	}
	every := table.All()
	got, err = choose(every, []string{"few", "gob"}, nil)
	if err != nil || len(got) != len(few)+2 { // with the baseline
		t.Errorf("choose few,gob = %d, %v", len(got), err)
	}
	got, err = choose(rows, nil, nil)
	if err != nil || len(got) < 5 || slices.ContainsFunc(got, func(i contender.Info) bool { return i.Extra }) {
		t.Errorf("choose nothing = %v, %v", got, err)
	}
	if rest := unchosen(rows, got); len(rest)+len(got) != len(rows)-1 { // the last row has no adapter
		t.Errorf("%d chosen and %d not, of %d", len(got), len(rest), len(rows)-1)
	}
	more, err := choose(rows, nil, []string{"github.com/json-iterator/go", "google.golang.org/protobuf"})
	if err != nil || len(more) != len(got)+1 || !slices.ContainsFunc(more, func(i contender.Info) bool { return i.Name == "jsoniter" }) {
		t.Errorf("with a module that uses jsoniter: %d, %v; want one more than %d", len(more), err, len(got))
	}
}
