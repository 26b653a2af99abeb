package protofamily

import (
	"fmt"

	"github.com/zmylab/zmy/lab/run"
)

// names are those of the sets about something, in their order.
func (r *Result) names(about string) []string {
	var out []string
	for _, l := range r.Kinds {
		if l.About == about && l.Codec == base && l.Op == "encode" {
			out = append(out, l.Name)
		}
	}
	return out
}

// form is one spelling of the schema in a table: what its columns are called.
type form struct{ codec, name string }

// forms makes a table of sets in several spellings: bytes and times for each field.
func (r *Result) forms(about string, t run.Table, first string, forms []form) run.Table {
	t.Columns = []run.Column{{Name: first}}
	for _, f := range forms {
		t.Columns = append(t.Columns, run.Column{Name: "bytes " + f.name})
	}
	for _, op := range ops {
		for _, f := range forms {
			t.Columns = append(t.Columns, run.Column{Name: op + " " + f.name, Unit: run.UnitNS})
		}
	}
	for _, name := range r.names(about) {
		row := []run.Item{run.Text(name)}
		for _, f := range forms {
			row = append(row, r.item(about, name, f.codec, "encode", func(l *SetLine) run.Item { return run.Num(l.wireEach()) }))
		}
		for _, op := range ops {
			for _, f := range forms {
				row = append(row, r.item(about, name, f.codec, op, func(l *SetLine) run.Item { return run.Est(l.each()) }))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// item is a figure of a line, or a dash where the line was not measured.
func (r *Result) item(about, name, codec, op string, figure func(*SetLine) run.Item) run.Item {
	if l := r.at(about, name, codec, op); l != nil {
		return figure(l)
	}
	return run.Text("–")
}

// presenceTable compares the ways to say of a field whether it is there.
func (r *Result) presenceTable() run.Table {
	t := run.Table{Title: "Plain, optional and wrapped fields",
		Note: fmt.Sprintf("For one field, of %d in a message, all of them set. Optional and wrapper: what they take beyond a plain field, which is the difference of messages measured in the same rounds. "+
			"A field that is zero takes nothing when it is plain, and as much as shown when it is optional or wrapped and set.", width),
		Columns: []run.Column{{Name: "kind"}, {Name: "bytes plain"}, {Name: "optional"}, {Name: "wrapper"}}}
	for _, op := range ops {
		t.Columns = append(t.Columns, run.Column{Name: op + " plain", Unit: run.UnitNS}, run.Column{Name: "optional, more", Unit: run.UnitNS}, run.Column{Name: "wrapper, more", Unit: run.UnitNS})
	}
	for _, name := range r.names(aboutPresence) {
		items := []run.Item{run.Text(name)}
		wire := func(l *SetLine) run.Item { return run.Num(l.wireEach()) }
		for _, codec := range []string{base, row("optional"), row("wrapper")} {
			items = append(items, r.item(aboutPresence, name, codec, "encode", wire))
		}
		for _, op := range ops {
			plain := r.at(aboutPresence, name, base, op)
			items = append(items, r.item(aboutPresence, name, base, op, func(l *SetLine) run.Item { return run.Est(l.each()) }))
			for _, codec := range []string{row("optional"), row("wrapper")} {
				items = append(items, r.item(aboutPresence, name, codec, op, func(l *SetLine) run.Item { return unlessZero(l.more(plain)) }))
			}
		}
		t.Rows = append(t.Rows, items)
	}
	return t
}

// unlessZero marks a difference that may be none.
func unlessZero(e run.Estimate) run.Item {
	i := run.Est(e)
	if e.Lo <= 0 && e.Hi >= 0 {
		i.Mark = "doubt"
	}
	return i
}

// unlessOne marks a ratio that may be none.
func unlessOne(e run.Estimate) run.Item {
	i := run.Est(e)
	if e.Lo <= 1 && e.Hi >= 1 {
		i.Mark = "doubt"
	}
	return i
}

func (r *Result) integerTable() run.Table {
	return r.forms(aboutIntegers, run.Table{Title: "Integers by their magnitude",
		Note: fmt.Sprintf("For one field of 64 bits, of %d in a message, its tag included: int64 (varint), sint64 (zigzag), sfixed64.", width)},
		"values", []form{{base, "int64"}, {row("zigzag"), "sint64"}, {row("fixed"), "sfixed64"}})
}

func (r *Result) listTable() run.Table {
	return r.forms(aboutLists, run.Table{Title: "Packed lists", Note: fmt.Sprintf("For one element, of %d in a list. proto3 packs by default, proto2 does not.", length)},
		"elements", []form{{base, "packed"}, {row("unpacked"), "unpacked"}})
}

// mapTable is what the order of keys costs.
func (r *Result) mapTable() run.Table {
	t := run.Table{Title: "Option Deterministic", Note: "proto.MarshalOptions{Deterministic: true} writes maps in the order of their keys, here strings of 12 letters. Decode is the same.",
		Columns: []run.Column{{Name: "entries"}, {Name: "encode, any order", Unit: run.UnitNS}, {Name: "deterministic", Unit: run.UnitNS}, {Name: "times", Unit: run.UnitTimes}, {Name: "more an entry", Unit: run.UnitNS}}}
	codec := row("deterministic")
	for _, name := range r.names(aboutMaps) {
		plain, sorted := r.at(aboutMaps, name, base, "encode"), r.at(aboutMaps, name, codec, "encode")
		if sorted == nil {
			continue
		}
		t.Rows = append(t.Rows, []run.Item{run.Text(name), run.Est(plain.CPU), run.Est(sorted.CPU), unlessOne(sorted.Ratio), unlessZero(sorted.more(plain))})
	}
	return t
}

// textTable is what the check of strings costs.
func (r *Result) textTable() run.Table {
	t := run.Table{Title: "Checking strings for UTF-8",
		Note: fmt.Sprintf("Messages of %d strings. Unchecked is the same schema in edition 2023 with features.utf8_validation = NONE, or one of proto2; the bytes are the same.", width),
		Columns: []run.Column{{Name: "strings"}, {Name: "encode", Unit: run.UnitNS}, {Name: "unchecked", Unit: run.UnitTimes, Help: "of the time with the check"},
			{Name: "decode", Unit: run.UnitNS}, {Name: "unchecked", Unit: run.UnitTimes, Help: "of the time with the check"}}}
	codec := row("unchecked")
	for _, name := range r.names(aboutTexts) {
		row := []run.Item{run.Text(name)}
		for _, op := range ops {
			row = append(row, r.item(aboutTexts, name, base, op, func(l *SetLine) run.Item { return run.Est(l.CPU) }),
				r.item(aboutTexts, name, codec, op, func(l *SetLine) run.Item { return unlessOne(l.Ratio) }))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
