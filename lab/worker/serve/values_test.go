package serve

import (
	"database/sql"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
)

// reading is what encoding/json refuses where it is no number.
type reading struct{ X float64 }

func readings(r *rand.Rand) reading {
	if r.IntN(3) == 0 {
		return reading{math.NaN()}
	}
	return reading{r.Float64()}
}

// TestRefused: values that encoding/json refuses are named, and left out where that is asked for.
// TestConstantsAreNamed: where values came from tells of declared constants, and they are among
// them.
func TestConstantsAreNamed(t *testing.T) {
	type thing struct{ State phase }
	b := newBinding(worker.Subject[thing]{Constants: map[string][]string{reflect.TypeFor[phase]().PkgPath() + ".phase": {"waxing", "waning"}}},
		stdJSON[thing](), nil)
	v, err := b.values(&worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 50})
	if err != nil || v.Source != "field names and types, and declared constants of 1 type" {
		t.Fatalf("%+v, %v", v, err)
	}
	n := 0
	for _, x := range b.origin {
		if x.State == "waxing" || x.State == "waning" {
			n++
		}
	}
	if n < 35 || n == 50 {
		t.Errorf("%d of 50 are declared constants", n)
	}
}

// TestNullIsTested: a date that is null in all values of the user's is tested by the one that has
// something in every place; a part that only the package can make is not.
func TestNullIsTested(t *testing.T) {
	type row struct {
		Name  string
		Gone  sql.NullTime
		Seen  time.Time
		Cause error
	}
	b := newBinding(worker.Subject[row]{SampleName: "SampleRow", Sample: func(*rand.Rand) row { return row{Name: "a"} }}, stdJSON[row](), nil)
	if _, err := b.values(&worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 4}); err != nil {
		t.Fatal(err)
	}
	if got := b.describe().Untested; !slices.Equal(got, []string{"Cause (error)"}) {
		t.Errorf("untested: %q", got)
	}
}

type phase string

func TestRefused(t *testing.T) {
	newBench := func() *binding[reading, reading] {
		return newBinding(worker.Subject[reading]{Sample: readings, SampleName: "SampleReading"},
			worker.Contender[reading]{Name: "std-json", Family: "json"}, nil)
	}
	b := newBench()
	if _, err := b.values(&worker.Request{Seed: 1, N: 90}); err != nil {
		t.Fatal(err)
	}
	d := b.describe()
	if n := len(d.Refused); n < 15 || n > 45 || len(d.JSON) != 90-n || !strings.Contains(d.Refused[0].Why, "NaN") {
		t.Fatalf("%d refused, %d written: %v", n, len(d.JSON), d.Refused)
	}
	var skip []int
	for _, r := range d.Refused {
		if !math.IsNaN(b.origin[r.Value].X) {
			t.Errorf("value %d is refused: %v", r.Value, b.origin[r.Value])
		}
		skip = append(skip, r.Value)
	}
	all := slices.Clone(b.origin)
	b = newBench()
	got, err := b.values(&worker.Request{Seed: 1, N: 90, Skip: skip})
	if err != nil || got.N != 90-len(skip) || got.Capped || len(b.describe().Refused) != 0 {
		t.Errorf("%+v, %v: %v refused", got, err, b.describe().Refused)
	}
	if want := without(all, skip); !slices.Equal(b.origin, want) {
		t.Error("other values than the ones that were left")
	}
	if _, err := newBench().values(&worker.Request{Seed: 1, N: 1, Skip: []int{0}}); err == nil {
		t.Error("no values, and no error")
	}
}

// TestLeavesOut: the fields that a codec does not carry are named with their packages.
func TestLeavesOut(t *testing.T) {
	b := newBinding(worker.Subject[reading]{Name: "worker.reading"},
		worker.Contender[reading]{Name: "x", Family: "binary"}.Without([]fidelity.Field{{Type: reflect.TypeFor[reading](), Name: "X"}}), nil)
	if _, err := b.values(&worker.Request{Seed: 1, N: 3}); err != nil {
		t.Fatal(err)
	}
	if got := b.describe().LeavesOut; !slices.Equal(got, []string{"github.com/zmylab/zmy/lab/worker/serve.reading.X"}) {
		t.Errorf("%q", got)
	}
}
