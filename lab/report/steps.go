package report

import (
	"strings"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/run"
)

// nextSteps returns what to do next. In runs of earlier versions these are lines of text.
func nextSteps(r *run.Run) []run.Step {
	if r.Verdict.Steps != nil {
		return r.Verdict.Steps
	}
	var out []run.Step
	for _, s := range r.Verdict.Next {
		codec, text, _ := strings.Cut(s, ": ")
		out = append(out, run.Step{Codecs: []string{codec}, Kind: run.StepHand, Do: text})
	}
	return out
}

// choice returns the heading of the steps that begin with the i-th: "JSON must stay: fxjson". It is
// empty within the steps of one pick, and for steps that are for all.
func choice(all []run.Step, i int) string {
	if s := all[i]; s.When != "" && (i == 0 || all[i-1].When != s.When) {
		return clean(s.When + ": " + strings.Join(s.Codecs, ", "))
	}
	return ""
}

// place returns the number of the i-th step, which begins anew with each choice.
func place(all []run.Step, i int) int {
	n := 1
	for ; i > 0 && all[i-1].When == all[i].When; i-- {
		n++
	}
	return n
}

// title returns a step in words: "zmy, fxjson: Install the generator". Below a choice it does not
// name the codec.
func title(s run.Step) string {
	text := clean(s.Do)
	if s.When == "" {
		text = clean(strings.Join(s.Codecs, ", ") + ": " + s.Do)
	}
	if s.File != "" {
		text += " · " + clean(s.File)
	}
	return text
}

// codeLines returns the lines of a step's code, cleaned, without the last line break.
func codeLines(s run.Step) []string {
	if s.Code == "" {
		return nil
	}
	lines := strings.Split(strings.TrimRight(s.Code, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(strings.ReplaceAll(l, "\t", tabMark)), tabMark, "    ")
	}
	return lines
}

// stepBlock is a step with its code cleaned for the HTML page.
type stepBlock struct {
	run.Step
	Text string
}

// stepList is the steps of one choice.
type stepList struct {
	Choice string
	Steps  []stepBlock
}

func stepLists(all []run.Step) []stepList {
	var out []stepList
	for i, s := range all {
		if place(all, i) == 1 {
			out = append(out, stepList{Choice: choice(all, i)})
		}
		last := &out[len(out)-1]
		last.Steps = append(last.Steps, stepBlock{s, strings.Join(codeLines(s), "\n")})
	}
	return out
}

// tabMark takes the place of a tab while a line is cleaned.
const tabMark = "\ue000"

// steps writes numbered steps. Commands that are too long for a line are continued with a
// backslash, so that they can be copied into a shell.
func (t *table) steps(all []run.Step) {
	const indent = "         "
	for i, s := range all {
		lead := map[bool]string{true: "next", false: "    "}[i == 0]
		if c := choice(all, i); c != "" {
			t.line(bold, "  %s %s", map[bool]string{true: "next", false: "or  "}[i == 0], c)
			lead = "    "
		}
		t.line("", "  %s %s", lead, itoa(place(all, i))+" "+title(s))
		for _, l := range codeLines(s) {
			if s.Kind == run.StepShell {
				for _, part := range continued(l, t.width-len(indent)) {
					t.b.WriteString(t.p.paint(green, indent+part) + "\n")
				}
				continue
			}
			t.b.WriteString(t.p.paint(green, strings.TrimRight(indent+Fit(l, t.width-len(indent)), " ")) + "\n")
		}
	}
}

// continued breaks a shell command into lines of at most width runes, at spaces outside of quotes.
// All lines but the last end in a backslash.
func continued(line string, width int) []string {
	var out []string
	lead := ""
	for utf8.RuneCountInString(lead+line) > width {
		at, quoted := -1, false
		for i, r := range line {
			if r == '\'' {
				quoted = !quoted
			}
			fits := utf8.RuneCountInString(lead+line[:i])+2 <= width
			if r == ' ' && !quoted && i > 0 && (fits || at < 0) {
				at = i
			}
			if !fits && at >= 0 {
				break
			}
		}
		if at < 0 {
			break // the next word alone is longer
		}
		out = append(out, lead+line[:at]+" \\")
		line, lead = strings.TrimLeft(line[at:], " "), "  "
	}
	return append(out, lead+line)
}
