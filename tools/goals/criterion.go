package goals

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/zmylab/zmy/tools/gobench"
)

// NOTE: Goals of the Rust crate are judged by what criterion, Rust's benchmark library, has
// measured: make goals-rust runs it a few times, saves each run as a baseline with a number, and
// -criterion names its folder. Each run is a round, as those of Go's benchmarks are: criterion
// measures one benchmark after the other, so a machine that is slower for some seconds spoils one
// round of a ratio and not the ratio.

// minRounds is the number of rounds that an interval needs.
const minRounds = 3

// readCriterion reads the medians below criterion's folder, in ns, by the benchmark's name
// (order/encode/zmy) under the metric "time": one for each baseline that has a number as its name.
func readCriterion(dir string) (*gobench.Results, error) {
	if dir == "" {
		return nil, fmt.Errorf("-criterion is %w: make goals-rust sets it", ErrMissing)
	}
	out, rounds := &gobench.Results{}, map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "benchmark.json" {
			return err
		}
		if _, err := strconv.ParseUint(filepath.Base(filepath.Dir(path)), 10, 0); err != nil {
			return nil // a baseline of somebody else's, or new and base, which repeat the last round
		}
		var id struct {
			Name string `json:"full_id"`
		}
		var of struct {
			Median struct {
				Point float64 `json:"point_estimate"`
			} `json:"median"`
		}
		if err := errors.Join(readJSON(path, &id), readJSON(filepath.Join(filepath.Dir(path), "estimates.json"), &of)); err != nil {
			return err
		}
		if !(of.Median.Point > 0) {
			return fmt.Errorf("%s: the median %g is not above zero", path, of.Median.Point)
		}
		rounds[id.Name]++
		out.Add(id.Name, "time", of.Median.Point)
		return nil
	})
	if err != nil {
		return nil, err
	}
	most := 0
	for _, n := range rounds {
		most = max(most, n)
	}
	for name, n := range rounds {
		if n != most || n < minRounds {
			return nil, fmt.Errorf("criterion has %d rounds of %s and %d of others: each needs as many, and at least %d", n, name, most, minRounds)
		}
	}
	return out, nil
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
