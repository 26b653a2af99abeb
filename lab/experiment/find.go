package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Estimate is the median of a few readings with its interval: 95% from six readings on,
// their extremes below that.
func Estimate(xs []float64) run.Estimate {
	lo, hi, _ := stats.MedianInterval(xs, 0.95)
	return run.Estimate{Median: stats.Median(xs), Lo: lo, Hi: hi, N: len(xs)}
}

// None is an item for what is not known, and why.
func None(why string) run.Item { return run.Item{Text: why, Mark: "doubt"} }

// List joins names as a sentence does: a, b and c.
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// Time spells nanoseconds: 62 ns, 1.2 µs, 14 ms.
func Time(ns float64) string {
	for _, u := range []struct {
		per  float64
		name string
	}{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}} {
		if math.Abs(ns) < 999.5*u.per {
			return three(ns/u.per) + " " + u.name
		}
	}
	return three(ns/1e9) + " s"
}

// Bytes spells bytes: 512 B, 1.9 KiB, 3 MiB.
func Bytes(n float64) string {
	for _, u := range []struct {
		per  float64
		name string
	}{{1, "B"}, {1 << 10, "KiB"}, {1 << 20, "MiB"}} {
		if math.Abs(n) < 1023.5*u.per {
			return three(n/u.per) + " " + u.name
		}
	}
	return three(n/(1<<30)) + " GiB"
}

// Share spells a share of 1: 35%.
func Share(x float64) string { return three(100*x) + "%" }

// Figure spells a number with up to three figures.
func Figure(x float64) string { return three(x) }

// Times spells a ratio: 1.23 times.
func Times(x float64) string { return three(x) + " times" }

// Count spells a number with at most three figures of its own, and thousands apart.
func Count(x float64) string {
	s := fmt.Sprintf("%.0f", x)
	if x < 10_000 {
		return s
	}
	var out []byte
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, s[i])
	}
	return string(out)
}

// three spells a number with up to three significant digits.
func three(x float64) string {
	switch a := math.Abs(x); {
	case a == 0 || a >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case a >= 9.995:
		return trim(fmt.Sprintf("%.1f", x))
	default:
		return trim(fmt.Sprintf("%.2f", x))
	}
}

func trim(s string) string {
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
