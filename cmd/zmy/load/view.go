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

// experiment starts a report.
func experiment(name, title, question string, host run.Host, command []string, started time.Time) *run.Experiment {
	return &run.Experiment{Name: name, Title: title, Question: question, Command: command, Started: started,
		Seconds: time.Since(started).Seconds(), Host: host}
}

// with completes a report with data, the results from which it was made.
func with(x *run.Experiment, data any) (_ *run.Experiment, err error) {
	x.Data, err = json.Marshal(data)
	return x, err
}

// axis is a setting in which measurements may differ.
type axis[M any] struct {
	name   string
	text   func(M) string     // value in a name
	figure func(M) run.Figure // value in a table; nil to show the text
}

// vary splits axes into those in which the measurements differ and the others. The first axis
// always belongs to those that differ.
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

// key returns the first columns in the row of a measurement.
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

// nameOf returns the name of a measurement in a sentence.
func nameOf[M any](axes []axis[M], m M) string {
	var parts []string
	for _, a := range axes {
		parts = append(parts, a.text(m))
	}
	return strings.Join(parts, ", ")
}

// ranges explains ± in a table's note, followed by more.
func ranges(rounds int, more string) string {
	if rounds < 2 {
		return ""
	}
	return fmt.Sprintf(" Medians of %d rounds, ± half of their range%s.", rounds, more)
}

// several returns the number of rounds from which a figure's range comes, or 0 for a single round,
// which gives no range.
func several(rounds int) int {
	if rounds < 2 {
		return 0
	}
	return rounds
}

// eachOf returns a function that makes figures from one value for each round.
func eachOf[R any](rounds []R) func(name, unit string, of func(R) float64) run.Figure {
	return func(name, unit string, of func(R) float64) run.Figure { return spread(rounds, of).Under(name, unit) }
}

// spread returns the median over the rounds. With several rounds it has the least and the most. It
// returns a dash if the value of some round is unknown.
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

// percentiles returns a column for each percentile.
func percentiles(of func(q float64) run.Item, shown ...float64) (row []run.Figure) {
	for _, q := range shown {
		row = append(row, of(q).Under(openloop.Name(q), run.UnitNS))
	}
	return row
}

// percentile returns a percentile of a histogram, or a dash if too few times lie beyond it.
func percentile(h *Histogram, q float64) run.Item {
	if !h.Sound(q) {
		return run.Text("–")
	}
	return run.Num(h.Quantile(q))
}

// over returns sum divided by n, or a dash if one of them is 0, which means unknown.
func over(sum, n float64) run.Item {
	if sum == 0 || n == 0 {
		return run.Text("–")
	}
	return run.Num(sum / n)
}

// count returns a number as an item of a table.
func count[N int | int64](n N) run.Item { return run.Num(float64(n)) }

// faults returns the number of faults. It is marked as bad unless it is 0.
func faults[N int | int64](n N) run.Item { return count(n).Marked("bad", n > 0) }

// failures lists the causes of failures and how often each occurred.
func failures(errors map[string]int) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(errors)) {
		parts = append(parts, fmt.Sprintf("%s: %d", what, errors[what]))
	}
	return strings.Join(parts, ", ")
}

// bar is the value of a series in a category. A bar without a value only adds its category.
type bar struct {
	category, series string
	run.Item
}

// draw adds the bars to a chart.
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
