package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// Markdown draws all claims with the measured figures. Each figure has its interval and a link to
// its run, which is in a folder next to the page. The error lists the claims whose figures do not
// support their verdict.
func Markdown(all []*Claim, dir fs.FS) (string, error) {
	var b strings.Builder
	b.WriteString("| published | measured here | verdict |\n|---|---|---|\n")
	var errs []error
	from := &runs{dir: dir}
	for _, c := range all {
		found, err := c.eval(from)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		var figures []string
		for _, m := range found {
			figures = append(figures, fmt.Sprintf("%s ([%s](%s/report.md))", m.text(), m.Run, m.Run))
		}
		if len(figures) == 0 {
			figures = []string{"–"}
		}
		fmt.Fprintf(&b, "| %s | %s | **%s**: %s |\n", c.Claim, strings.Join(figures, "; "), c.Verdict, c.Why)
	}
	return b.String(), errors.Join(errs...)
}

// text formats a figure: its name, the measured value, a "?" if the value is too uncertain to be
// judged, and the interval if it has one.
func (m *Measured) text() string {
	s := m.What + " " + spell(m.Value, m.Unit)
	if m.State == Unknown || m.Doubt {
		s += "?"
	}
	if m.spread() && !m.Few {
		s += fmt.Sprintf(" [%s, %s]", spell(m.Lo, m.Unit), spell(m.Hi, m.Unit))
	}
	return s
}

// spell formats a number in its unit.
func spell(v float64, unit string) string {
	if math.IsInf(v, 0) { // a bound of a quotient whose divisor may be 0
		return map[bool]string{true: "∞", false: "−∞"}[v > 0]
	}
	switch unit {
	case run.UnitTimes:
		return quantity.Figure(v) + "×"
	case run.UnitShare:
		if v > 0 && v < 0.001 {
			return "<0.1%"
		}
		return quantity.Share(v)
	case run.UnitNS:
		return quantity.Time(v)
	case run.UnitCount:
		return quantity.Figure(v)
	case run.UnitOps:
		if v >= 1e4 {
			return quantity.Figure(v/1e3) + "k op/s"
		}
	}
	return quantity.Figure(v) + " " + unit
}
