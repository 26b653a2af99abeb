package report

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// paper is the text of a report for a terminal, with its width and colours.
type paper struct {
	p     painter
	width int
	gap   int // between columns
	b     strings.Builder
}

func newPaper(o TableOptions) paper {
	if o.Width == 0 {
		o.Width = 100
	}
	return paper{p: painter(o.Color), width: max(o.Width, 72), gap: 2}
}

// painter adds ANSI colours, or none.
type painter bool

func (p painter) paint(code, s string) string {
	if !p || s == "" || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

const (
	bold, dim, red, green, yellow, cyan = "1", "90", "31", "32", "33", "36"
)

// line writes one paragraph, wrapped at the width. Further lines are indented two more than the
// first.
func (t *paper) line(code, format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	for _, l := range wrap(s, t.width) {
		t.b.WriteString(t.p.paint(code, l) + "\n")
	}
}

// foot writes where the report is, and the command that repeats the run. raw names the data files
// in the report's folder.
func (t *paper) foot(dir, raw string, command []string) {
	if dir != "" {
		t.line(dim, "  report %s · raw %s", clean(dir)+"/"+FileHTML, raw)
	}
	if len(command) > 0 {
		t.line(dim, "  again: %s", commandLine(command))
	}
}

// column is one column of a table.
type column struct {
	head  string
	left  bool
	cells []string
	color []string
}

func (c *column) add(s, color string) {
	c.cells, c.color = append(c.cells, s), append(c.color, color)
}

func (c *column) width() int {
	n := utf8.RuneCountInString(c.head)
	for _, s := range c.cells {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}

// print writes the first n lines of columns below their heads. Further lines count for the widths
// too, so that a chart has the same columns however many of its rows are shown.
func (t *paper) print(cols []*column, n int) {
	write := func(cell func(c *column) (string, string)) {
		var line strings.Builder
		for i, c := range cols {
			s, color := cell(c)
			pad := strings.Repeat(" ", max(0, c.width()-utf8.RuneCountInString(s)))
			if i > 0 {
				line.WriteString(strings.Repeat(" ", t.gap))
			}
			if c.left {
				line.WriteString(t.p.paint(color, s) + pad)
			} else {
				line.WriteString(pad + t.p.paint(color, s))
			}
		}
		t.b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	write(func(c *column) (string, string) { return c.head, dim })
	for i := range n {
		write(func(c *column) (string, string) { return c.cells[i], c.color[i] })
	}
}

var eighths = []rune(" ▏▎▍▌▋▊▉█")

// Bar draws v as a bar of at most width cells, in steps of an eighth of a cell. The bar for full
// has width-1 cells. A bar that would need more than width cells ends in an ellipsis. Any positive
// value is visible.
func Bar(v, full float64, width int) string {
	if v <= 0 || full <= 0 || width <= 0 {
		return ""
	}
	n := int(math.Round(v / full * float64(width-1) * 8))
	if n > width*8 {
		return strings.Repeat("█", width-1) + "…"
	}
	n = max(n, 1)
	s := strings.Repeat("█", n/8)
	if n%8 > 0 {
		s += string(eighths[n%8])
	}
	return s
}

// cut shortens s to n runes.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// wrap breaks s at spaces into lines of at most width runes. Further lines are indented by two more
// than the first.
func wrap(s string, width int) []string {
	indent := strings.Repeat(" ", len(s)-len(strings.TrimLeft(s, " "))+2)
	var out []string
	for utf8.RuneCountInString(s) > width {
		runes := []rune(s)
		i := width
		for i > len(indent)+8 && runes[i] != ' ' {
			i--
		}
		if runes[i] != ' ' {
			i = width
		}
		out = append(out, strings.TrimRight(string(runes[:i]), " "))
		s = indent + strings.TrimLeft(string(runes[i:]), " ")
	}
	return append(out, s)
}

// Fit shortens s to at most n runes, including the "…" that it adds. It cuts after a whole word if
// that keeps more than half of the text.
func Fit(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	short := string([]rune(s)[:n-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)/2 && []rune(s)[n-1] != ' ' {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,:·→(") + "…"
}
