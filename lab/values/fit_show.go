package values

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Line describes one path of a fit for people.
type Line struct {
	Path     string
	Kind     string  // number, string; string or null
	Presence float64 // share of the surrounding objects that have it and not null
	Text     string  // distribution
}

// Lines returns a description of every path of a fit.
func (f *Fit) Lines() []Line {
	var out []Line
	f.Root.Walk("", func(path string, n *Node, presence float64) bool {
		if path == "" {
			path = "."
		}
		kinds := n.kinds()
		if n.Null > 0 && n.Null < n.Seen {
			kinds = append(kinds, "null")
		}
		out = append(out, Line{path, strings.Join(kinds, " or "), presence * float64(n.Seen-n.Null) / float64(max(n.Seen, 1)), n.spread()})
		return true
	})
	return out
}

func (n *Node) spread() string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if b := n.False + n.True; b > 0 {
		add(fmt.Sprintf("true %.0f%%", 100*float64(n.True)/float64(b)))
	}
	add(n.Number.text())
	add(n.String.text())
	if n.List != nil {
		add("length " + n.List.Length.text())
	}
	if o := n.Object; o != nil && o.IsMap() {
		add("entries " + o.Size.text() + ", keys: " + o.Keys.text())
	} else if o != nil {
		add(fmt.Sprintf("%d members", len(o.Members)))
	}
	return strings.Join(parts, "; ")
}

// text returns the 5%, 50% and 95% quantiles.
func (q Quantiles) text() string {
	if len(q) == 1 {
		return brief(q[0])
	}
	return fmt.Sprintf("%s · %s · %s", brief(q.At(0.05)), brief(q.At(0.5)), brief(q.At(0.95)))
}

func brief(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func (f *NumberFit) text() string {
	switch {
	case f == nil:
		return ""
	case len(f.Values) > 0:
		return weights(f.Values, f.N)
	case f.Places == 0:
		return "integers " + f.Spread.text()
	case f.Places > 0:
		return fmt.Sprintf("%d decimal places, %s", f.Places, f.Spread.text())
	}
	return f.Spread.text()
}

// weights names the three most frequent values of a vocabulary.
func weights(list []Weighted, n int) string {
	var out []string
	for _, w := range list[:min(3, len(list))] {
		out = append(out, fmt.Sprintf("%.24q %.0f%%", w.Value, 100*float64(w.N)/float64(max(n, 1))))
	}
	s := strings.Join(out, ", ")
	if more := len(list) - len(out); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

func (f *StringFit) text() string {
	if f == nil {
		return ""
	}
	switch f.Form {
	case FormVocabulary:
		s := weights(f.Values, f.N)
		if f.Zipf > 0 {
			s += fmt.Sprintf(" (Zipf %.2f)", f.Zipf)
		}
		return s
	case FormTime:
		day := func(sec float64) string { return time.Unix(int64(sec), 0).UTC().Format(time.DateOnly) }
		return fmt.Sprintf("times %s to %s", day(f.Span.At(0)), day(f.Span.At(1)))
	case FormDecimal:
		return "in quotes: " + f.Number.text()
	case FormMask:
		return fmt.Sprintf("%d characters such as %.40q", len(f.Mask), f.Examples[0])
	case FormBase64:
		return "base64 of bytes, length " + f.Length.text()
	case FormTemplate:
		return fmt.Sprintf("%d patterns, %d words, length %s", len(f.Template), len(f.Words.Values), f.Length.text())
	}
	return fmt.Sprintf("text of words %s, vocabulary %d (Zipf %.2f)", f.Count.text(), len(f.Words.Values), f.Words.Zipf)
}
