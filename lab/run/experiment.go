package run

import (
	"encoding/json"
	"slices"
	"time"
)

// Experiment is the result of one experiment, which a run has in addition to the codec table:
// latency, sweep, contention … It describes its tables and charts as data, so that every report
// draws all experiments by the same few forms.
type Experiment struct {
	Name     string    `json:"name"`     // the subcommand: latency
	Title    string    `json:"title"`    // "Latency under load"
	Question string    `json:"question"` // what it answers, one sentence
	Command  []string  `json:"command"`  // the exact arguments that repeat it
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Depth    string    `json:"depth,omitempty"` // quick | standard | paper
	Host     Host      `json:"host"`            // it can be run later than the table, elsewhere
	Partial  bool      `json:"partial,omitempty"`

	Findings []string `json:"findings"`           // conclusions, most important first, one sentence each
	Warnings []string `json:"warnings,omitempty"` // doubts a reader must know
	Absent   []string `json:"absent,omitempty"`   // what this machine cannot show, and why: "cache misses: no hardware counters"
	Tables   []Table  `json:"tables,omitempty"`
	Charts   []Chart  `json:"charts,omitempty"`

	Data json.RawMessage `json:"data,omitempty"` // the data of tables and charts, in the experiment's own form
}

// Table is rows of text and numbers under typed columns.
type Table struct {
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"`
	Columns []Column `json:"columns"`
	Rows    [][]Item `json:"rows"`

	// Rounds, if not 0, says that Lo and Hi of items are the least and the largest of so many
	// rounds, and not 95% intervals.
	Rounds int `json:"rounds,omitempty"`
}

// Column is the head of a column and what its numbers are.
type Column struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"` // one of the units below
	Help string `json:"help,omitempty"` // explanation for a reader who does not know the term
}

// Units of columns and axes. Numbers are stored in the unit's base; the report chooses the multiple
// that it shows.
const (
	UnitNone   = ""      // text, or a number spelled as it is
	UnitNS     = "ns"    // nanoseconds, shown as ns, µs, ms or s
	UnitBytes  = "bytes" // shown as B, KiB or MiB
	UnitRate   = "B/s"   // bytes per second
	UnitOps    = "op/s"  // operations per second
	UnitCount  = "count" // whole numbers
	UnitTimes  = "times" // a ratio: 1.23×
	UnitShare  = "share" // 0.12 is 12%
	UnitInstrs = "instr" // instructions
)

// Item is a cell of a table: a text, or a number, with an interval if one is known.
type Item struct {
	Text  string   `json:"text,omitempty"`
	Value *float64 `json:"value,omitempty"` // nil: only a text, or unknown
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	Mark  string   `json:"mark,omitempty"` // "" | good | bad | doubt: how it is set off
}

// Kinds of charts.
const (
	ChartLines   = "lines"   // series of points over a numeric x
	ChartBars    = "bars"    // one bar for each category and series
	ChartHeatmap = "heatmap" // a matrix: series are rows, categories columns
	ChartScatter = "scatter" // points without lines
	ChartFlame   = "flame"   // a tree of frames
)

// Chart is a drawing of numbers.
type Chart struct {
	Kind       string   `json:"kind"`
	Title      string   `json:"title"`
	Note       string   `json:"note,omitempty"`
	X          Axis     `json:"x"`
	Y          Axis     `json:"y"`
	Categories []string `json:"categories,omitempty"` // of bars and heatmaps
	Series     []Series `json:"series,omitempty"`
	Marks      []Mark   `json:"marks,omitempty"`
	Flame      *Frame   `json:"flame,omitempty"`
	Beside     bool     `json:"beside,omitempty"` // shown together with the chart before it
}

// Axis describes an axis of a chart.
type Axis struct {
	Name string `json:"name,omitempty"`
	Unit string `json:"unit,omitempty"`
	Log  bool   `json:"log,omitempty"`
}

// Series is one line, one colour of bars, or one row of a heatmap.
type Series struct {
	Name  string    `json:"name"`
	X     []float64 `json:"x,omitempty"` // of lines and scatters; others go by Categories
	Y     []float64 `json:"y"`
	Lo    []float64 `json:"lo,omitempty"` // 95% interval, as long as Y or empty
	Hi    []float64 `json:"hi,omitempty"`
	Void  []bool    `json:"void,omitempty"` // points that are not valid, as long as Y or empty
	Faint bool      `json:"faint,omitempty"`
}

// Mark is a line across a chart at an x: a knee, a capacity.
type Mark struct {
	X    float64 `json:"x"`
	Text string  `json:"text"`
}

// Frame is a function of a flame graph with the functions that it called.
type Frame struct {
	Name  string   `json:"name"`
	Value float64  `json:"value"`           // its own value and that of the functions it called
	Delta float64  `json:"delta,omitempty"` // value minus that of the base, in a differential graph
	Calls []*Frame `json:"calls,omitempty"`
}

// Num returns an Item that holds a number.
func Num(v float64) Item { return Item{Value: &v} }

// Est returns an Item that holds an estimate with its interval.
func Est(e Estimate) Item { return Between(e.Median, e.Lo, e.Hi) }

// Between returns an Item that holds a number and the ends of its interval.
func Between(v, lo, hi float64) Item { return Item{Value: &v, Lo: &lo, Hi: &hi} }

// Text returns an Item that holds a text.
func Text(s string) Item { return Item{Text: s} }

// Put adds e, or replaces an earlier experiment of the same name.
func (r *Run) Put(e *Experiment) {
	if i := slices.IndexFunc(r.Experiments, func(x *Experiment) bool { return x.Name == e.Name }); i >= 0 {
		r.Experiments[i] = e
		return
	}
	r.Experiments = append(r.Experiments, e)
}
