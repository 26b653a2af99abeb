package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/run"
)

const refusable = `package meter

import (
	"errors"
	"math"
	"math/rand/v2"
)

// Reading is refused by encoding/json where X is no number. Err can be written, and read
// where it is nil; Calls leads to what JSON never writes.
type Reading struct {
	ID    string
	X     float64
	Err   error
	Calls *Callback
}

type Callback struct{ Done chan bool }

func SampleReading(r *rand.Rand) Reading {
	v := Reading{ID: "a", X: r.Float64()}
	if r.IntN(4) == 0 {
		v.X = math.NaN()
	}
	return v
}

// Broken has no form at all.
type Broken struct{ State State }

type State int

func (State) MarshalText() ([]byte, error) { return nil, errors.New("no state can be written") }

// Waiting holds a channel in every value.
type Waiting struct{ Done chan bool }
`

// TestVet: a value that encoding/json refuses is left out and counted. Where it refuses all
// of them, the reason names the place and the way out.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/meter\n\ngo 1.24\n", "meter.go": refusable} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rows := table.Reflective()[:1]
	measure := func(typ string) (*run.Run, []string, error) {
		ui := &quiet{}
		r, err := Run(t.Context(), Options{Dir: dir, Package: ".", Type: typ, Seed: 1, Values: 64, Budget: time.Second, Table: rows,
			Env: []string{"GOWORK=off"}}, ui)
		return r, ui.notes, err
	}
	r, notes, err := measure("Reading")
	if err != nil {
		t.Fatal(err, notes)
	}
	if c := find(t, r, run.Baseline); c.Status != run.StatusMeasured || len(r.Ranking) != 1 || r.Subject.Values >= 60 ||
		r.Subject.Values < 32 {
		t.Errorf("%s: %+v, %d values", c.Status, c.Why, r.Subject.Values)
	}
	warned := strings.Join(r.Warnings, "\n")
	if !strings.Contains(warned, "values were left out, since encoding/json refuses them: value ") ||
		!strings.Contains(warned, "unsupported value: NaN") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if !strings.Contains(warned, "untested: Err (error)") {
		t.Errorf("nothing is said of Err: %q", r.Warnings)
	}
	if !strings.Contains(warned, "values go without what holds Reading.Calls.Done, a chan") {
		t.Errorf("nothing is said of Calls: %q", r.Warnings)
	}
	for typ, want := range map[string][]string{
		"Broken": {"std-json failed: encoding/json carries none of the 64 values (Broken.State, ", "no state can be written",
			"-sample FILE", "func SampleBroken(*rand.Rand) Broken in the package"},
		"Waiting": {"std-json skipped: Waiting.Done has type chan", "json:\"-\""},
	} {
		r, notes, err := measure(typ)
		if r != nil || err == nil {
			t.Errorf("%s: a run without contenders, error %v", typ, err)
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(notes, "\n"), w) {
				t.Errorf("%s: notes %q lack %q", typ, notes, w)
			}
		}
	}
}

func TestNamesType(t *testing.T) {
	for text, want := range map[string]bool{
		"error calling MarshalText for type model.ID: x":  true,
		"error calling MarshalText for type model.IDs: x": false,
		"model.ID": true, "": false,
	} {
		if got := names(text, "model.ID"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
