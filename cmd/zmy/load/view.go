package load

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/run"
)

// This file holds what the reports on HTTP, events and gRPC share.

// experiment begins a report.
func experiment(name, title, question string, host run.Host, command []string, started time.Time) *run.Experiment {
	return &run.Experiment{Name: name, Title: title, Question: question, Command: command, Started: started,
		Seconds: time.Since(started).Seconds(), Host: host}
}

// with ends a report: data is what it was made of.
func with(x *run.Experiment, data any) (_ *run.Experiment, err error) {
	x.Data, err = json.Marshal(data)
	return x, err
}

// axis is one of the settings by which measurements differ.
type axis[M any] struct {
	name   string
	text   func(M) string     // in a name
	figure func(M) run.Figure // in a table, nil for the text
}

// vary divides axes into those along which measurements differ, the first one among them in any
// case, and the others.
func vary[M any](axes []axis[M], all []M) (differ, same []axis[M]) {
	for i, a := range axes {
		if i == 0 || slices.ContainsFunc(all, func(m M) bool { return a.text(m) != a.text(all[0]) }) {
			differ = append(differ, a)
		} else {
			same = append(same, a)
		}
	}
	return differ, same
}

// key begins the row of a measurement.
func key[M any](axes []axis[M], m M) (row []run.Figure) {
	for _, a := range axes {
		if a.figure != nil {
			row = append(row, a.figure(m))
		} else {
			row = append(row, run.Text(a.text(m)).Under(a.name, ""))
		}
	}
	return row
}

// nameOf is the name of a measurement in a sentence.
func nameOf[M any](axes []axis[M], m M) string {
	var parts []string
	for _, a := range axes {
		parts = append(parts, a.text(m))
	}
	return strings.Join(parts, ", ")
}

// ranges says what stands behind ±, and more.
func ranges(rounds int, more string) string {
	if rounds < 2 {
		return ""
	}
	return fmt.Sprintf(" Medians of %d rounds, ± half of their range%s.", rounds, more)
}

// several is the number of rounds that stand behind an item's range, 0 where there is none.
func several(rounds int) int {
	if rounds < 2 {
		return 0
	}
	return rounds
}

// eachOf makes figures that have a number in each of rounds.
func eachOf[R any](rounds []R) func(name, unit string, of func(R) float64) run.Figure {
	return func(name, unit string, of func(R) float64) run.Figure { return spread(rounds, of).Under(name, unit) }
}

// spread is the median over rounds, with the least and the most where there are several. A figure
// that some round does not have is not shown.
func spread[R any](rs []R, of func(R) float64) run.Item {
	var all []float64
	for _, r := range rs {
		x := of(r)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return run.Text("–")
		}
		all = append(all, x)
	}
	slices.Sort(all)
	n := len(all)
	it := run.Num((all[(n-1)/2] + all[n/2]) / 2)
	if n > 1 {
		it.Lo, it.Hi = &all[0], &all[n-1]
	}
	return it
}

// percentiles are the figures of some percentiles.
func percentiles(of func(q float64) run.Item, shown ...float64) (row []run.Figure) {
	for _, q := range shown {
		row = append(row, of(q).Under(openloop.Name(q), run.UnitNS))
	}
	return row
}

// percentile is a histogram's, or a dash where too few times lie beyond it.
func percentile(h *Histogram, q float64) run.Item {
	if !h.Sound(q) {
		return run.Text("–")
	}
	return run.Num(h.Quantile(q))
}

// over is a quotient, or a dash where one of both is not known.
func over(sum, n float64) run.Item {
	if sum == 0 || n == 0 {
		return run.Text("–")
	}
	return run.Num(sum / n)
}

// count is how many there are.
func count[N int | int64](n N) run.Item { return run.Num(float64(n)) }

// faults is how many there are of what should not be.
func faults[N int | int64](n N) run.Item { return count(n).Marked("bad", n > 0) }

// failures spells what went wrong and how often.
func failures(errors map[string]int) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(errors)) {
		parts = append(parts, fmt.Sprintf("%s: %d", what, errors[what]))
	}
	return strings.Join(parts, ", ")
}

// bar is a value of a series in a category. Without a value it makes the category only.
type bar struct {
	category, series string
	run.Item
}

// draw gives a chart its bars.
func draw(c run.Chart, bars []bar) run.Chart {
	for _, b := range bars {
		c.Categories = once(c.Categories, b.category)
	}
	for _, b := range bars {
		if b.Value == nil {
			continue
		}
		i := slices.IndexFunc(c.Series, func(s run.Series) bool { return s.Name == b.series })
		if i < 0 {
			i, c.Series = len(c.Series), append(c.Series, run.Series{Name: b.series, Y: make([]float64, len(c.Categories)),
				Void: slices.Repeat([]bool{true}, len(c.Categories))})
		}
		at := slices.Index(c.Categories, b.category)
		c.Series[i].Y[at], c.Series[i].Void[at] = *b.Value, false
	}
	return c
}

func once[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}
