// Package claims compares what others have published about the speed of codecs with what the lab
// measures. A claim names cells and tables of committed runs. The figures are read from there
// whenever the table is drawn; they are never written by hand.
//
// NOTE, the map: claims.go is the model and its reader, eval.go finds the figures in runs and
// checks the verdicts, table.go draws Markdown.
package claims

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// Claim is one published statement.
type Claim struct {
	ID         string    `yaml:"id"`
	Row        string    `yaml:"row"`        // row of the requirements' table: M2
	Claim      string    `yaml:"claim"`      // what was published, figures included
	Conditions string    `yaml:"conditions"` // conditions of the publication, as far as they are known
	Figures    []*Figure `yaml:"figures"`
	Verdict    string    `yaml:"verdict"`
	Why        string    `yaml:"why"` // the verdict in words: conditions and differences
}

// The verdicts on a claim.
const (
	Confirmed   = "confirmed"   // every figure holds
	Refuted     = "refuted"     // every figure fails
	Conditional = "conditional" // some figures hold; or they hold under the conditions in Why
	Undecided   = "undecided"   // no figure holds, and for some the run cannot decide
	Untestable  = "untestable"  // Why says what is missing
)

var verdicts = []string{Confirmed, Refuted, Conditional, Undecided, Untestable}

// Figure is a published number, and where to find the lab's own.
type Figure struct {
	What      string   `yaml:"what"`
	Published *float64 `yaml:"published"`
	Unit      string   `yaml:"unit"` // unit of both numbers: times | MB/s | ns | op/s | allocs | bytes | share | count
	// AtMost inverts the comparison: the measured figure holds if it is not above the published
	// one.
	AtMost bool   `yaml:"at_most"`
	Run    string `yaml:"run"` // folder that holds run.json, relative to the file of claims

	// A cell of the table of codecs: codec/op/mode. With Than, the figure is the time of cell Than
	// ÷ the time of Cell, or the other way round in the unit share. Of names another quantity of the cell: wire is the mean size of its
	// messages, allocs and bytes are what one operation allocates. A quotient of these is that of
	// Cell ÷ that of Than.
	Cell string `yaml:"cell"`
	Than string `yaml:"than"`
	Of   string `yaml:"of"`
	// Or an item of an experiment's table. Line is what stands in a row's first columns: a text, or
	// a number and a text, as in "1000 zmy". Column is the head of a column. With Over or OverColumn, the figure is the item in row Over and column
	// OverColumn ÷ the item in Line and Column. Either of them is by default that of the divisor.
	Experiment string `yaml:"experiment"`
	Table      string `yaml:"table"`
	Line       string `yaml:"line"`
	Column     string `yaml:"column"`
	Over       string `yaml:"over"`
	OverColumn string `yaml:"over_column"`
}

// quotient reports whether the figure is one number divided by another.
func (f *Figure) quotient() bool { return f.Than != "" || f.Over != "" || f.OverColumn != "" }

// units lists the units of figures, quantities what Of can name.
var (
	units      = []string{"times", "MB/s", "ns", "op/s", "allocs", "bytes", "share", "count"}
	quantities = []string{"wire", "allocs", "bytes"}
)

// Parse reads a file of claims. Its error lists all mistakes.
func Parse(data []byte) ([]*Claim, error) {
	var all []*Claim
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("claims: %w", err)
	}
	var errs []error
	seen := map[string]bool{}
	for i, c := range all {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("claims: %d (%s): %s", i+1, c.ID, fmt.Sprintf(format, args...)))
		}
		switch {
		case c.ID == "" || c.Row == "" || c.Claim == "":
			bad("id, row and claim are needed")
		case seen[c.ID]:
			bad("an earlier claim has this id")
		case !slices.Contains(verdicts, c.Verdict):
			bad("verdict %q: write one of %q", c.Verdict, verdicts)
		case c.Why == "":
			bad("a verdict needs its why")
		case (c.Verdict == Untestable) != (len(c.Figures) == 0):
			bad("figures are for claims that can be tested, and those need some")
		}
		seen[c.ID] = true
		for _, f := range c.Figures {
			if err := f.check(); err != nil {
				bad("%s: %v", f.What, err)
			}
		}
	}
	if len(all) == 0 {
		errs = append(errs, errors.New("claims: none found"))
	}
	return all, errors.Join(errs...)
}

func (f *Figure) check() error {
	cell, table := f.Cell != "", f.Experiment != ""
	switch {
	case f.What == "" || f.Run == "":
		return errors.New("what and run are needed")
	case !slices.Contains(units, f.Unit):
		return fmt.Errorf("unit %q: write one of %q", f.Unit, units)
	case cell == table:
		return errors.New("name either a cell or an experiment with table, line and column")
	case table && (f.Table == "" || f.Line == "" || f.Column == ""):
		return errors.New("an experiment needs table, line and column")
	case cell && (f.Over != "" || f.OverColumn != "") || table && (f.Than != "" || f.Of != ""):
		return errors.New("than and of go with a cell, over and over_column with an experiment's table")
	case f.Of != "" && !slices.Contains(quantities, f.Of):
		return fmt.Errorf("of %q: write one of %q", f.Of, quantities)
	case f.quotient() && f.Unit != "times" && f.Unit != "share":
		return fmt.Errorf("a quotient has the unit times or share, not %s", f.Unit)
	case (f.Unit == "times" || f.Unit == "share") && cell && f.Than == "":
		return fmt.Errorf("%s of what: name the cell to compare with as than", f.Unit)
	}
	return nil
}
