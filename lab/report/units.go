package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/stats"
)

// Numbers are spelled by package quantity.
var (
	digits  = quantity.Digits
	group   = quantity.Group
	size    = quantity.Size
	short   = quantity.Short
	count   = quantity.Count
	times   = quantity.Ratio
	percent = quantity.Percent
)

// unit is the unit of time of a whole column, so that its figures compare.
type unit quantity.Unit

// unitFor picks ns, µs, ms or s so that the smallest positive time of a column keeps two or more
// digits. Times are in nanoseconds.
func unitFor(ns ...float64) unit {
	least := math.Inf(1)
	for _, x := range ns {
		if x > 0 {
			least = min(least, x)
		}
	}
	for _, u := range quantity.Seconds {
		if !math.IsInf(least, 1) && least >= 10*u.Size {
			return unit(u)
		}
	}
	return unit{"ns", 1}
}

// of spells ns in the unit, with three digits or as an integer.
func (u unit) of(ns float64) string {
	if ns <= 0 {
		return "–"
	}
	return digits(ns / u.Size)
}

// duration spells one time with its unit.
func duration(ns float64) string {
	if ns <= 0 {
		return "–"
	}
	u := unitFor(ns * 10) // one digit is enough for a single figure
	return u.of(ns) + " " + u.Name
}

// amount spells a mean of counts. It has no decimals if it is at least 100 or within 0.05 of an
// integer, else one.
func amount(x float64) string {
	if x >= 100 || math.Abs(x-math.Round(x)) < 0.05 {
		return quantity.Whole(x)
	}
	return fmt.Sprintf("%.1f", x)
}

// clean makes a string from outside (a panic's text, a value, a type name) safe for a terminal or
// one line of text: control characters, direction marks and line breaks are replaced.
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

// doubt returns a warning without the prefix that says who wrote it.
func doubt(s string) string {
	return clean(strings.TrimPrefix(strings.TrimPrefix(s, "statistics: "), stats.Schedule))
}

// plural returns "1 value", "3 values".
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
