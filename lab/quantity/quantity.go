// Package quantity formats times, bytes, counts, ratios and shares for everything that the lab
// prints.
//
// A figure has three significant digits, and all digits of its integer part. In sentences it has no
// trailing zeros: Figure, Time, Bytes, Times, Share. In columns it has them, and at most two
// decimals, so that figures are easy to compare: Digits, Size, Ratio, Percent.
package quantity

import (
	"fmt"
	"math"
	"strings"
)

// Unit is a unit and its size in base units, which are nanoseconds or bytes.
type Unit struct {
	Name string
	Size float64
}

// The units of time and of bytes, largest first.
var (
	Seconds = []Unit{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}}
	Binary  = []Unit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}
)

// In returns the largest unit in which v is at least 1 after rounding, or else the smallest unit.
func In(units []Unit, v float64) Unit {
	for _, u := range units {
		if math.Abs(v) >= 0.9995*u.Size {
			return u
		}
	}
	return units[len(units)-1]
}

// Time formats nanoseconds: "62 ns", "1.2 µs", "14 ms".
func Time(ns float64) string { return spell(Seconds, ns) }

// Bytes formats bytes: "512 B", "1.9 KiB", "3 MiB".
func Bytes(n float64) string { return spell(Binary, n) }

func spell(units []Unit, v float64) string {
	u := In(units, v)
	return Figure(v/u.Size) + " " + u.Name
}

// Times formats a ratio: "1.23 times".
func Times(x float64) string { return Figure(x) + " times" }

// Figure formats a number for sentences: "2", "0.948", "17.3".
func Figure(x float64) string {
	if math.Abs(x) < 0.9995 {
		return fmt.Sprintf("%.3g", x)
	}
	s := Digits(x)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Digits formats a number for columns: "2.00", "0.35", "17.3". It returns a dash if x is not
// finite.
func Digits(x float64) string {
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
	return Whole(x)
}

// Size formats bytes for columns: "96 B", "1.9 KiB", "3.0 MiB".
func Size(b float64) string {
	switch {
	case b <= 0 || math.IsNaN(b):
		return "–"
	case b < 1000:
		return fmt.Sprintf("%.0f B", b)
	case b < 1000*1024:
		return Short(b/1024) + " KiB"
	case b < 1000*1024*1024:
		return Short(b/(1<<20)) + " MiB"
	}
	return Short(b/(1<<30)) + " GiB"
}

// Short formats a number below 100 with one decimal, and a larger one without: "1.9", "416".
func Short(x float64) string {
	if x < 99.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// Ratio formats a ratio for columns: "14.2", "0.83".
func Ratio(x float64) string {
	switch {
	case x <= 0 || math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case x >= 0.995:
		return Short(x)
	}
	return fmt.Sprintf("%.2f", x)
}

// Share formats a share of 1: 0.05 is "5%", 0.019 "1.9%".
func Share(x float64) string { return strings.Replace(Percent(x), ".0%", "%", 1) }

// Percent formats a share of 1 for columns: 0.05 is "5.0%". 0.998 is "99.8%" and not "100%", since
// a part is missing.
func Percent(x float64) string {
	if a := math.Abs(x); a >= 0.0995 && a < 0.995 || a >= 0.9995 {
		return fmt.Sprintf("%.0f%%", 100*x)
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// Count formats a number of things as an integer. A mean between 0 and 0.5 is "<1".
func Count(x float64) string {
	if x > 0 && x < 0.5 {
		return "<1"
	}
	return Whole(math.Round(x))
}

// Whole formats x without decimals: "9866", "1,234,567".
func Whole(x float64) string { return Group(fmt.Sprintf("%.0f", x)) }

// Group puts commas into an integer of more than four digits.
func Group(s string) string {
	digits := strings.TrimPrefix(s, "-")
	sign := s[:len(s)-len(digits)]
	if len(digits) > 4 {
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
	}
	return sign + digits
}
