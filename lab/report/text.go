package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// JSON writes run.json, in the order of run.Run's fields, with a line break at the end. It is
// indented, except that a sample takes one line. The same run gives the same bytes.
func JSON(w io.Writer, r *run.Run) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(sampleLines.ReplaceAllFunc(b.Bytes(), func(s []byte) []byte {
		return bytes.Join(bytes.Fields(s), nil)
	}))
	return err
}

// sampleLines matches an indented sample: an object of numbers, the first of which is the launch.
var sampleLines = regexp.MustCompile(`\{\s+"l": [^{}"]+(?:"[a-z]": [^{}"]+)+\}`)

// ExperimentJSON writes one experiment as in run.json.
func ExperimentJSON(w io.Writer, x *run.Experiment) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// ReadJSON reads what JSON wrote. It refuses another version of the schema.
func ReadJSON(rd io.Reader) (*run.Run, error) {
	r := new(run.Run)
	if err := json.NewDecoder(rd).Decode(r); err != nil {
		return nil, fmt.Errorf("run.json: %w", err)
	}
	if r.Schema != run.Schema {
		return nil, fmt.Errorf("run.json: schema version %d; this program reads %d: use the zmy that wrote it (%s)", r.Schema,
			run.Schema, clean(r.Tool))
	}
	return r, nil
}

// CSV writes one line per cell: times in ns, sizes in bytes.
func CSV(w io.Writer, r *run.Run) error {
	c := csv.NewWriter(w)
	c.Write([]string{"type", "codec", "op", "mode", "ranked", "wall_ns", "wall_lo", "wall_hi", "cpu_ns", "cpu_lo", "cpu_hi", "samples",
		"bytes", "allocs", "wire_bytes", "first_ns", "ratio", "ratio_lo", "ratio_hi", "against", "instrs"})
	for _, x := range r.Cells {
		line := []string{r.Subject.Type, x.Codec, x.Op, x.Mode, fmt.Sprint(x.Rank)}
		for _, v := range []float64{x.Wall.Median, x.Wall.Lo, x.Wall.Hi, x.CPU.Median, x.CPU.Lo, x.CPU.Hi, float64(x.Wall.N),
			x.Bytes, x.Allocs, x.Wire, x.First, x.Ratio.Point, x.Ratio.Lo, x.Ratio.Hi} {
			line = append(line, plain(v))
		}
		c.Write(append(line, x.Against, plain(x.Instrs)))
	}
	c.Flush()
	return c.Error()
}

