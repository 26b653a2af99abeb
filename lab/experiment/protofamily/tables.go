package protofamily

import (
	"github.com/zmylab/zmy/lab/run"
)

func (r *Result) tables() []run.Table {
	out := []run.Table{r.changeTable(), r.modeTable(), r.presenceTable(), r.integerTable(), r.listTable(), r.mapTable(), r.textTable(), r.growthTable()}
	var full []run.Table
	for _, t := range out {
		if len(t.Rows) > 0 {
			full = append(full, t)
		}
	}
	return full
}

// changeTable is what each change would be worth.
func (r *Result) changeTable() run.Table {
	t := run.Table{Title: "What would change",
		Note: "Against proto.Marshal and proto.Unmarshal of Google's generated messages (" + base + ", mode fresh), in the same rounds: a message encoded and decoded. " +
			"A message's conversion from and to types of yours is not in it; what stands beside the family needs none. Fields are those of your type that another spelling changes. " +
			"A gain or a loss is proven beyond what two processes of one program differ by, and after Holm's correction.",
		Columns: []run.Column{{Name: "change"}, {Name: "both", Unit: run.UnitTimes, Help: "time of encode and decode together, of what it was"},
			{Name: "encode", Unit: run.UnitTimes}, {Name: "decode", Unit: run.UnitTimes}, {Name: "bytes", Unit: run.UnitBytes}, {Name: "allocs", Help: "of encode and decode together"},
			{Name: "fields", Unit: run.UnitCount}, {Name: "who changes"}, {Name: "mind that"}}}
	if from := r.pair(base, "fresh", "fresh"); from != nil {
		one := run.Num(1)
		t.Rows = append(t.Rows, []run.Item{run.Text("as it is"), one, one, one, run.Num(from.encode.Wire), allocs(from.encode.Allocs + from.decode.Allocs), run.Text("–"), run.Text("–"), run.Text("–")})
	}
	for _, c := range r.Change {
		fields, who, note := run.Text("–"), "one program", c.Note
		if v := r.variant(&c); v != nil {
			fields = run.Num(float64(v.Fields))
		}
		if c.Kind == KindFormat {
			who = "all that read or write"
		}
		if note == "" {
			note = "–"
		}
		t.Rows = append(t.Rows, []run.Item{run.Text(c.What), marked(c.Time), marked(c.Encode), marked(c.Decode), run.Num(c.Wire), allocs(c.Allocs), fields, run.Text(who), run.Text(note)})
	}
	return t
}

// marked sets a ratio off that is proven to be a gain or a loss, or may be either.
func marked(x Ratio) run.Item {
	i := run.Est(x.Estimate)
	i.Mark = map[string]string{run.Faster: "good", run.Slower: "bad", run.Inconclusive: "doubt"}[x.Verdict]
	return i
}

// modeTable has all modes of all rows: fresh, reused and pooled.
func (r *Result) modeTable() run.Table {
	t := run.Table{Title: "Fresh, reused and pooled",
		Note: "Rows without -native convert from and to your type. append: into a kept buffer; reused: into a message that was decoded before; pooled: from the library's pool; " +
			"alias: strings and bytes point into the input.",
		Columns: []run.Column{{Name: "codec"}, {Name: "op"}, {Name: "mode"}, {Name: "time", Unit: run.UnitNS}, {Name: "allocs"}, {Name: "allocated", Unit: run.UnitBytes}, {Name: "bytes", Unit: run.UnitBytes}}}
	for _, op := range ops {
		for _, l := range r.Own {
			if l.Op == op && l.Codec != again && r.variant(&Change{Codec: l.Codec}) == nil {
				t.Rows = append(t.Rows, []run.Item{run.Text(l.Codec), run.Text(l.Op), run.Text(l.Mode), run.Est(l.CPU), allocs(l.Allocs), run.Num(l.Bytes), run.Num(l.Wire)})
			}
		}
	}
	return t
}

var ops = []string{"encode", "decode"}

// allocs are rounded to hundredths: a collection in between empties pools.
func allocs(n float64) run.Item { return run.Num(float64(int(100*n+0.5)) / 100) }
