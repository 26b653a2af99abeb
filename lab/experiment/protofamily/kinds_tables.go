package protofamily

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// names returns the names of the sets about a topic, in their order.
func (r *Result) names(about string) (out []string) {
	for _, l := range r.Kinds {
		if l.About == about && l.Codec == base && l.Op == "encode" {
			out = append(out, l.Name)
		}
	}
	return out
}

// column is a figure of one spelling of the schema, in one operation.
type column struct {
	name, unit, help string
	codec, op        string
	figure           func(l, plain *SetLine) run.Item // plain is the line of the plain spelling
}

// The figures of columns.
var (
	wire  = func(l, _ *SetLine) run.Item { return run.Num(l.wireEach()) } // bytes per field
	each  = func(l, _ *SetLine) run.Item { return run.Est(l.each()) }     // time per field
	whole = func(l, _ *SetLine) run.Item { return run.Est(l.CPU) }        // time per message
	more  = func(l, plain *SetLine) run.Item { return experiment.UnlessZero(l.more(plain)) }
	ratio = func(l, _ *SetLine) run.Item {
		return run.Est(l.Ratio).Marked("doubt", l.Ratio.Lo <= 1 && l.Ratio.Hi >= 1)
	}
)

// compared adds a row to t for each set about a topic. first is the head of the column with the
// names of the sets.
func (r *Result) compared(about, first string, t run.Table, columns []column) run.Table {
	for _, name := range r.names(about) {
		row := []run.Figure{run.Text(name).Under(first, "")}
		for _, c := range columns {
			x := run.Text("–")
			if l := r.at(about, name, c.codec, c.op); l != nil {
				x = c.figure(l, r.at(about, name, base, c.op))
			}
			row = append(row, x.Under(c.name, c.unit).Means(c.help))
		}
		t.Add(row...)
	}
	return t
}

// form is one spelling of the schema; name is its name in the columns of a table.
type form struct{ codec, name string }

// sideBySide has columns for the bytes and times of a field in each of the forms.
func sideBySide(forms ...form) (columns []column) {
	for _, f := range forms {
		columns = append(columns, column{"bytes " + f.name, "", "", f.codec, "encode", wire})
	}
	for _, op := range experiment.Ops {
		for _, f := range forms {
			columns = append(columns, column{op + " " + f.name, run.UnitNS, "", f.codec, op, each})
		}
	}
	return columns
}

// kindTables returns a table for each topic of the sets.
func (r *Result) kindTables() []run.Table {
	presence := []column{{"bytes plain", "", "", base, "encode", wire}, {"optional", "", "", row("optional"), "encode", wire},
		{"wrapper", "", "", row("wrapper"), "encode", wire}}
	var texts []column
	for _, op := range experiment.Ops {
		presence = append(presence, column{op + " plain", run.UnitNS, "", base, op, each},
			column{"optional, more", run.UnitNS, "", row("optional"), op, more}, column{"wrapper, more", run.UnitNS, "", row("wrapper"), op, more})
		texts = append(texts, column{op, run.UnitNS, "", base, op, whole},
			column{"unchecked", run.UnitTimes, "of the time with the check", row("unchecked"), op, ratio})
	}
	return []run.Table{
		r.compared(aboutPresence, "kind", run.Table{Title: "Plain, optional and wrapped fields",
			Note: fmt.Sprintf("For one field, of %d in a message, all of them set. Optional and wrapper: what they take beyond a plain field, "+
				"which is the difference of messages measured in the same rounds. A field that is zero takes nothing when it is plain, and "+
				"as much as shown when it is optional or wrapped and set.", width)}, presence),
		r.compared(aboutIntegers, "values", run.Table{Title: "Integers by their magnitude",
			Note: fmt.Sprintf("For one field of 64 bits, of %d in a message, its tag included: int64 (varint), sint64 (zigzag), sfixed64.", width)},
			sideBySide(form{base, "int64"}, form{row("zigzag"), "sint64"}, form{row("fixed"), "sfixed64"})),
		r.compared(aboutLists, "elements", run.Table{Title: "Packed lists",
			Note: fmt.Sprintf("For one element, of %d in a list. proto3 packs by default, proto2 does not.", length)},
			sideBySide(form{base, "packed"}, form{row("unpacked"), "unpacked"})),
		r.compared(aboutMaps, "entries", run.Table{Title: "Option Deterministic",
			Note: "proto.MarshalOptions{Deterministic: true} writes maps in the order of their keys, here strings of 12 letters. Decode is " +
				"the same."}, []column{{"encode, any order", run.UnitNS, "", base, "encode", whole},
			{"deterministic", run.UnitNS, "", row("deterministic"), "encode", whole},
			{"times", run.UnitTimes, "", row("deterministic"), "encode", ratio},
			{"more an entry", run.UnitNS, "", row("deterministic"), "encode", more}}),
		r.compared(aboutTexts, "strings", run.Table{Title: "Checking strings for UTF-8",
			Note: fmt.Sprintf("Messages of %d strings. Unchecked is the same schema in edition 2023 with features.utf8_validation = NONE, or "+
				"one of proto2; the bytes are the same.", width)}, texts),
	}
}
