package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Markdown draws claims with what was measured, each figure with its interval and a
// link to its run, which lies beside the page.
func Markdown(all []*Claim, dir fs.FS) (string, error) {
	return draw(all, dir, false)
}

// Short draws what could be tested, and of the figures those that were published. Intervals
// stand where they decide: beside the figures of a claim of which some could not be judged.
func Short(all []*Claim, dir fs.FS) (string, error) { return draw(all, dir, true) }

func draw(all []*Claim, dir fs.FS, brief bool) (string, error) {
	var b strings.Builder
	b.WriteString("| published | measured here | verdict |\n|---|---|---|\n")
	var errs []error
	for _, c := range all {
		found, err := c.Eval(dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if brief && len(found) == 0 {
			continue
		}
		unsure := slices.ContainsFunc(found, func(m Measured) bool { return m.State == Unknown })
		var figures []string
		for _, m := range found {
			switch {
			case !brief:
				figures = append(figures, fmt.Sprintf("%s ([%s](%s/report.md))", m.text(true), m.Run, m.Run))
			case m.Published != nil:
				figures = append(figures, m.text(unsure))
			}
		}
		if len(figures) == 0 {
			figures = []string{"–"}
		}
		fmt.Fprintf(&b, "| %s | %s | **%s**: %s |\n", c.Claim, strings.Join(figures, "; "), c.Verdict, c.Why)
	}
	return b.String(), errors.Join(errs...)
}

// text spells a figure: what, measured, ? where that is not certain enough to be judged, and the interval.
func (m *Measured) text(interval bool) string {
	s := m.What + " " + spell(m.Value, m.Unit)
	if m.State == Unknown || m.Doubt {
		s += "?"
	}
	if interval && m.spread() && !m.Few {
		s += fmt.Sprintf(" [%s, %s]", spell(m.Lo, m.Unit), spell(m.Hi, m.Unit))
	}
	return s
}

// spell writes a number with three digits in its unit.
func spell(v float64, unit string) string {
	switch unit {
	case "times":
		return short(v) + "×"
	case "share":
		if v > 0 && v < 0.001 {
			return "<0.1%"
		}
		return short(100*v) + "%"
	case "ns":
		switch {
		case v >= 1e6:
			return short(v/1e6) + " ms"
		case v >= 1e4:
			return short(v/1e3) + " µs"
		}
	case "op/s":
		if v >= 1e4 {
			return short(v/1e3) + "k op/s"
		}
	}
	return short(v) + " " + unit
}

// short keeps three digits, and all of those before the point.
func short(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