// Markdown writes the verdict, the ranking and the contenders that are missing, as text for a pull
// request or a wiki page.
func Markdown(w io.Writer, r *run.Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# zmy lab: %s\n", md(subjectName(r)))
	for i, s := range headLines(r) {
		fmt.Fprintf(&b, "%s%s  \n", map[bool]string{true: "\n"}[i == 0], md(s))
	}
	if tabled(r) {
		tableMarkdown(&b, r)
	}
	for _, e := range r.Experiments {
		fmt.Fprintf(&b, "\n## %s\n\n", md(e.Title))
		experimentMarkdown(&b, e)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tableMarkdown writes the verdict and the table of codecs.
func tableMarkdown(b *strings.Builder, r *run.Run) {
	fmt.Fprintf(b, "fidelity: %s\n\n", md(fidelity(r)))
	if doubt := stats.MadeUp(r); doubt != "" {
		fmt.Fprintf(b, "> %s\n\n", md(doubt))
	}
	if r.Partial {
		fmt.Fprintf(b, "> **Partial:** %s\n\n", md(r.PartialWhy))
	}
	fmt.Fprintf(b, "**%s**\n\n", md(r.Verdict.Sentence))
	for _, l := range r.Verdict.Losses {
		fmt.Fprintf(b, "- loses: %s\n", md(l))
	}
	formsMarkdown(b, r)
	stepsMarkdown(b, r)
	all := rows(r)
	head, rule := "", ""
	if slices.ContainsFunc(all, func(x row) bool { return x.code(r) != "" }) {
		head, rule = " code |", "--:|"
	}
	fmt.Fprintf(b, "\n| | codec | encode | × json | decode | × json | mean size | mean gzip | allocs |%s value "+
		"|\n|--:|:--|--:|--:|--:|--:|--:|--:|--:|%s:--|\n", head, rule)
	for _, x := range all {
		name := md(x.C.Name)
		if x.Rank == nil {
			name = "*" + name + "* (not ranked)"
		}
		code := ""
		if head != "" {
			code = " " + cmp.Or(x.code(r), "–") + " |"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |%s %s |\n", x.place(), name,
			duration(at(r, x.Enc)), ratio(x.Enc, true), duration(at(r, x.Dec)), ratio(x.Dec, true),
			size(x.meanSize()), size(x.C.Sizes.MeanGzip), x.allocs(), code, md(x.C.Value.Text()))
	}
	b.WriteString("\n" + marksText(r) + "± and (from–to) are 95% intervals; sizes are means; times are medians of " + clock(r) +
		" time; × json is the median over paired rounds, not the quotient of two columns.\n")
	for _, x := range rows(r) {
		if x.Rank == nil {
			fmt.Fprintf(b, "\n- %s is not ranked: %s", md(x.C.Name), md(reason(x)))
		}
	}
	for _, a := range absents(r) {
		fmt.Fprintf(b, "\n- %s %s", md(strings.Join(a.Who, ", ")), md(a.What))
	}
	for _, n := range sharedNotes(r) {
		fmt.Fprintf(b, "\n- %s", md(n))
	}
	if r.Unchosen != nil {
		fmt.Fprintf(b, "\n- not tried: %s → `-codecs all`, or -codecs with their names", md(strings.Join(r.Unchosen, ", ")))
	}
	for _, s := range stats.Doubts(r) {
		fmt.Fprintf(b, "\n- ⚠ %s", md(s))
	}
	fmt.Fprintf(b, "\n\nAgain: `%s`\n", strings.ReplaceAll(commandLine(r.Command), "`", "'"))
}

// marksText explains the marks that the table has, and no others.
func marksText(r *run.Run) string {
	var out []string
	add := func(has bool, text string) {
		if has {
			out = append(out, text)
		}
	}
	ranked := func(what func(k run.Rank) bool) bool { return slices.ContainsFunc(r.Ranking, what) }
	against := func(what string) bool {
		return slices.ContainsFunc(r.Cells, func(c *run.Cell) bool { return c.Mode == stats.Fresh && c.Op != stats.Access && c.Against == what })
	}
	add(ranked(func(k run.Rank) bool { return k.Tie != "" }), "A letter after a place marks a statistical tie")
	add(ranked(func(k run.Rank) bool { return k.Against == run.Inconclusive }),
		"? after a place marks what could not be separated from its first")
	add(against(run.Inconclusive), "? after a ratio marks what is not proven either way")
	add(against(run.Tied), "= marks a tie with encoding/json")
	if out == nil {
		return ""
	}
	return strings.Join(out, "; ") + "; "
}

// stepsMarkdown writes what to do next: numbered, with code to copy.
func stepsMarkdown(b *strings.Builder, r *run.Run) {
	if r.Verdict.Steps == nil {
		for _, n := range r.Verdict.Next {
			fmt.Fprintf(b, "- next: `%s`\n", strings.ReplaceAll(clean(n), "`", "'"))
		}
		return
	}
	for i, s := range r.Verdict.Steps {
		if c := choice(r.Verdict.Steps, i); c != "" {
			fmt.Fprintf(b, "\n**%s**\n\n", md(c))
		} else if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%d. %s\n", place(r.Verdict.Steps, i), md(title(s)))
		if lines := codeLines(s); lines != nil {
			fmt.Fprintf(b, "\n   ```%s\n", cmp.Or(map[string]string{run.StepShell: "sh"}[s.Kind], "go"))
			for _, l := range lines {
				b.WriteString(strings.TrimRight("   "+strings.ReplaceAll(l, "`", "'"), " ") + "\n")
			}
			b.WriteString("   ```\n\n")
		}
	}
}

// md escapes characters that are markup in markdown or HTML.
func md(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "&#96;", "[",
		`\[`, "]", `\]`).Replace(clean(s))
}
