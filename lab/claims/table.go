package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// Markdown draws all claims with the measured figures. Each figure has its interval and a link to
// its run, which is in a folder next to the page.
func Markdown(all []*Claim, dir fs.FS) (string, error) {
	return draw(all, dir, func(c *Claim, found []Measured) row {
		var figures []string
		for _, m := range found {
			figures = append(figures, fmt.Sprintf("%s ([%s](%s/report.md))", m.text(true), m.Run, m.Run))
		}
		return row{c.Claim, figures, c.Verdict, c.Why}
	})
}

// Short draws the claims of the README: those with a Chinese text. It shows only the published
// figures. It adds intervals only if a figure of the claim could not be judged.
func Short(all []*Claim, dir fs.FS) (string, error) {
	return draw(chosen(all), dir, func(c *Claim, found []Measured) row {
		return row{c.Claim, published(found), c.Verdict, c.Why}
	})
}

// Chinese draws the claims of Short in Chinese, for the Chinese README.
func Chinese(all []*Claim, dir fs.FS) (string, error) {
	words := map[string]string{Confirmed: "证实", Refuted: "推翻", Conditional: "有条件成立", Undecided: "未定"}
	return draw(chosen(all), dir, func(c *Claim, found []Measured) row {
		return row{c.ZH.Claim, published(found), words[c.Verdict], c.ZH.Why}
	})
}

func chosen(all []*Claim) []*Claim {
	return slices.DeleteFunc(slices.Clone(all), func(c *Claim) bool { return c.ZH == nil })
}

func published(found []Measured) (figures []string) {
	unsure := slices.ContainsFunc(found, func(m Measured) bool { return m.State == Unknown })
	for _, m := range found {
		if m.Published != nil {
			figures = append(figures, m.text(unsure))
		}
	}
	return figures
}

// row is a line of a table.
type row struct {
	claim        string
	figures      []string
	verdict, why string
}

// draw makes a table with one row for each claim. The error lists the claims whose figures do not
// support their verdict.
func draw(all []*Claim, dir fs.FS, of func(*Claim, []Measured) row) (string, error) {
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
		r := of(c, found)
		if len(r.figures) == 0 {
			r.figures = []string{"–"}
		}
		fmt.Fprintf(&b, "| %s | %s | **%s**: %s |\n", r.claim, strings.Join(r.figures, "; "), r.verdict, r.why)
	}
	return b.String(), errors.Join(errs...)
}

// text formats a figure: its name, the measured value, a "?" if the value is too uncertain to be
// judged, and the interval if that is wanted.
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
