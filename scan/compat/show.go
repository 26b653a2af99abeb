package compat

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// JSON writes the result as JSON.
func (r *Result) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// Count returns how many types have a status.
func (r *Result) Count(status string) (n int) {
	for _, t := range r.Types {
		if t.Status == status {
			n++
		}
	}
	return n
}

// Unsure reports whether something about a type that does not differ could not be tested.
func (r *Result) Unsure() bool {
	return slices.ContainsFunc(r.Types, func(t *Type) bool { return t.Status == NotTried || t.Status == Same && len(t.Untested) > 0 })
}

// View says how a result is printed.
type View struct {
	Width int  // columns; 0: 80
	All   bool // all classes and paths, and not only the first ones
}

// Text prints the result for a terminal.
func (r *Result) Text(w io.Writer, v View) error {
	if v.Width <= 0 {
		v.Width = 80
	}
	p := &printer{View: v}
	p.wrap("", fmt.Sprintf("%s → %s", r.From, r.To))
	p.line("")
	for _, t := range r.Types {
		p.typ(t)
		p.line("")
	}
	var parts []string
	for _, s := range []string{Differs, Same, NotTried} {
		if n := r.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", group3(n), map[string]string{Differs: "DIFFERS", Same: "same", NotTried: "untested"}[s]))
		}
	}
	p.line(count(len(r.Types), "type") + ": " + strings.Join(parts, ", ") + fmt.Sprintf("; seed %d", r.Seed))
	_, err := io.WriteString(w, p.b.String())
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		return group3(n) + " " + what + "es"
	}
	return group3(n) + " " + what + "s"
}

// group3 writes a number with commas between thousands.
func group3(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

type printer struct {
	View
	b strings.Builder
}

// line prints a line, shortened to the width.
func (p *printer) line(text string) {
	text = printable(text)
	if utf8.RuneCountInString(text) > p.Width {
		text = clipTo(text, p.Width)
	}
	p.b.WriteString(strings.TrimRight(text, " ") + "\n")
}

// printable replaces what a terminal might take for a command.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return '\ufffd'
		}
		return r
	}, s)
}

// wrap prints text in as many lines as it takes; lines after the first are indented by the length of
// head.
func (p *printer) wrap(head, text string) {
	room := max(20, p.Width-utf8.RuneCountInString(head))
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			p.line(head + line)
			head, line = strings.Repeat(" ", utf8.RuneCountInString(head)), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	p.line(head + line)
}

// mostShown is the number of classes or paths that are printed together.
const mostShown = 3

func (p *printer) typ(t *Type) {
	tried := fmt.Sprintf("on %s and %s", count(t.Values, "value"), count(t.Tried-min(t.Tried, t.Values), "other call"))
	switch t.Status {
	case Differs:
		blocks := t.blocks()
		p.wrap("", fmt.Sprintf("%s  %s: %s of differences %s", t.Name, Differs, count(len(t.Differences), "class"), tried))
		for _, b := range blocks {
			p.block(b)
		}
		p.keeps(t)
	case Same:
		p.wrap("", fmt.Sprintf("%s  same %s", t.Name, tried))
	default:
		p.line(fmt.Sprintf("%s  untested", t.Name))
		if t.Failure != nil {
			p.wrap("  ", t.Failure.Error())
		}
	}
	n := len(t.Untested)
	for i, u := range t.Untested {
		if i == mostShown && !p.All && n > mostShown+1 {
			p.line(fmt.Sprintf("  untested  and %d more places; -v names them", n-i))
			break
		}
		p.wrap("  untested  ", u.Where+": "+u.Why)
	}
}

// blocks groups differences with the same remedy.
func (t *Type) blocks() (out [][]Difference) {
	at := map[string]int{}
	for _, d := range t.Differences {
		k := fmt.Sprint(d.Op, d.Only, d.Pins)
		if len(d.Pins) == 0 {
			k = fmt.Sprint(d.Op, d.Only, d.Class)
		}
		if _, ok := at[k]; !ok {
			at[k], out = len(out), append(out, nil)
		}
		out[at[k]] = append(out[at[k]], d)
	}
	return out
}

var verbs = map[string]string{OpMarshal: "  writes ", OpUnmarshal: "  reads  "}

func (p *printer) block(b []Difference) {
	d := &b[0]
	head := verbs[d.Op]
	for i := range b {
		if i == mostShown && !p.All {
			p.line(fmt.Sprintf("         and %s like these; -v lists them", count(len(b)-i, "class")))
			break
		}
		p.wrap(head, b[i].Class+"  at "+p.paths(&b[i]))
		head = "         "
	}
	const in = "           "
	switch {
	case d.Example.Document != "" && d.Example.Into != "":
		p.line(in + "into  " + d.Example.Into)
		p.line(in + "reads " + d.Example.Document)
	case d.Op == OpUnmarshal:
		p.line(in + "reads " + d.Example.Document)
	case d.Example.Form == "value":
		p.line(in + "value " + d.Example.Value + " (passed without &)")
	default:
		p.line(in + "value " + d.Example.Value)
	}
	p.line(in + "old   " + orNothing(d.Example.From))
	p.line(in + "new   " + orNothing(d.Example.To))
	switch {
	case len(d.Pins) > 0:
		var all []string
		for _, s := range d.Pins {
			all = append(all, spelt(s))
		}
		text := strings.Join(all, ", ")
		if d.Tag != "" {
			text += "; or the struct tag " + d.Tag
		}
		p.wrap(in+"keep  ", text)
	default:
		p.line(in + "keep  no option restores it")
	}
}

func orNothing(s string) string {
	if s == "" {
		return "(left out)"
	}
	return s
}

func (p *printer) paths(d *Difference) string {
	if len(d.Paths) <= mostShown+1 || p.All {
		return strings.Join(d.Paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(d.Paths[:mostShown], ", "), len(d.Paths)-mostShown)
}

// keeps says what restores the old result of a whole type.
func (p *printer) keeps(t *Type) {
	if len(t.Pins) == 0 {
		return
	}
	var all []string
	for _, s := range t.Pins {
		all = append(all, spelt(s))
	}
	what := "nothing differs any more with"
	if t.Left > 0 {
		what = fmt.Sprintf("%s of differences %s with", count(t.Left, "class"), map[bool]string{true: "stays", false: "stay"}[t.Left == 1])
	}
	p.wrap("  verified ", what+" "+strings.Join(all, ", "))
	if len(t.Pins) > 1 && strings.Contains(t.Pins[0]+t.Pins[1], "json") && !strings.HasPrefix(t.Pins[0], "GOEXPERIMENT") {
		p.wrap("           ", "json.DefaultOptionsV1() sets all options of version 1")
	}
}
