package protofamily

import (
	"fmt"

	"github.com/zmylab/zmy/lab/run"
)

// names returns the names of the sets about a subject, in their order.
func (r *Result) names(about string) []string {
	var out []string
	for _, l := range r.Kinds {
		if l.About == about && l.Codec == base && l.Op == "encode" {
			out = append(out, l.Name)
		}
	}
	return out
}

// form is one spelling of the schema; name is its name in the columns of a table.
type form struct{ codec, name string }

// forms makes a table that compares spellings of the schema: bytes and times per field.
func (r *Result) forms(about, title, note, first string, forms []form) run.Table {
	t := run.Table{Title: title, Note: note}
	for _, name := range r.names(about) {
		row := []run.Figure{run.Text(name).Under(first, "")}
		for _, f := range forms {
			row = append(row, r.item(about, name, f.codec, "encode", wire).Under("bytes "+f.name, ""))
		}
		for _, op := range ops {
			for _, f := range forms {
				row = append(row, r.item(about, name, f.codec, op, each).Under(op+" "+f.name, run.UnitNS))
			}
		}
		t.Add(row...)
	}
	return t
}

// The bytes and the time of one field, as figures of a line.
func wire(l *SetLine) run.Item { return run.Num(l.wireEach()) }
func each(l *SetLine) run.Item { return run.Est(l.each()) }

// item returns a figure of a line, or a dash if the line was not measured.
func (r *Result) item(about, name, codec, op string, figure func(*SetLine) run.Item) run.Item {
	if l := r.at(about, name, codec, op); l != nil {
		return figure(l)
	}
	return run.Text("–")
}

// presenceTable compares plain fields with the two kinds that record whether they are set.
func (r *Result) presenceTable() run.Table {
	t := run.Table{Title: "Plain, optional and wrapped fields",
		Note: fmt.Sprintf("For one field, of %d in a message, all of them set. Optional and wrapper: what they take beyond a plain field, "+
			"which is the difference of messages measured in the same rounds. A field that is zero takes nothing when it is plain, and "+
			"as much as shown when it is optional or wrapped and set.", width)}
	for _, name := range r.names(aboutPresence) {
		figures := []run.Figure{run.Text(name).Under("kind", ""),
			r.item(aboutPresence, name, base, "encode", wire).Under("bytes plain", ""),
			r.item(aboutPresence, name, row("optional"), "encode", wire).Under("optional", ""),
			r.item(aboutPresence, name, row("wrapper"), "encode", wire).Under("wrapper", "")}
		for _, op := range ops {
			plain := r.at(aboutPresence, name, base, op)
			figures = append(figures, r.item(aboutPresence, name, base, op, each).Under(op+" plain", run.UnitNS))
			for _, kind := range []string{"optional", "wrapper"} {
				more := func(l *SetLine) run.Item { return unlessZero(l.more(plain)) }
				figures = append(figures, r.item(aboutPresence, name, row(kind), op, more).Under(kind+", more", run.UnitNS))
			}
		}
		t.Add(figures...)
	}
	return t
}

// unlessZero marks a difference as doubtful if its interval includes 0.
func unlessZero(e run.Estimate) run.Item { return run.Est(e).Marked("doubt", e.Lo <= 0 && e.Hi >= 0) }

// unlessOne marks a ratio as doubtful if its interval includes 1.
func unlessOne(e run.Estimate) run.Item { return run.Est(e).Marked("doubt", e.Lo <= 1 && e.Hi >= 1) }

func (r *Result) integerTable() run.Table {
	return r.forms(aboutIntegers, "Integers by their magnitude",
		fmt.Sprintf("For one field of 64 bits, of %d in a message, its tag included: int64 (varint), sint64 (zigzag), sfixed64.", width),
		"values", []form{{base, "int64"}, {row("zigzag"), "sint64"}, {row("fixed"), "sfixed64"}})
}

func (r *Result) listTable() run.Table {
	return r.forms(aboutLists, "Packed lists", fmt.Sprintf("For one element, of %d in a list. proto3 packs by default, proto2 does not.",
		length),
		"elements", []form{{base, "packed"}, {row("unpacked"), "unpacked"}})
}

// mapTable shows what sorting the keys of maps costs.
func (r *Result) mapTable() run.Table {
	t := run.Table{Title: "Option Deterministic", Note: "proto.MarshalOptions{Deterministic: true} writes maps in the order of their keys, " +
		"here strings of 12 letters. Decode is the same."}
	for _, name := range r.names(aboutMaps) {
		plain, sorted := r.at(aboutMaps, name, base, "encode"), r.at(aboutMaps, name, row("deterministic"), "encode")
		if sorted == nil {
			continue
		}
		t.Add(run.Text(name).Under("entries", ""), run.Est(plain.CPU).Under("encode, any order", run.UnitNS),
			run.Est(sorted.CPU).Under("deterministic", run.UnitNS), unlessOne(sorted.Ratio).Under("times", run.UnitTimes),
			unlessZero(sorted.more(plain)).Under("more an entry", run.UnitNS))
	}
	return t
}

// textTable shows what checking strings costs.
func (r *Result) textTable() run.Table {
	t := run.Table{Title: "Checking strings for UTF-8",
		Note: fmt.Sprintf("Messages of %d strings. Unchecked is the same schema in edition 2023 with features.utf8_validation = NONE, or "+
			"one of proto2; the bytes are the same.", width)}
	time, ratio := func(l *SetLine) run.Item { return run.Est(l.CPU) }, func(l *SetLine) run.Item { return unlessOne(l.Ratio) }
	for _, name := range r.names(aboutTexts) {
		figures := []run.Figure{run.Text(name).Under("strings", "")}
		for _, op := range ops {
			figures = append(figures, r.item(aboutTexts, name, base, op, time).Under(op, run.UnitNS),
				r.item(aboutTexts, name, row("unchecked"), op, ratio).Under("unchecked", run.UnitTimes).Means("of the time with the check"))
		}
		t.Add(figures...)
	}
	return t
}
