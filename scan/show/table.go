// Package show prints the result of a scan: as a table for a terminal, as one offline HTML page, as JSON, and
// as SARIF 2.1.0 for tools that show findings in source.
package show

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/scan"
)

// rows is the number of sites that a table shows, unless all are asked for.
const (
	rows      = 12
	rowsPlain = 40 // without a profile
)

const (
	bold, dim, green, yellow = "1", "90", "32", "33"
)

// Table writes the result for a terminal. The first line says whether to go on reading.
func Table(w io.Writer, r *scan.Result, o report.TableOptions) error {
	t := &table{r: r, o: o, width: max(o.Width, 40)}
	if o.Width == 0 {
		t.width = 100
	}
	t.line(bold, "", r.Verdict)
	t.line(dim, "  ", found(r))
	if r.CPU != nil {
		t.line(dim, "  ", here(r)+" ("+source(r.CPU)+")")
	}
	t.sites()
	t.elsewhere()
	t.next()
	t.foot()
	_, err := io.WriteString(w, t.b.String())
	return err
}

type table struct {
	r     *scan.Result
	o     report.TableOptions
	width int
	b     strings.Builder
}

// line writes a text, wrapped at the width. All of its lines begin with indent.
func (t *table) line(color, indent, text string) {
	if text == "" {
		return
	}
	for _, l := range wrap(clean(text), t.width-len(indent)) {
		t.b.WriteString(indent + t.paint(color, l) + "\n")
	}
}

func (t *table) paint(color, s string) string {
	if !t.o.Color || color == "" || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// wrap breaks s at spaces into lines of at most width characters. Further lines are indented by two.
func wrap(s string, width int) (out []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			out, line = append(out, line), "  "+word
		}
	}
	return append(out, line)
}

// sites writes a line for each site, or two if one is too narrow.
func (t *table) sites() {
	all := t.r.Sites
	most := rows
	if t.r.CPU == nil {
		most = rowsPlain
	}
	left := 0
	if !t.o.All && len(all) > most {
		left, all = len(all)-most, all[:most]
	}
	if len(all) == 0 {
		return
	}
	t.b.WriteString("\n")
	var cells [][3]string
	var widths [3]int
	widest := 0
	for _, x := range all {
		c := [3]string{clean(where(x)), clean(x.Call), cost(x)}
		for i := range c {
			widths[i] = max(widths[i], utf8.RuneCountInString(c[i]))
		}
		widest = max(widest, utf8.RuneCountInString(advice(x)))
		cells = append(cells, c)
	}
	one := widths[0]+widths[1]+widths[2]+min(widest, 40)+6 <= t.width
	for i, x := range all {
		t.site(x, cells[i], widths, one)
	}
	if left > 0 {
		t.line(dim, "  ", plural(left, "more site")+": -v prints all")
	}
}

// site writes one site. With one set, everything is on its first line if that is wide enough.
func (t *table) site(x *scan.Site, c [3]string, widths [3]int, one bool) {
	color := map[string]string{scan.Adopt: green, scan.Measure: yellow}[x.Action]
	tail := advice(x)
	if x.Run != "" && x.Action == scan.Adopt {
		tail += "  [adopt: " + x.Run + "]"
	}
	if !one {
		if head := c[0] + "  " + c[1]; utf8.RuneCountInString(head) <= t.width {
			t.b.WriteString(head + "\n")
		} else {
			t.b.WriteString(c[0] + "\n")
			t.line("", "    ", c[1])
		}
		if c[2] != "" {
			t.line(color, "    ", c[2]+" · "+tail)
		}
	} else {
		head := pad(c[0], widths[0]) + "  " + pad(c[1], widths[1]) + "  " + pad(c[2], widths[2]) + "  "
		room := t.width - utf8.RuneCountInString(head)
		if utf8.RuneCountInString(tail) <= room {
			t.b.WriteString(strings.TrimRight(head+t.paint(color, clean(tail)), " ") + "\n")
		} else {
			t.b.WriteString(head + t.paint(color, clean(report.Fit(advice(x), room))) + "\n")
			if x.Action == scan.Adopt {
				t.line(color, "    ", "[adopt: "+x.Run+"]")
			}
		}
	}
	if x.Type == "" && x.Why != "" {
		t.line(dim, "    ", "type unknown: "+x.Why)
	}
	if len(x.Via) > 0 && t.o.All {
		t.line(dim, "    ", "through "+strings.Join(x.Via, ", "))
	}
	if x.Own > 0.001 || x.Stream > 0.001 {
		t.line(dim, "    ", apart(x))
	}
}

// apart spells what is shown apart from a site's serialization.
func apart(x *scan.Site) string {
	var parts []string
	if x.Own > 0.001 {
		parts = append(parts, percent(x.Own)+" of it in methods of types such as MarshalJSON")
	}
	if x.Stream > 0.001 {
		parts = append(parts, "beside it "+percent(x.Stream)+" for reading or writing the stream")
	}
	return strings.Join(parts, "; ")
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// elsewhere writes what is not at sites.
func (t *table) elsewhere() {
	if len(t.r.Elsewhere) == 0 {
		return
	}
	shown := false
	for i, e := range t.r.Elsewhere {
		share := e.CPU.Point + e.GC.Point
		if !t.o.All && (i >= 5 || share < 0.001) {
			continue
		}
		if !shown {
			t.b.WriteString("\n")
			shown = true
		}
		text := "in dependency " + e.Name
		switch e.Where {
		case "standard library":
			text = "in the standard library, " + e.Name
		case "program":
			text = "in " + e.Name + ": no site of the source agrees"
		}
		t.line(dim, "", percent(e.CPU.Point)+" CPU + "+percent(e.GC.Point)+" GC  "+e.Format+" "+text)
	}
}

// next writes what the saving is worth, and what to do first.
func (t *table) next() {
	for i, text := range sums(t.r) {
		if i == 0 {
			t.b.WriteString("\n")
		}
		t.line(bold, "", text)
	}
	if t.r.CPU != nil {
		return
	}
	t.b.WriteString("\n")
	t.line("", "", "To see what they cost, take a profile under load, and scan again:")
	t.b.WriteString("  curl -o cpu.pprof 'http://HOST:PORT/debug/pprof/profile?seconds=30'\n")
	t.b.WriteString("  zmy scan -cpu cpu.pprof\n")
	t.line(dim, "", "The service has to import net/http/pprof. Pyroscope and Parca hand out profiles, too.")
}

func (t *table) foot() {
	if len(t.r.Warnings)+len(t.r.Notes) > 0 {
		t.b.WriteString("\n")
	}
	for _, s := range t.r.Warnings {
		t.line(yellow, "", "⚠ "+s)
	}
	for _, s := range t.r.Notes {
		t.line(dim, "  ", s)
	}
	if t.o.Dir != "" {
		t.line(dim, "  ", "report "+t.o.Dir+"/"+FileHTML+" · raw "+FileJSON)
	}
}
