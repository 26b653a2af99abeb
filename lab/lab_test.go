package lab

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
)

// quiet is a UI that remembers notes.
type quiet struct{ notes []string }

func (q *quiet) Doing(string)                                {}
func (q *quiet) Note(text string)                            { q.notes = append(q.notes, text) }
func (q *quiet) First(*run.Contender, []*run.Cell)           {}
func (q *quiet) Rounds(string, time.Duration, time.Duration) {}

// subject is the module on which the bad contenders work.
func subject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/subject\n\ngo 1.24\n",
		"msg.go":    "package subject\n\ntype Msg struct {\n\tID   string\n\tN    int\n\tTags []string\n}\n",
		"x_test.go": "package subject\n\nfunc broken( {\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// injected is a contender around encoding/json whose encoder or decoder first
// runs statements of its own: `enc` sees v *Msg, `dec` sees b []byte, and `after`
// sees what was decoded into v.
func injected(name, enc, dec, after string) contender.Info {
	const text = `package subject

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
	"unsafe"

	"zmylab.invalid/lab/worker"
)

var _ = fmt.Sprint(os.Args, time.Now(), unsafe.Pointer(nil))
var zzHold [][]byte

func zzNew() worker.Contender[Msg] {
	return worker.Contender[Msg]{
		Name: "NAME", Family: "json",
		Encoders: []worker.Encoder[Msg]{{Mode: "fresh", New: func() func([]byte, *Msg) ([]byte, error) {
			return func(_ []byte, v *Msg) ([]byte, error) {
				ENC
				return json.Marshal(v)
			}
		}}},
		Decoders: []worker.Decoder[Msg]{{Mode: "fresh", New: func() func([]byte, *Msg) error {
			return func(b []byte, v *Msg) error {
				DEC
				err := json.Unmarshal(b, v)
				AFTER
				return err
			}
		}}},
	}
}
`
	src := strings.NewReplacer("NAME", name, "ENC", enc, "DEC", dec, "AFTER", after).Replace(text)
	return contender.Info{Name: name, Family: "json", Text: "injected",
		Generate: func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
			return &contender.Sources{Package: map[string][]byte{"zz.go": []byte(src)}, Main: "zzNew()"}, nil
		}}
}

// TestBadContenders puts one well-behaved contender among many that are not:
// each is caught, with its reason, and the others survive.
func TestBadContenders(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	cases := []struct {
		info   contender.Info
		status string
		holds  string // in the reason, the grade's differences or a check
	}{
		{injected("good", "", "", ""), run.StatusMeasured, ""},
		{injected("lossy", "", "", "v.N = 0"), run.StatusMeasured, "N"},
		{injected("wrongjson", "v = &Msg{ID: v.ID}", "", ""), run.StatusMeasured, "N"},
		{injected("aliasing", "", "", "if len(b) > 20 { v.ID = unsafe.String(&b[7], len(v.ID)) }"), run.StatusMeasured, "overwritten"},
		{injected("printing", `fmt.Println("{\"id\":1}"); fmt.Fprintln(os.Stderr, "noise")`, "", ""), run.StatusMeasured, ""},
		{injected("panicking", "", `panic("boom at decode")`, ""), run.StatusFailed, "boom at decode"},
		{injected("hanging", "for { time.Sleep(time.Second) }", "", ""), run.StatusFailed, "time.Sleep("},
		{injected("exiting", "", "os.Exit(0)", ""), run.StatusFailed, "os.Exit"},
		{injected("dying", "", `fmt.Println("last words"); os.Exit(7)`, ""), run.StatusFailed, "exit status 7"},
		{injected("hungry", "", "for { x := make([]byte, 8<<20); for i := 0; i < len(x); i += 4096 { x[i] = 1 }; zzHold = append(zzHold, x) }", ""),
			run.StatusFailed, "of memory"},
		{injected("unbuildable", "return 1", "", ""), run.StatusFailed, "does not build"},
		{injected("fussy", "", `if len(b) == 0 || b[len(b)-1] != '}' { panic("cut short") }`, ""), run.StatusMeasured, "cut short"},
	}
	table := contender.Reflective()[:1]
	for _, c := range cases {
		table = append(table, c.info)
	}
	ui := &quiet{}
	out := filepath.Join(t.TempDir(), "report")
	r, err := Run(t.Context(), Options{
		Dir: subject(t), Package: ".", Seed: 1, Values: 64, Budget: 2 * time.Second, Out: out, Table: table,
		Limits: harness.Limits{Answer: 8 * time.Second, Memory: 300 << 20},
	}, ui)
	if err != nil {
		t.Fatal(err)
	}
	if r.Subject.Type != "Msg" || r.Subject.Values != 64 || r.Partial {
		t.Errorf("subject %+v, partial %v", r.Subject, r.Partial)
	}
	for _, c := range cases {
		x := find(t, r, c.info.Name)
		if x.Status != c.status || !strings.Contains(evidence(x), c.holds) {
			t.Errorf("%s: status %s, evidence %s; want %s with %q", x.Name, x.Status, evidence(x), c.status, c.holds)
		}
		measured := false
		for _, cell := range r.Cells {
			measured = measured || cell.Codec == x.Name && len(cell.Samples) > 0
		}
		if measured != (c.status == run.StatusMeasured) {
			t.Errorf("%s: status %s, measured %v", x.Name, x.Status, measured)
		}
	}
	for name, grade := range map[string]string{"good": run.Kept, "lossy": run.Broken, "wrongjson": run.Broken, "printing": run.Kept} {
		if x := find(t, r, name); x.Contract.Grade != grade {
			t.Errorf("%s: contract %s, want %s", name, x.Contract.Grade, grade)
		}
	}
	for _, rank := range r.Ranking {
		if n := rank.Codec; n == "lossy" || n == "wrongjson" || n == "aliasing" {
			t.Errorf("%s is ranked", n)
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

// evidence is everything that the run holds against a contender.
func evidence(c *run.Contender) string {
	var b strings.Builder
	if c.Why != nil {
		b.WriteString(c.Why.What + " " + c.Why.Where + " " + c.Why.Reason + " " + c.Why.Output)
	}
	for _, g := range []run.Grade{c.Contract, c.Value} {
		for _, d := range g.Diffs {
			b.WriteString(" " + d.Path + " " + d.Before + " " + d.After)
		}
	}
	for _, k := range c.Checks {
		if k.Result == "bad" {
			b.WriteString(" " + k.Name + ": " + k.Detail)
		}
	}
	return b.String() + " " + c.Rankless
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
	table := append(contender.Reflective(), contender.Info{Name: "extra", Extra: true})
	got, err := choose(table, []string{"goccy"})
	if err != nil || len(got) != 2 || got[0].Name != run.Baseline {
		t.Errorf("choose goccy = %v, %v", got, err)
	}
	if _, err := choose(table, []string{"gocy"}); err == nil || !strings.Contains(err.Error(), "did you mean goccy") {
		t.Errorf("err = %v", err)
	}
	if got, err := choose(table, []string{"all"}); err != nil || len(got) != len(table) {
		t.Errorf("choose all = %d, %v", len(got), err)
	}
	if got, err := choose(table, nil); err != nil || len(got) != len(table)-1 || got[len(got)-1].Extra {
		t.Errorf("choose nothing = %d, %v", len(got), err)
	}
}
