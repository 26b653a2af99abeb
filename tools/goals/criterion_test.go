package goals

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// estimate writes what criterion saves for one benchmark: rounds with their medians.
func estimate(t *testing.T, dir, name string, medians ...float64) {
	t.Helper()
	for i, median := range append(medians, medians[len(medians)-1]) {
		round := strconv.Itoa(i + 1)
		if i == len(medians) {
			round = "new"
		}
		dir := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"), round)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			"benchmark.json": fmt.Sprintf(`{"group_id":"g","function_id":"f","full_id":%q}`, name),
			"estimates.json": fmt.Sprintf(`{"mean":{"point_estimate":1},"median":{"confidence_interval":`+
				`{"confidence_level":0.95,"lower_bound":%g,"upper_bound":%[1]g},"point_estimate":%[1]g,"standard_error":1}}`, median),
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Rounds are compared one by one: the third was slower for both, by half.
func TestCriterion(t *testing.T) {
	dir := t.TempDir()
	estimate(t, dir, "order/encode/zmy", 100, 100, 150, 100, 100)
	estimate(t, dir, "order/encode/prost", 210, 206, 315, 214, 210)
	for _, c := range []struct{ bound, verdict string }{
		{"than: order/encode/prost, least: 2", Pass},
		{"than: order/encode/prost, least: 2.07", Near},
		{"than: order/encode/prost, least: 2.3", Fail},
		{"than: order/encode/prost, least: 2.3, accepted: why", Accepted},
		{"than: order/encode/prost, most: 0.51", Pass},
		{"than: order/encode/speedy, least: 1", Unavailable},
	} {
		text := "- {criterion: rust/bench, ours: order/encode/zmy, " + c.bound + "}\n"
		goals, err := Parse("rust.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := readCriterion(dir)
		if err != nil {
			t.Fatal(err)
		}
		o := JudgeBench(goals[0], r)
		point := map[bool]float64{false: 2.1, true: 1 / 2.1}[goals[0].Most != nil]
		if c.verdict != Unavailable && math.Abs(o.Figure.Point/point-1) > 1e-9 {
			t.Errorf("%s: %v, want %g", c.bound, o.Figure, point)
		}
		if o.Verdict != c.verdict {
			t.Errorf("%s: %s %s (%s), want %s", c.bound, o.Verdict, spell(o), o.Why, c.verdict)
		}
	}
}

// Without criterion's folder the goals are pending, and a run does not break.
func TestCriterionMissing(t *testing.T) {
	if _, err := readCriterion(""); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	if _, err := readCriterion(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	dir := t.TempDir()
	estimate(t, dir, "order/encode/zmy", 101, 0, 99)
	if _, err := readCriterion(dir); err == nil || !strings.Contains(err.Error(), "not above zero") {
		t.Error(err)
	}
	for _, rounds := range [][]float64{{1, 1}, {1, 1, 1, 1}} {
		dir := t.TempDir()
		estimate(t, dir, "order/encode/zmy", rounds...)
		estimate(t, dir, "order/encode/prost", rounds[1:]...)
		if _, err := readCriterion(dir); err == nil || !strings.Contains(err.Error(), "rounds of order/encode/") {
			t.Error(rounds, err)
		}
	}
	var out, errs bytes.Buffer
	if code := Main(t.Context(), []string{"-file", "rust"}, &out, &errs, nil); code != exitOK || !strings.Contains(out.String(), "PENDING") {
		t.Errorf("exit %d\n%s%s", code, &out, &errs)
	}
}

func TestCriterionRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"- {criterion: rust/bench, ours: a/b/c, least: 2}":               "ours and than are needed",
		"- {criterion: /rust, ours: a/b/c, than: a/b/d, least: 2}":       "is no folder",
		"- {criterion: rust/bench, op: x, ours: a/b, than: a, least: 2}": `unknown key "op"; a goal by criterion`,
	} {
		if _, err := Parse("rust.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
