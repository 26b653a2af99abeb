package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Ops are the operations that every codec has, in the order of the tables.
var Ops = []string{"encode", "decode"}

// First returns the first element e of list for which is(e) is true, or the zero value.
func First[T any](list []T, is func(T) bool) (first T) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i]
	}
	return first
}

// Named is a figure with the name of the codec, or other thing, that has it.
type Named struct {
	Name  string
	Value float64
}

// Extremes returns the smallest and the largest figure. figure returns false for a name without
// one. If no name has a figure, the Name of both results is "".
func Extremes(names []string, figure func(name string) (v float64, ok bool)) (least, most Named) {
	for _, name := range names {
		v, ok := figure(name)
		if ok && (least.Name == "" || v < least.Value) {
			least = Named{name, v}
		}
		if ok && (most.Name == "" || v > most.Value) {
			most = Named{name, v}
		}
	}
	return least, most
}

// Estimate returns the median of xs with its interval: the 95% interval if there are at least six
// readings, otherwise the smallest and the largest reading.
func Estimate(xs []float64) run.Estimate {
	lo, hi, _ := stats.MedianInterval(xs, 0.95)
	return run.Estimate{Median: stats.Median(xs), Lo: lo, Hi: hi, N: len(xs)}
}

// CPU returns the CPU times of samples, in ns.
func CPU(samples []run.Sample) (ns []float64) {
	for _, s := range samples {
		ns = append(ns, s.CPU)
	}
	return ns
}

// Located returns the estimate of a location or of a ratio.
func Located(x stats.Result) run.Estimate {
	return run.Estimate{Median: x.Point, Lo: x.Lo, Hi: x.Hi, N: x.N}
}

// Slope returns by how much a figure grows per step if it grows from a to z in the given number of
// steps. The errors of a and z are independent, so their squares add up (Zou and Donner 2008).
func Slope(a, z run.Estimate, steps float64) run.Estimate {
	d := z.Median - a.Median
	lo, hi := math.Hypot(z.Median-z.Lo, a.Hi-a.Median), math.Hypot(z.Hi-z.Median, a.Median-a.Lo)
	return run.Estimate{Median: d / steps, Lo: (d - lo) / steps, Hi: (d + hi) / steps, N: min(a.N, z.N)}
}

// UnlessZero returns an item for e, marked as doubtful if the interval of e includes 0.
func UnlessZero(e run.Estimate) run.Item { return run.Est(e).Marked("doubt", e.Lo <= 0 && e.Hi >= 0) }

// None returns an item for an unknown value: the text why, marked as doubtful.
func None(why string) run.Item { return run.Item{Text: why, Mark: "doubt"} }

// List joins names as a sentence does: a, b and c.
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// Sentence appends the parts to the beginning of a sentence, or returns "" if there are none.
func Sentence(begin string, parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return begin + strings.Join(parts, "; ") + "."
}

// Late says why a point of an open loop is not valid, or returns "" if it is. A point is not valid
// if its generator was late by too much, compared with the median response.
func Late(late, response *openloop.Histogram) string {
	if openloop.Punctual(late, response, 0.5) {
		return ""
	}
	of := late.Quantile(0.5)
	return fmt.Sprintf("the generator was %s late, %s of the median response", quantity.Time(of),
		quantity.Share(of/response.Quantile(0.5)))
}
