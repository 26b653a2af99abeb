package compat

import (
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/scan/compat/side"
)

// Operations.
const (
	OpMarshal   = "marshal"
	OpUnmarshal = "unmarshal"
)

// How much errors have to agree.
const (
	ErrorsNone = "none" // error or not
	ErrorsType = "type" // also the types that errors.As finds
	ErrorsText = "text" // also the texts
)

// otherText is the class of errors of which only the texts differ.
const otherText = "text of an error"

// verdict is one difference between the outcomes of one call.
type verdict struct {
	op    string
	class string // "null → []", "written → error: …"
	path  string
	more  string // what else tells groups of one class apart: the text of an error
	from  string // what each side did
	to    string
	fails bool // the second side returns an error: other differences are hidden behind it
}

func (v *verdict) key() [4]string { return [4]string{v.op, v.class, v.path, v.more} }

// judge compares the outcomes of one call.
type judge struct {
	errors string
	namer  *namer
}

// marshalled compares what two sides wrote for a value. full says whether the outcomes have the
// bytes; if not, the only verdict may be that they differ.
func (j *judge) marshalled(a, b *side.Outcome, full bool) (out []verdict) {
	add := func(class, path, from, to string, fails bool) {
		out = append(out, verdict{op: OpMarshal, class: class, path: path, from: from, to: to, fails: fails})
	}
	switch {
	case a.OK() && !b.OK():
		add("written → "+refusal(b), "", clip(a.Out), b.Err, true)
	case !a.OK() && b.OK():
		add(refusal(a)+" → written", "", a.Err, clip(b.Out), false)
	case !a.OK():
		out = j.errs(OpMarshal, a, b)
	case b.Unstable && !full:
		add("other bytes", "", "", "", false)
	case b.Unstable:
		out = j.unsteady(a, b)
	case a.Sum == b.Sum && a.Len == b.Len:
	case !full:
		add("other bytes", "", "", "", false)
	default:
		out = j.differing(a, b)
	}
	return out
}

// unsteady compares the bytes of the first side with two results of the second side, which differ
// from each other.
func (j *judge) unsteady(a, b *side.Outcome) []verdict {
	other := *b
	other.Out = b.Other
	out := append(j.differing(a, b), j.differing(a, &other)...)
	for i := range out {
		if out[i].class == membersMoved {
			out[i].class = membersMoved + ": the same at each call → another from call to call"
		}
	}
	if len(out) == 0 {
		out = []verdict{{op: OpMarshal, class: "the same bytes at each call → other bytes from call to call", from: clip(a.Out), to: clip(b.Out)}}
	}
	return out
}

func (j *judge) differing(a, b *side.Outcome) (out []verdict) {
	for _, d := range documents(a.Out, b.Out, j.namer) {
		out = append(out, verdict{op: OpMarshal, class: d.class, path: d.path, from: d.from, to: d.to})
	}
	return out
}

// unmarshalled compares what two sides read from a document.
func (j *judge) unmarshalled(p *probe, a, b *side.Outcome, full bool) (out []verdict) {
	add := func(class, from, to string, fails bool) {
		out = append(out, verdict{op: OpUnmarshal, class: p.how + ": " + class, path: p.path, from: from, to: to, fails: fails})
	}
	switch {
	case a.OK() && !b.OK():
		add("read → "+word(b), filled(a.Lines), b.Err, true)
		if full {
			out[0].more = plain(b.Err)
		}
	case !a.OK() && b.OK():
		add(word(a)+" → read", a.Err, filled(b.Lines), false)
	case !a.OK():
		out = j.errs(OpUnmarshal, a, b)
	case a.Sum == b.Sum:
	case !full:
		add("another value", "", "", false)
	default:
		from, to := lines(a.Lines, b.Lines)
		add("another value", from, to, false)
	}
	return out
}

// errs compares two errors. Both sides refused: the differences are those that programs see which
// look at the error.
func (j *judge) errs(op string, a, b *side.Outcome) (out []verdict) {
	add := func(class string) {
		out = append(out, verdict{op: op, class: class, from: a.Err, to: b.Err})
	}
	if word(a) != word(b) {
		add(word(a) + " → " + word(b))
		return out
	}
	if j.errors == ErrorsNone {
		return nil
	}
	var gone []string
	for _, t := range a.Types {
		if public(t) && !slices.Contains(b.Types, t) {
			gone = append(gone, short(t))
		}
	}
	var come []string
	for _, t := range b.Types {
		if public(t) && !slices.Contains(a.Types, t) {
			come = append(come, short(t))
		}
	}
	switch {
	case len(gone) > 0 && len(come) > 0:
		add("type of an error: " + strings.Join(gone, ", ") + " → " + strings.Join(come, ", "))
	case len(gone) > 0:
		add("type of an error: " + strings.Join(gone, ", ") + " → another one")
	case j.errors == ErrorsText && a.Err != b.Err:
		add(otherText)
	}
	return out
}

// public reports whether programs look for an error of this type by errors.As: exported types of
// the standard library's JSON packages, and sentinels.
func public(t string) bool {
	t = strings.TrimLeft(t, "*")
	return strings.HasPrefix(t, "io: ") || strings.HasPrefix(t, "encoding/json") && !strings.Contains(t, "/internal/")
}

func short(t string) string {
	star := len(t) - len(strings.TrimLeft(t, "*"))
	return t[:star] + t[strings.LastIndexByte(t, '/')+1:]
}

// word names an outcome that is not a result.
func word(o *side.Outcome) string {
	switch {
	case o.Dead:
		return "the program dies"
	case o.Panic:
		return "panic"
	}
	return "error"
}

// refusal names an outcome that is not a result, with its reason.
func refusal(o *side.Outcome) string { return word(o) + ": " + plain(o.Err) }

var (
	quotedText = regexp.MustCompile(`"[^"]*"`)
	within     = regexp.MustCompile(` within "[^"]*"`)
	digits     = regexp.MustCompile(`[0-9]+`)
	after      = regexp.MustCompile(` after (offset|line) .*$`)
)

// plain returns the text of an error without what depends on the value.
func plain(text string) string {
	text = within.ReplaceAllString(firstLine(text), "")
	text = after.ReplaceAllString(text, "")
	text = digits.ReplaceAllString(quotedText.ReplaceAllString(text, "…"), "N")
	const most = 100
	return clipTo(text, most)
}

func clipTo(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// lines returns the first lines in which two spelt values differ.
func lines(a, b []string) (from, to string) {
	inA, inB := map[string]bool{}, map[string]bool{}
	for _, l := range a {
		inA[l] = true
	}
	for _, l := range b {
		inB[l] = true
	}
	return firstLines(without(a, inB)), firstLines(without(b, inA))
}

func without(all []string, those map[string]bool) (out []string) {
	for _, l := range all {
		if !those[l] {
			out = append(out, l)
		}
	}
	return out
}

// filled shows the parts of a value that are not zero.
func filled(all []string) string {
	var out []string
	for _, l := range all {
		_, v, _ := strings.Cut(l, " = ")
		switch v {
		case `""`, "0", "nil", "false", "{}", "0001-01-01T00:00:00Z":
		default:
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return "read; nothing in the value is set"
	}
	return firstLines(out)
}

func firstLines(all []string) string {
	const most = 3
	if len(all) == 0 {
		return "(nothing more)"
	}
	out := strings.Join(all[:min(len(all), most)], "; ")
	if len(all) > most {
		out += "; …"
	}
	return clip(out)
}
