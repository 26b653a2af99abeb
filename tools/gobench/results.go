package gobench

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Results are the values that benchmarks reported.
type Results struct {
	values  map[string]map[string][]float64 // by name and unit, in order of rounds
	skipped map[string]string
}

// Read parses the output of go test -bench -v: lines with a name, a number of operations, and
// values with their units. It ignores other lines, except those that say why a benchmark was
// skipped.
func Read(r io.Reader) (*Results, error) {
	out := &Results{skipped: map[string]string{}}
	lines := bufio.NewScanner(r)
	said := "" // last line that a benchmark logged: the reason, if it was skipped
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
		for i := 2; i < len(f); i += 2 {
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is no number", n, f[i])
			}
			out.Add(f[0], f[i+1], v)
		}
	}
	return out, lines.Err()
}

// Add appends a benchmark's value in a unit, that of the next round.
func (r *Results) Add(name, unit string, value float64) {
	if r.values == nil {
		r.values = map[string]map[string][]float64{}
	}
	if r.values[name] == nil {
		r.values[name] = map[string][]float64{}
	}
	r.values[name][unit] = append(r.values[name][unit], value)
}

// Of returns a benchmark's values in a unit, one for each round, or the reason why there are none.
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

// find looks up a benchmark. go test appends the number of processors to its name unless that is 1.
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
