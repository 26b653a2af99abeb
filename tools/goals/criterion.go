package goals

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zmylab/zmy/lab/run"
)

// NOTE: Goals of the Rust crate are judged by what criterion, Rust's benchmark library, has
// measured: make goals-rust runs it, and -criterion names its folder. Each estimate is a median
// with its 95% interval. A ratio of two takes the worse bounds of both, so its interval is wider
// than 95%.

// estimates has what criterion estimates, in ns, by the benchmark's name: order/encode/zmy.
type estimates map[string]run.Interval

// readCriterion reads the newest estimates below criterion's folder.
func readCriterion(dir string) (estimates, error) {
	out := estimates{}
	if dir == "" {
		return out, fmt.Errorf("-criterion is %w: make goals-rust sets it", ErrMissing)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "benchmark.json" || filepath.Base(filepath.Dir(path)) != "new" {
			return err
		}
		var id struct {
			Name string `json:"full_id"`
		}
		var of struct {
			Median struct {
				Point    float64 `json:"point_estimate"`
				Interval struct {
					Lo float64 `json:"lower_bound"`
					Hi float64 `json:"upper_bound"`
				} `json:"confidence_interval"`
			} `json:"median"`
		}
		if err := errors.Join(readJSON(path, &id), readJSON(filepath.Join(filepath.Dir(path), "estimates.json"), &of)); err != nil {
			return err
		}
		m := of.Median
		if !(0 < m.Interval.Lo && m.Interval.Lo <= m.Point && m.Point <= m.Interval.Hi) {
			return fmt.Errorf("%s: the median %g is not inside [%g, %g]", path, m.Point, m.Interval.Lo, m.Interval.Hi)
		}
		out[id.Name] = run.Interval{Point: m.Point, Lo: m.Interval.Lo, Hi: m.Interval.Hi}
		return nil
	})
	return out, err
}

func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// judge judges a goal by the estimates.
func (e estimates) judge(g *Goal) Outcome {
	o := Outcome{Goal: g, Verdict: Unavailable}
	for _, s := range []Side{g.Ours, g.Than} {
		if _, known := e[s.String()]; !known {
			o.Why = "criterion has no " + s.String()
			return o
		}
	}
	ours, than := e[g.Ours.String()], e[g.Than.String()]
	a, b := than, ours
	if g.Most != nil {
		a, b = ours, than
	}
	o.Figure = run.Interval{Point: a.Point / b.Point, Lo: a.Lo / b.Hi, Hi: a.Hi / b.Lo}
	return o.decide()
}

// checkCriterion returns an error if a goal by criterion breaks a rule.
func (g *Goal) checkCriterion() error {
	if g.Ours == (Side{}) || g.Than == (Side{}) {
		return errors.New("ours and than are needed")
	}
	if !fs.ValidPath(g.Criterion) || g.Criterion == "." {
		return fmt.Errorf("criterion: %q is no folder below the project's, such as rust/bench", g.Criterion)
	}
	return nil
}
