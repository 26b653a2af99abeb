package fit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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

// Lines returns a description of every path of a subject.
func (s *Subject) Lines() []Line {
	var out []Line
	s.Root.Walk("", func(path string, n *Node, presence float64) bool {
		if path == "" {
			path = "."
		}
		kinds := n.kinds()
		if n.Null > 0 && n.Null < n.Seen {
			kinds = append(kinds, "null")
		}
		presence *= float64(n.Seen-min(n.Null, n.Seen)) / float64(max(n.Seen, 1))
		out = append(out, Line{path, strings.Join(kinds, " or "), presence, n.spread()})
		return true
	})
	return out
}

// kinds names the kinds of values at a node.
func (n *Node) kinds() []string {
	var out []string
	add := func(ok bool, kind string) {
		if ok {
			out = append(out, kind)
		}
	}
	add(n.False+n.True > 0, "bool")
	add(n.Number != nil, "number")
	add(n.String != nil, "string")
	add(n.List != nil, "list")
	if n.Object != nil {
		o := n.Object.View()
		add(o.Map == nil || len(o.Members) > 0, "object")
		add(o.Map != nil, "map")
	}
	add(n.Opaque > 0, "opaque")
	add(n.Null == n.Seen, "null")
	return slices.Clip(out)
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
	if n.Number != nil {
		add(n.Number.describe())
	}
	if n.String != nil {
		add(n.String.describe())
	}
	if n.Distinct != nil && (n.Number == nil || n.Number.Values == nil) && (n.String == nil || n.String.Values == nil) {
		add(fmt.Sprintf("about %.0f distinct", n.Distinct.Count()))
	}
	if n.List != nil {
		add("length " + n.List.Length.describe())
	}
	if n.Object != nil {
		o := n.Object.View()
		if len(o.Members) > 0 || o.Map == nil {
			add(fmt.Sprintf("%d members", len(o.Members)))
		}
		if o.Map != nil {
			add("entries " + o.Map.Size.describe())
			if o.Map.Keys != nil {
				add("keys: " + o.Map.Keys.describe())
			}
		}
	}
	return strings.Join(parts, "; ")
}

// describe names the bins of the 5%, 50% and 95% quantiles.
func (h Hist) describe() string {
	if len(h) == 1 {
		return strconv.Itoa(h[0].At)
	}
	return fmt.Sprintf("%d · %d · %d", h.quantile(0.05), h.quantile(0.5), h.quantile(0.95))
}

func (q quantiles) text() string {
	if len(q) == 1 {
		return brief(q[0])
	}
	return fmt.Sprintf("%s · %s · %s", brief(q.At(0.05)), brief(q.At(0.5)), brief(q.At(0.95)))
}

func brief(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func (f *Number) describe() string {
	if f.Values != nil {
		if form := numberFormOf(f); form != nil {
			return form.describe()
		}
	}
	var parts []string
	if f.Bits.N() > 0 {
		parts = append(parts, "integers of "+f.Bits.describe()+" bits")
	}
	if n := f.Exponent.N(); n > 0 {
		parts = append(parts, fmt.Sprintf("%s decimal places", f.Decimals.describe()))
	}
	return strings.Join(parts, ", ")
}

func (f *numberForm) describe() string {
	switch {
	case len(f.values) > 0:
		return weights(f.values)
	case f.places == 0:
		return "integers " + f.spread.text()
	case f.places > 0:
		return fmt.Sprintf("%d decimal places, %s", f.places, f.spread.text())
	}
	return f.spread.text()
}

// weights names the three most frequent values.
func weights(list []Value) string {
	var n uint64
	for _, w := range list {
		n = sum(&n, w.N)
	}
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

func (f *String) describe() string {
	if f.Values != nil {
		if form := stringFormOf(f); form != nil {
			return form.describe()
		}
	}
	names := slices.SortedFunc(maps.Keys(f.Classes), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Classes[b].N, f.Classes[a].N), strings.Compare(a, b))
	})
	var out []string
	for _, class := range names[:min(3, len(names))] {
		c := f.Classes[class]
		s := fmt.Sprintf("%s of %s bytes", class, c.Length.describe())
		if c.Times != nil {
			s = fmt.Sprintf("%s of %d to %d", class, c.Times.From, c.Times.To)
		}
		if len(names) > 1 {
			s = fmt.Sprintf("%.0f%% %s", 100*float64(c.N)/float64(max(f.N, 1)), s)
		}
		out = append(out, s)
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("%d more classes", more))
	}
	return strings.Join(out, ", ")
}

func (f *stringForm) describe() string {
	switch f.form {
	case formVocabulary:
		return weights(f.values)
	case formTime:
		day := func(sec float64) string { return time.Unix(int64(sec), 0).UTC().Format(time.DateOnly) }
		return fmt.Sprintf("times %s to %s", day(f.span.At(0)), day(f.span.At(1)))
	case formDecimal:
		return "in quotes: " + f.number.describe()
	case formMask:
		return fmt.Sprintf("%d characters such as %.40q", len(f.mask), f.examples[0])
	case formBase64:
		return "base64 of bytes, length " + f.length.text()
	case formTemplate:
		return fmt.Sprintf("%d patterns, %d words, length %s", len(f.template), len(f.words.values), f.length.text())
	}
	return fmt.Sprintf("text of words %s, vocabulary %d", f.count.text(), len(f.words.values))
}
