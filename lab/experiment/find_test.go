package experiment

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

func TestList(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{List(nil), ""}, {List([]string{"a"}), "a"}, {List([]string{"a", "b", "c"}), "a, b and c"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestLeading: the first of the ranking, without the baseline; none for the default.
func TestLeading(t *testing.T) {
	r := &run.Run{}
	if got := Leading(r, 5); got != nil {
		t.Errorf("no ranking: %v", got)
	}
	for _, n := range strings.Fields("a b std-json c d e f g") {
		r.Ranking = append(r.Ranking, run.Rank{Codec: n})
	}
	if got := strings.Join(Leading(r, 5), " "); got != "a b c d e" {
		t.Errorf("leading: %s", got)
	}
}

func TestHere(t *testing.T) {
	table := []contender.Info{{Name: "a"}, {Name: "b"}, {Name: "mine", Use: []string{"dir"}}}
	for _, c := range []struct{ leading, want []string }{
		{nil, nil},
		{[]string{"gone"}, nil},
		{[]string{"b", "gone", "a"}, []string{"a", "b", "mine"}},
		{[]string{"mine", "a"}, []string{"a", "mine"}},
	} {
		if got := here(c.leading, table); !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q, want %q", c.leading, got, c.want)
		}
	}
}

// TestTidy: what is empty is dropped, and what has a flame graph or series stays.
func TestTidy(t *testing.T) {
	x := &run.Experiment{Findings: []string{"", "a", ""}, Tables: []run.Table{{Title: "empty"}, {Rows: [][]run.Item{{run.Num(1)}}}},
		Charts: []run.Chart{{Title: "empty"}, {Flame: &run.Frame{}}, {Series: []run.Series{{}}}}}
	if Tidy(x); len(x.Findings) != 1 || len(x.Tables) != 1 || len(x.Charts) != 2 {
		t.Errorf("%+v", x)
	}
}

func TestExtremes(t *testing.T) {
	figures := map[string]float64{"a": 3, "b": 1, "d": 7, "e": 1}
	of := func(name string) (float64, bool) { v, ok := figures[name]; return v, ok }
	least, most := Extremes(strings.Fields("a b c d e"), of)
	if least != (Named{"b", 1}) || most != (Named{"d", 7}) {
		t.Errorf("least %v, most %v", least, most)
	}
	if least, most := Extremes([]string{"c"}, of); least.Name != "" || most.Name != "" {
		t.Errorf("of nothing: %v, %v", least, most)
	}
}

// TestLeastSquares finds the law of exact readings, with columns of very different size, and no
// law where the columns do not tell it.
func TestLeastSquares(t *testing.T) {
	var rows [][]float64
	var ys []float64
	for i := range 6 {
		x := []float64{1, float64(i * i), 1e6 * float64(i)}
		rows, ys = append(rows, x), append(ys, 5+2*x[1]-0.25*x[2])
	}
	got := LeastSquares(rows, ys)
	for i, want := range []float64{5, 2, -0.25} {
		if len(got) != 3 || math.Abs(got[i]-want) > 1e-6 {
			t.Fatalf("got %v", got)
		}
	}
	if got := LeastSquares([][]float64{{1, 2}, {1, 2}, {1, 2}}, []float64{1, 1, 1}); got != nil {
		t.Errorf("columns that go together: %v", got)
	}
	if got := LeastSquares([][]float64{{1, 0}, {1, 0}}, []float64{1, 1}); got != nil {
		t.Errorf("an empty column: %v", got)
	}
	if got := LeastSquares(nil, nil); got != nil {
		t.Errorf("no rows: %v", got)
	}
}

// TestBars: a name that lacks a figure has no bars, and intervals are drawn where they are known.
func TestBars(t *testing.T) {
	figure := func(name, series string) (run.Estimate, bool) {
		return run.Estimate{Median: float64(len(name + series)), Lo: 1, Hi: 9, N: len(series)}, name != "b" || series != "y"
	}
	c := Bars(run.Chart{}, []string{"a", "b", "ccc"}, []string{"x", "y"}, figure)
	if !slices.Equal(c.Categories, []string{"a", "ccc"}) || len(c.Series) != 2 || !slices.Equal(c.Series[1].Y, []float64{2, 4}) ||
		len(c.Series[0].Lo) != 2 {
		t.Errorf("%+v", c)
	}
	if c := Bars(run.Chart{}, []string{"b"}, []string{"y"}, figure); c.Series != nil {
		t.Errorf("without any figure: %+v", c)
	}
}

// TestSlope: the errors of both ends add up as squares, each on its own side.
func TestSlope(t *testing.T) {
	a := run.Estimate{Median: 100, Lo: 97, Hi: 106, N: 4}
	z := run.Estimate{Median: 200, Lo: 192, Hi: 204, N: 9}
	got := Slope(a, z, 10)
	if want := (run.Estimate{Median: 10, Lo: 9, Hi: 10.5, N: 4}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
