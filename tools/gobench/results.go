package gobench

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Results are what benchmarks have reported.
type Results struct {
	values  map[string]map[string][]float64 // by name and unit, in order of rounds
	skipped map[string]string
}

// Read reads the output of go test -bench -v: lines of a name, a number of operations, and values
// with their units. Other lines are passed over, but those that say why a benchmark was skipped.
func Read(r io.Reader) (*Results, error) {
	out := &Results{map[string]map[string][]float64{}, map[string]string{}}
	lines := bufio.NewScanner(r)
	said := "" // the last line of a benchmark itself: why it was skipped, if it was
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "--- SKIP: "); ok {
			out.skipped[name] = said
		}
		if _, text, ok := strings.Cut(line, ".go:"); ok {
			_, said, _ = strings.Cut(text, ": ")
		}
		f := strings.Fields(line)
		if len(f) < 4 || len(f)%2 != 0 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		if out.values[f[0]] == nil {
			out.values[f[0]] = map[string][]float64{}
		}
		for i := 2; i < len(f); i += 2 {
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is no number", n, f[i])
			}
			out.values[f[0]][f[i+1]] = append(out.values[f[0]][f[i+1]], v)
		}
	}
	return out, lines.Err()
}

// Of returns what a benchmark reports in a unit, a value for each round; or why there is none.
func (r *Results) Of(name, unit string) (values []float64, why string) {
	units, ok := find(r.values, name)
	if !ok {
		if reason, ok := find(r.skipped, name); ok {
			return nil, name + " was skipped: " + reason
		}
		return nil, name + " has not run"
	}
	if len(units[unit]) == 0 {
		return nil, name + " reports no " + unit
	}
	return units[unit], ""
}

// find looks a benchmark up, behind whose name go test writes the number of processors unless it is
// 1.
func find[T any](by map[string]T, name string) (v T, ok bool) {
	if v, ok = by[name]; ok {
		return v, true
	}
	for full, v := range by {
		if procs, ok := strings.CutPrefix(full, name+"-"); ok {
			if _, err := strconv.Atoi(procs); err == nil {
				return v, true
			}
		}
	}
	return v, false
}
