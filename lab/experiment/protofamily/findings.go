package protofamily

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// findings returns sentences with the conclusions from the figures: what to change first, what
// next, and what to leave. The first four are about the user's type, the others about kinds of
// fields. A change of one program comes before one that all readers and writers must make.
func (r *Result) findings() []string {
	return []string{r.first(), r.spellings(), r.deterministic(), r.otherFormat(), r.presence(), r.integers(), r.packed(),
		r.sorted(), r.texts(), r.growth()}
}

// first says what a single program can gain without changing its messages. The largest gain comes
// first. No gain is free: whatever is faster than proto.Marshal and proto.Unmarshal keeps memory or
// skips a check.
func (r *Result) first() string {
	from := r.pair(base, "fresh", "fresh")
	if from == nil {
		return base + " cannot carry this type: nothing can be held against it."
	}
	var parts []string
	for _, c := range r.Change {
		switch {
		case !c.Advise || c.Time.Verdict != run.Faster:
		case len(parts) == 0:
			parts = append(parts, fmt.Sprintf("Change first, where the care that it asks for can be had: %s. To encode and decode a message then "+
				"takes %s (%s [%s, %s] of it), with %s allocations in place of %s, and the bytes stay; mind that %s",
				c.How, less(c.Time), quantity.Share(c.Time.Median), quantity.Share(c.Time.Lo), quantity.Share(c.Time.Hi),
				quantity.Figure(c.Allocs), quantity.Figure(from.encode.Allocs+from.decode.Allocs), c.Note))
		default:
			parts = append(parts, fmt.Sprintf("%s (%s than now, %s allocations; mind that %s)", c.How, less(c.Time), quantity.Figure(c.Allocs),
				c.Note))
		}
	}
	switch len(parts) {
	case 0:
		return "Neither another library that writes the same bytes nor memory that is kept is proven to save time on this type" + r.undecided()
	case 1:
		return parts[0] + "."
	}
	return parts[0] + ". Else " + strings.Join(parts[1:], "; or ") + "."
}

// undecided names the change that looked best although the run was too short to prove it.
func (r *Result) undecided() string {
	c := experiment.First(r.Change, func(c *Change) bool {
		return c.Advise && c.Time.Verdict == run.Inconclusive && c.Time.Median < 1 && c.Time.Need > 0
	})
	if c == nil {
		return "."
	}
	return fmt.Sprintf("; %s took %s of the time, and a run about %s as long would decide (-budget, -depth).", c.What,
		quantity.Share(c.Time.Median), quantity.Times(c.Time.Need))
}

// spellings says which changes of the schema would save time, and which would cost time.
func (r *Result) spellings() string {
	by := map[string][]string{} // by verdict
	for _, c := range r.Change {
		if r.variant(c.Codec) == nil || c.Codec == row("deterministic") {
			continue
		}
		verdict, said := c.Time.Verdict, []string{less(c.Time)}
		if verdict != run.Faster && verdict != run.Slower {
			verdict, said = "", nil
		}
		if b := bytesText(c.Wire, r.pair(base, "fresh", "fresh").encode.Wire); b != "" {
			said = append(said, b)
		}
		text := c.What
		if said != nil {
			text += " (" + strings.Join(said, ", ") + ")"
		}
		by[verdict] = append(by[verdict], text)
	}
	var parts []string
	for _, p := range []struct{ verdict, text string }{{run.Faster, "saves time: "}, {run.Slower, "costs time: "},
		{"", "no difference of time that is proven: "}} {
		if by[p.verdict] != nil {
			parts = append(parts, p.text+experiment.List(by[p.verdict]))
		}
	}
	return experiment.Sentence("Of other spellings of this schema — ", parts)
}

// bytesText says how the size changes, or returns "" if it does not.
func bytesText(now, was float64) string {
	if was == 0 || math.Abs(now/was-1) < 0.0005 {
		return ""
	}
	if now < was {
		return fmt.Sprintf("%s fewer bytes", quantity.Share(1-now/was))
	}
	return fmt.Sprintf("%s more bytes", quantity.Share(now/was-1))
}

// less puts a ratio of times into words: 37% less time.
func less(x Ratio) string {
	switch x.Verdict {
	case run.Faster:
		return quantity.Share(1-x.Median) + " less time"
	case run.Slower:
		return quantity.Share(x.Median-1) + " more time"
	case run.Tied:
		return "as much time"
	}
	return "no other time that is proven"
}

// deterministic says what sorting the keys of maps costs on this type.
func (r *Result) deterministic() string {
	c := experiment.First(r.Change, func(c *Change) bool { return c.Codec == row("deterministic") })
	if c == nil {
		return ""
	}
	return fmt.Sprintf("Option Deterministic: encoding a message takes %s; it sorts the keys of maps, and promises equal bytes within one "+
		"program only.", less(c.Encode))
}

// otherFormat compares the codecs of other formats, in mode fresh, with protobuf in mode fresh.
func (r *Result) otherFormat() string {
	var parts []string
	for _, codec := range r.Beside {
		c := r.change(codec + onOwn)
		if c == nil {
			continue
		}
		s := fmt.Sprintf("%s takes %s (%s of it [%s, %s])", c.What, less(c.Time), quantity.Share(c.Time.Median), quantity.Share(c.Time.Lo),
			quantity.Share(c.Time.Hi))
		if b := bytesText(c.Wire, r.pair(base, "fresh", "fresh").encode.Wire); b != "" {
			s += ", " + b
		}
		parts = append(parts, s)
	}
	return experiment.Sentence("Where all ends are yours, another format: ", parts)
}

