package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// figure is one table or chart of an experiment, ready to be drawn as HTML. At most one of its last
// five fields is set; none means that there is nothing to draw.
type figure struct {
	ID, Title, Note string
	Wide            bool // takes the whole width
	Beside          bool // is shown together with the figure before it
	Table           *grid
	Plot            *xyPlot
	Bars            *barPlot
	Heat            *heatPlot
	Flame           *flamePlot
}

// ExperimentHTML writes one experiment as a self-contained file, by the rules of [HTML].
func ExperimentHTML(w io.Writer, e *run.Experiment) error {
	return pages().ExecuteTemplate(w, "solo.tmpl", struct {
		experimentPage
		assets
	}{newExperimentPage(e, mostOfOne), common})
}

// experimentPage is the data of an experiment's template.
type experimentPage struct {
	ID, Host, Command string
	E                 *run.Experiment
	Figures           []figure
}

// Told reports whether it is known how the experiment was measured.
func (p experimentPage) Told() bool {
	return p.Host != "" || p.Command != "" || p.E.Host.CPU != "" || !p.E.Started.IsZero()
}

func newExperimentPage(e *run.Experiment, frames int) experimentPage {
	return experimentPage{ID: "x-" + ident(e.Name), Host: hostOf(e.Host), Command: commandLine(e.Command), E: e, Figures: figures(e, frames)}
}

// figures returns the charts of an experiment, then its tables. frames is the number of frames that
// a flame graph may have.
func figures(e *run.Experiment, frames int) []figure {
	var out []figure
	colours := palette{}
	for _, c := range e.Charts {
		f := figure{Title: clean(c.Title), Note: clean(c.Note), Beside: c.Beside && len(out) > 0}
		switch c.Kind {
		case run.ChartLines, run.ChartScatter:
			f.Plot = newXYPlot(c, colours)
		case run.ChartBars:
			f.Bars = newBarPlot(c, colours)
		case run.ChartHeatmap:
			f.Heat, f.Wide = newHeatPlot(c), true
		case run.ChartFlame:
			f.Flame, f.Wide = newFlamePlot(c, frames), true
		}
		if f.Plot == nil && f.Bars == nil && f.Heat == nil && f.Flame == nil {
			f.Note = strings.TrimSpace(f.Note + " Nothing to draw.")
		}
		out = append(out, f)
	}
	for _, t := range e.Tables {
		g := newGrid(t)
		out = append(out, figure{Title: g.Title, Note: g.Note, Table: &g, Wide: true})
	}
	for i := range out {
		out[i].ID = fmt.Sprintf("x-%s-%d", ident(e.Name), i+1)
	}
	return out
}

// ident returns s as text that is allowed in an id.
func ident(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		return '-'
	}, strings.ToLower(s))
}

// palette gives the same name the same colour in all charts of an experiment.
type palette map[string]int

// hues is the number of colours in the style sheet. Further series use them again, with dashed
// lines.
const hues = 10

func (p palette) of(name string) int {
	n, ok := p[name]
	if !ok {
		n = len(p)
		p[name] = n
	}
	return n
}

// class returns the class of a series' colour: "s3", with a dash if colours are used again, or
// "faint" for a series that is drawn faintly.
func (p palette) class(s run.Series) string {
	if s.Faint {
		return "faint"
	}
	n := p.of(s.Name)
	c := "s" + itoa(n%hues)
	if n >= hues {
		c += " dash" + itoa(min(n/hues, 3))
	}
	return c
}

// interval returns the 95% interval of point i. ok is false if it has none.
func interval(s run.Series, i int) (lo, hi float64, ok bool) {
	if i >= len(s.Lo) || i >= len(s.Hi) || s.Lo[i] >= s.Hi[i] {
		return 0, 0, false
	}
	return s.Lo[i], s.Hi[i], true
}

func void(s run.Series, i int) bool { return i < len(s.Void) && s.Void[i] }
