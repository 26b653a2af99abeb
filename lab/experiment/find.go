package experiment

import (
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Estimate returns the median of xs with its interval: the 95% interval if there are at least six
// readings, otherwise the smallest and the largest reading.
func Estimate(xs []float64) run.Estimate {
	lo, hi, _ := stats.MedianInterval(xs, 0.95)
	return run.Estimate{Median: stats.Median(xs), Lo: lo, Hi: hi, N: len(xs)}
}

// None is an item for an unknown value; why says why it is unknown.
func None(why string) run.Item { return run.Item{Text: why, Mark: "doubt"} }

// List joins names as a sentence does: a, b and c.
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
