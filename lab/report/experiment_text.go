package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// ExperimentMarkdown writes an experiment's findings and tables, for a pull request. Charts are in
// the HTML report only.
func ExperimentMarkdown(w io.Writer, e *run.Experiment) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", md(e.Title))
	experimentMarkdown(&b, e)
	_, err := io.WriteString(w, b.String())
	return err
}

// experimentMarkdown writes an experiment without its title.
func experimentMarkdown(b *strings.Builder, e *run.Experiment) {
	if e.Question != "" {
		fmt.Fprintf(b, "%s\n\n", md(e.Question))
	}
	if s := hostOf(e.Host); s != "" {
		fmt.Fprintf(b, "host %s\n\n", md(s))
	}
	if e.Partial {
		b.WriteString("> **Partial:** stopped early, figures stand on less than planned.\n\n")
	}
	for i, f := range e.Findings {
		fmt.Fprintf(b, "- %s\n", map[bool]string{true: "**" + md(f) + "**", false: md(f)}[i == 0])
	}
	for _, s := range e.Warnings {
		fmt.Fprintf(b, "- ⚠ %s\n", md(s))
	}
	for _, s := range e.Absent {
		fmt.Fprintf(b, "- not available: %s\n", md(s))
	}
	for _, t := range e.Tables {
		gridMarkdown(b, newGrid(t))
	}
	if len(e.Command) > 0 {
		fmt.Fprintf(b, "\nAgain: `%s`\n", strings.ReplaceAll(commandLine(e.Command), "`", "'"))
	}
}

func gridMarkdown(b *strings.Builder, g grid) {
	if len(g.Cols) == 0 || len(g.Rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n**%s**\n\n|", md(g.Title))
	for _, c := range g.Cols {
		b.WriteString(" " + md(c.Head) + " |")
	}
	b.WriteString("\n|")
	for _, c := range g.Cols {
		b.WriteString(map[bool]string{true: ":--|", false: "--:|"}[c.Text])
	}
	for _, row := range g.Rows {
		b.WriteString("\n|")
		for _, x := range row {
			s := md(x.Text)
			if x.Half != "" {
				s += " " + x.Half
			}
			b.WriteString(" " + s + x.sign() + " |")
		}
	}
	b.WriteString("\n")
	if g.Note != "" {
		fmt.Fprintf(b, "\n%s\n", md(g.Note))
	}
}

// ExperimentsCSV writes the figures of experiments in long form: one line for each cell of a table
// and each point of a chart. Numbers are in base units, such as ns and bytes. A flame graph has one
// line for each stack, with the names joined by semicolons.
func ExperimentsCSV(w io.Writer, es []*run.Experiment) error {
	c := csv.NewWriter(w)
	c.Write([]string{"experiment", "kind", "title", "row", "column", "unit", "text", "value", "lo", "hi", "void"})
	for _, e := range es {
		for _, t := range e.Tables {
			tableCSV(c, e.Name, t)
		}
		for _, t := range e.Charts {
			chartCSV(c, e.Name, t)
		}
	}
	c.Flush()
	return c.Error()
}

func tableCSV(c *csv.Writer, name string, t run.Table) {
	for k, row := range t.Rows {
		id := itoa(k + 1)
		if len(row) > 0 && row[0].Text != "" {
			id = row[0].Text
		}
		for i, x := range row {
			if i < len(t.Columns) && (x.Text != "" || x.Value != nil) {
				c.Write([]string{name, "table", t.Title, id, t.Columns[i].Name, t.Columns[i].Unit, x.Text, number(x.Value), number(x.Lo),
					number(x.Hi), ""})
			}
		}
	}
}

func chartCSV(c *csv.Writer, name string, t run.Chart) {
	for _, s := range t.Series {
		for i, y := range s.Y {
			at := ""
			switch {
			case i < len(s.X):
				at = plainest(s.X[i])
			case i < len(t.Categories):
				at = t.Categories[i]
			}
			line := []string{name, t.Kind, t.Title, at, s.Name, t.Y.Unit, "", plainest(y), "", "", ""}
			if lo, hi, ok := interval(s, i); ok {
				line[8], line[9] = plainest(lo), plainest(hi)
			}
			if void(s, i) {
				line[10] = "true"
			}
			c.Write(line)
		}
	}
	if t.Flame != nil {
		flameCSV(c, name, t, t.Flame, "")
	}
}

func flameCSV(c *csv.Writer, name string, t run.Chart, f *run.Frame, stack string) {
	stack += f.Name
	line := []string{name, t.Kind, t.Title, stack, "", t.Y.Unit, "", plainest(f.Value), "", "", ""}
	if f.Delta != 0 {
		line[6] = "delta " + plainest(f.Delta)
	}
	c.Write(line)
	for _, x := range f.Calls {
		flameCSV(c, name, t, x, stack+";")
	}
}

func number(v *float64) string {
	if v == nil {
		return ""
	}
	return plainest(*v)
}

// plainest spells a number so that it reads back as the same number.
func plainest(v float64) string { return fmt.Sprintf("%v", v) }
