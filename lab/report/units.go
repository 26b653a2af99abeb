package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/lab/stats"
)

// unit is a scale of time for a whole column, so that its figures compare.
type unit struct {
	name string
	ns   float64
}

// unitFor picks ns, µs, ms or s so that the smallest of a column keeps two
// or more digits. Times are in nanoseconds; those that are not positive count not.
func unitFor(ns ...float64) unit {
	least := math.Inf(1)
	for _, x := range ns {
		if x > 0 {
			least = min(least, x)
		}
	}
	for _, u := range []unit{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if !math.IsInf(least, 1) && least >= 10*u.ns {
			return u
		}
	}
	return unit{"ns", 1}
}

// of spells ns in the unit, to three digits or the integer.
func (u unit) of(ns float64) string {
	if ns <= 0 {
		return "–"
	}
	return digits(ns / u.ns)
}

// digits spells x with three significant digits, all of its integer part and
// thin groups of thousands.
func digits(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case a == 0:
		return "0"
	case a < 9.995:
		return fmt.Sprintf("%.2f", x)
	case a < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return group(fmt.Sprintf("%.0f", x))
}

// group puts commas into an integer of more than four digits.
func group(s string) string {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if len(s) > 4 {
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
	}
	if neg {
		return "-" + s
	}
	return s
}

// duration spells one time with its unit.
func duration(ns float64) string {
	if ns <= 0 {
		return "–"
	}
	u := unitFor(ns * 10) // one digit is enough for a single figure
	return u.of(ns) + " " + u.name
}

// size spells bytes: "96 B", "1.9 KiB", "3.2 MiB".
func size(b float64) string {
	switch {
	case b <= 0 || math.IsNaN(b):
		return "–"
	case b < 1000:
		return fmt.Sprintf("%.0f B", b)
	case b < 1000*1024:
		return short(b/1024) + " KiB"
	case b < 1000*1024*1024:
		return short(b/(1<<20)) + " MiB"
	}
	return short(b/(1<<30)) + " GiB"
}

func short(x float64) string {
	if x < 99.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// count spells a number of things, the mean of many values, as a whole one: "<1" for a few.
func count(x float64) string {
	if x > 0 && x < 0.5 {
		return "<1"
	}
	return group(fmt.Sprintf("%.0f", math.Round(x)))
}

// amount spells a mean that a chart draws: what is an integer to a twentieth, as one.
func amount(x float64) string {
	if x >= 100 || math.Abs(x-math.Round(x)) < 0.05 {
		return group(fmt.Sprintf("%.0f", x))
	}
	return fmt.Sprintf("%.1f", x)
}

// times spells a ratio: "14.2", "0.83".
func times(x float64) string {
	switch {
	case x <= 0 || math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case x >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 0.995:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// percent spells a relative figure: 0.019 is "1.9%".
func percent(x float64) string {
	if math.Abs(x) >= 0.0995 {
		return fmt.Sprintf("%.0f%%", 100*x)
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// clean makes a string from elsewhere (a panic's text, a value, a type name)
// safe for a terminal or one line of text: no control characters, no
// direction marks, no line breaks.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return '·'
		}
		return r
	}, s)
}

// doubt is a warning without the mark of who wrote it.
func doubt(s string) string {
	return clean(strings.TrimPrefix(strings.TrimPrefix(s, "statistics: "), stats.Schedule))
}

// plural is "1 value", "3 values".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return group(fmt.Sprint(n)) + " " + what + "s"
}

func launches(n int) string {
	if n == 1 {
		return "1 launch"
	}
	return itoa(n) + " launches"
}

func itoa(n int) string    { return strconv.Itoa(n) }
func utoa(n uint64) string { return strconv.FormatUint(n, 10) }
