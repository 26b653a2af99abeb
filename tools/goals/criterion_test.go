package goals

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// estimate writes what criterion writes for one benchmark.
func estimate(t *testing.T, dir, name string, lo, median, hi float64) {
	t.Helper()
	dir = filepath.Join(dir, strings.ReplaceAll(name, "/", "_"), "new")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"benchmark.json": fmt.Sprintf(`{"group_id":"g","function_id":"f","full_id":%q}`, name),
		"estimates.json": fmt.Sprintf(`{"mean":{"point_estimate":1},"median":{"confidence_interval":`+
			`{"confidence_level":0.95,"lower_bound":%g,"upper_bound":%g},"point_estimate":%g,"standard_error":1}}`, lo, hi, median),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCriterion(t *testing.T) {
	dir := t.TempDir()
	estimate(t, dir, "order/encode/zmy", 99, 100, 101)
	estimate(t, dir, "order/encode/prost", 202, 210, 220)
	for _, c := range []struct{ bound, verdict, figure string }{
		{"than: order/encode/prost, least: 2", Pass, "2.1 [2, 2.22]"},
		{"than: order/encode/prost, least: 2.05", Near, "2.1 [2, 2.22]"},
		{"than: order/encode/prost, least: 2.15", Fail, "2.1 [2, 2.22]"},
		{"than: order/encode/prost, least: 2.15, accepted: why", Accepted, "2.1 [2, 2.22]"},
		{"than: order/encode/prost, most: 0.51", Pass, "0.476 [0.45, 0.5]"},
		{"than: order/encode/speedy, least: 1", Unavailable, "–"},
	} {
		text := "- {criterion: rust/bench, ours: order/encode/zmy, " + c.bound + "}\n"
		goals, err := Parse("rust.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e, err := readCriterion(dir)
		if err != nil {
			t.Fatal(err)
		}
		if o := e.judge(goals[0]); o.Verdict != c.verdict || spell(o) != c.figure {
			t.Errorf("%s: %s %s (%s), want %s %s", c.bound, o.Verdict, spell(o), o.Why, c.verdict, c.figure)
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
	estimate(t, dir, "order/encode/zmy", 101, 100, 99)
	if _, err := readCriterion(dir); err == nil || !strings.Contains(err.Error(), "not inside") {
		t.Error(err)
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