// presence summarises the table of optional and wrapped fields.
func (r *Result) presence() string {
	var parts []string
	for _, v := range []struct{ codec, name string }{{row("optional"), "an optional field"}, {row("wrapper"), "a wrapped one"}} {
		var spans []string
		for _, op := range experiment.Ops {
			spans = append(spans, r.span(v.codec, op)+" to "+op)
		}
		wire, n := 0.0, 0
		for _, name := range r.names(aboutPresence) {
			if plain, l := r.at(aboutPresence, name, base, "encode"), r.at(aboutPresence, name, v.codec, "encode"); l != nil {
				wire, n = wire+(l.Wire-plain.Wire)/l.Per, n+1
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s takes %s, and %s bytes more", v.name, experiment.List(spans),
				quantity.Figure(math.Round(10*wire/float64(n))/10)))
		}
	}
	return experiment.Sentence("Beyond a plain field that is set ", parts)
}

// span returns how much more time a field takes than a plain one, from the least to the most over
// the kinds of fields. It skips kinds for which no difference is proven.
func (r *Result) span(codec, op string) string {
	lo, hi, shown, all := math.Inf(1), 0.0, 0, 0
	for _, name := range r.names(aboutPresence) {
		plain, l := r.at(aboutPresence, name, base, op), r.at(aboutPresence, name, codec, op)
		if plain == nil || l == nil {
			continue
		}
		all++
		if m := l.more(plain); m.Lo > 0 {
			lo, hi, shown = min(lo, m.Median), max(hi, m.Median), shown+1
		}
	}
	switch {
	case shown == 0:
		return "no time that shows"
	case shown < all:
		return fmt.Sprintf("up to %s", quantity.Time(hi))
	}
	return fmt.Sprintf("%s to %s", quantity.Time(lo), quantity.Time(hi))
}

// integers says for which values other encodings take fewer bytes.
func (r *Result) integers() string {
	var parts []string
	for _, f := range []form{{row("zigzag"), "sint64"}, {row("fixed"), "sfixed64"}} {
		var where []string
		for _, name := range r.names(aboutIntegers) {
			plain, l := r.at(aboutIntegers, name, base, "encode"), r.at(aboutIntegers, name, f.codec, "encode")
			if plain != nil && l != nil && l.wireEach() < plain.wireEach() {
				where = append(where, fmt.Sprintf("%s (%s in place of %s)", name, quantity.Figure(l.wireEach()), quantity.Figure(plain.wireEach())))
			}
		}
		if len(where) > 0 {
			parts = append(parts, f.name+" takes fewer bytes than int64 for values of "+strings.Join(where, "; "))
		}
	}
	return experiment.Sentence("Integers: ", parts)
}

// packed says what lists cost if they are not packed.
func (r *Result) packed() string {
	var parts []string
	for _, name := range r.names(aboutLists) {
		plain := r.at(aboutLists, name, base, "encode")
		e, d := r.at(aboutLists, name, row("unpacked"), "encode"), r.at(aboutLists, name, row("unpacked"), "decode")
		if e != nil && d != nil {
			parts = append(parts, fmt.Sprintf("of %s %s the bytes, %s the time to encode and %s to decode", name, quantity.Times(e.Wire/plain.Wire),
				quantity.Times(e.Ratio.Median), quantity.Times(d.Ratio.Median)))
		}
	}
	return experiment.Sentence("Lists that are not packed take, ", parts)
}

// sorted says what option Deterministic costs for maps with few entries and with many. The more
// entries a map has, the more time sorting takes per entry.
func (r *Result) sorted() string {
	names := r.names(aboutMaps)
	if len(names) == 0 {
		return ""
	}
	var parts []string
	for _, name := range []string{names[0], names[len(names)-1]} {
		if l := r.at(aboutMaps, name, row("deterministic"), "encode"); l != nil {
			parts = append(parts, fmt.Sprintf("%s the time with %s", quantity.Times(l.Ratio.Median), name))
		}
	}
	return "Option Deterministic, by the entries of a map: " + experiment.List(parts) + "."
}

// texts says what checking strings for UTF-8 costs.
func (r *Result) texts() string {
	names, parts := r.names(aboutTexts), []string(nil)
	if len(names) == 0 {
		return ""
	}
	for _, op := range experiment.Ops {
		for _, name := range names {
			if l := r.at(aboutTexts, name, row("unchecked"), op); l != nil && l.Ratio.Hi < 1 {
				parts = append(parts, fmt.Sprintf("%s of %s for strings of %s", quantity.Share(1-l.Ratio.Median), op, name))
			}
		}
	}
	if len(parts) == 0 {
		return "What the check for UTF-8 takes cannot be told from noise by this run."
	}
	return "The check for UTF-8 takes " + experiment.List(parts) + "."
}

// growth names the codecs in which one more field costs least and most, and says how much.
func (r *Result) growth() string {
	var parts []string
	for _, op := range experiment.Ops {
		least, most := experiment.Extremes(r.Codecs, func(codec string) (float64, bool) {
			e, ok := r.more(factorFields, codec, op)
			return e.Median, ok && e.Lo > 0
		})
		if least.Name != most.Name {
			parts = append(parts, fmt.Sprintf("%s in %s, %s in %s to %s it", quantity.Time(least.Value), least.Name,
				quantity.Time(most.Value), most.Name, op))
		}
	}
	return experiment.Sentence("A scalar field more takes ", parts)
}
