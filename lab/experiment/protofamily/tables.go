package protofamily

import (
	"cmp"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

func (r *Result) tables() []run.Table {
	return append(append([]run.Table{r.changeTable(), r.modeTable()}, r.kindTables()...), r.growthTable())
}

// changeTable shows what each change would be worth.
func (r *Result) changeTable() run.Table {
	t := run.Table{Title: "What would change",
		Note: "Against proto.Marshal and proto.Unmarshal of Google's generated messages (" + base + ", mode fresh), in the same rounds: a " +
			"message encoded and decoded. A message's conversion from and to types of yours is not in it; what stands beside the family " +
			"needs none. Fields are those of your type that another spelling changes. A gain or a loss is proven beyond what two processes " +
			"of one program differ by, and after Holm's correction."}
	add := func(what string, both, encode, decode run.Item, wire, allocated float64, fields run.Item, who, note string) {
		t.Add(run.Text(what).Under("change", ""),
			both.Under("both", run.UnitTimes).Means("time of encode and decode together, of what it was"),
			encode.Under("encode", run.UnitTimes), decode.Under("decode", run.UnitTimes), run.Num(wire).Under("bytes", run.UnitBytes),
			allocs(allocated).Under("allocs", "").Means("of encode and decode together"), fields.Under("fields", run.UnitCount),
			run.Text(who).Under("who changes", ""), run.Text(note).Under("mind that", ""))
	}
	if from := r.pair(base, "fresh", "fresh"); from != nil {
		one := run.Num(1)
		add("as it is", one, one, one, from.encode.Wire, from.encode.Allocs+from.decode.Allocs, run.Text("–"), "–", "–")
	}
	for _, c := range r.Change {
		fields, who := run.Text("–"), "one program"
		if v := r.variant(c.Codec); v != nil {
			fields = run.Num(float64(v.Fields))
		}
		if c.Kind == KindFormat {
			who = "all that read or write"
		}
		add(c.What, marked(c.Time), marked(c.Encode), marked(c.Decode), c.Wire, c.Allocs, fields, who, cmp.Or(c.Note, "–"))
	}
	return t
}

// marked formats a ratio, and marks it as a proven gain, a proven loss, or undecided.
func marked(x Ratio) run.Item {
	i := run.Est(x.Estimate)
	i.Mark = map[string]string{run.Faster: "good", run.Slower: "bad", run.Inconclusive: "doubt"}[x.Verdict]
	return i
}

// modeTable shows all modes of all rows: fresh, reused and pooled.
func (r *Result) modeTable() run.Table {
	t := run.Table{Title: "Fresh, reused and pooled",
		Note: "Rows without -native convert from and to your type. append: into a kept buffer; reused: into a message that was decoded " +
			"before; pooled: from the library's pool; alias: strings and bytes point into the input."}
	for _, op := range experiment.Ops {
		for _, l := range r.Own {
			if l.Op == op && l.Codec != again && r.variant(l.Codec) == nil {
				t.Add(run.Text(l.Codec).Under("codec", ""), run.Text(l.Op).Under("op", ""), run.Text(l.Mode).Under("mode", ""),
					run.Est(l.CPU).Under("time", run.UnitNS), allocs(l.Allocs).Under("allocs", ""),
					run.Num(l.Bytes).Under("allocated", run.UnitBytes), run.Num(l.Wire).Under("bytes", run.UnitBytes))
			}
		}
	}
	return t
}

// allocs rounds to hundredths, because a garbage collection that empties a pool adds a fraction of
// an allocation per operation.
func allocs(n float64) run.Item { return run.Num(float64(int(100*n+0.5)) / 100) }
