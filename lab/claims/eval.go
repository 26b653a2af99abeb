package claims

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// NOTE: a figure is found in its run (cell, item), and then compared with the published one
// (judge). Eval derives the verdict that the figures allow, and refuses a claim whose written
// verdict says more or less.

// slack is the share of a published figure, or of a gain, that must be reached for it to hold. It
// is below 1 since not all conditions of a publication are known, and machines differ.
const slack = 0.8

// leastRounds is the least number of rounds whose range counts as an interval. A round is above or
// below the median with equal probability. So the median lies within the range of five rounds in 15
// of 16 cases, and of three rounds in 3 of 4.
const leastRounds = 5

// State says whether the measured figure supports the published one.
type State int

const (
	Unjudged State = iota // nothing was published
	Unknown               // the interval contains the threshold, or the run marks the figure as doubtful
	Holds                 // the whole interval reaches what was published
	Fails                 // the whole interval misses what was published
)

// Measured is a figure with the lab's own value.
type Measured struct {
	*Figure
	Value  float64
	Lo, Hi float64 // 95% interval, or the range of rounds; both 0 if there is none
	Few    bool    // Lo and Hi are the range of fewer than leastRounds rounds, which the method text does not show
	Doubt  bool    // the run marks the figure as uncertain
	State  State
}

// Eval finds the figures of a claim in the runs below dir. It returns an error if the verdict does
// not fit the figures.
func (c *Claim) Eval(dir fs.FS) ([]Measured, error) { return c.eval(&runs{dir: dir}) }

func (c *Claim) eval(from *runs) ([]Measured, error) {
	var out []Measured
	count := map[State]int{}
	for _, f := range c.Figures {
		m, err := f.eval(from)
		if err != nil {
			return nil, fmt.Errorf("claims: %s: %s: %w", c.ID, f.What, err)
		}
		count[m.State]++
		out = append(out, m)
	}
	want := Conditional
	judged := len(out) - count[Unjudged]
	switch {
	case c.Verdict == Untestable || c.Verdict == Conditional && count[Holds] > 0:
		want = c.Verdict // a condition in Why may limit a claim although all its figures hold
	case judged == 0:
		return nil, fmt.Errorf("claims: %s: no figure has a published one beside it", c.ID)
	case count[Holds] == judged:
		want = Confirmed
	case count[Fails] == judged:
		want = Refuted
	case count[Holds] == 0:
		want = Undecided
	}
	if c.Verdict != want {
		return nil, fmt.Errorf("claims: %s: of %d figures %d hold and %d fail, which is %s, not %s", c.ID, judged, count[Holds],
			count[Fails], want, c.Verdict)
	}
	return out, nil
}

// runs reads each run once.
type runs struct {
	dir  fs.FS
	read map[string]*run.Run // by folder
}

// of returns the run in the folder.
func (r *runs) of(folder string) (*run.Run, error) {
	if got := r.read[folder]; got != nil {
		return got, nil
	}
	data, err := fs.ReadFile(r.dir, path.Join(folder, "run.json"))
	if err != nil {
		return nil, err
	}
	got := new(run.Run)
	if err := json.Unmarshal(data, got); err != nil {
		return nil, err
	}
	if r.read == nil {
		r.read = map[string]*run.Run{}
	}
	r.read[folder] = got
	return got, nil
}

func (f *Figure) eval(from *runs) (Measured, error) {
	r, err := from.of(f.Run)
	if err != nil {
		return Measured{}, err
	}
	m := Measured{Figure: f}
	if f.Cell != "" {
		err = m.cell(r)
	} else {
		err = m.item(r)
	}
	if err != nil {
		return Measured{}, err
	}
	m.State = m.judge()
	return m, nil
}

// judge compares the figure and both ends of its interval with the threshold.
func (m *Measured) judge() State {
	if m.Published == nil {
		return Unjudged
	}
	state := m.state(m.Value)
	if m.Doubt || m.spread() && (m.state(m.Lo) != state || m.state(m.Hi) != state) {
		return Unknown
	}
	return state
}

// spread reports whether an interval or a range is known.
func (m *Measured) spread() bool { return m.Lo != 0 || m.Hi != 0 }

// state returns the state that the number v alone would have.
func (m *Measured) state(v float64) State {
	holds := false
	switch p := *m.Published; {
	case m.Unit == "allocs" || m.Unit == "bytes": // counts do not depend on the machine
		holds = m.AtMost && v <= p || !m.AtMost && v >= p
	case m.AtMost:
		holds = v*slack <= p
	case m.Unit == "times" && p == 1: // "faster", without a figure
		holds = v > 1
	case m.Unit == "times" && p > 1: // the gain of 1.21 times is 0.21
		holds = v-1 >= slack*(p-1)
	default:
		holds = v >= p*slack
	}
	if holds {
		return Holds
	}
	return Fails
}

// cell takes the figure from the table of codecs.
func (m *Measured) cell(r *run.Run) error {
	c, err := find(r, m.Cell)
	if err != nil {
		return err
	}
	if m.Of != "" {
		return m.count(r, c)
	}
	t := stats.TimeOf(r, c)
	switch m.Unit {
	case "times", "share":
		than, err := find(r, m.Than)
		if err != nil {
			return err
		}
		m.Value = stats.TimeOf(r, than).Median / t.Median
		if x := stats.Compared(r, than.Samples, c.Samples, r.Clock, 1); x.N > 0 {
			m.Value, m.Lo, m.Hi = x.Point, x.Lo, x.Hi
		}
		if strings.HasPrefix(m.Than, run.Baseline+"/") && strings.HasSuffix(m.Than, "/fresh") {
			m.Value, m.Lo, m.Hi = c.Ratio.Point, c.Ratio.Lo, c.Ratio.Hi // from paired rounds, with its interval
		}
		if m.Unit == "share" {
			m.Value, m.Lo, m.Hi = 1/m.Value, inverse(m.Hi), inverse(m.Lo)
		}
	case "MB/s":
		if c.Wire == 0 {
			return fmt.Errorf("%s has no size", m.Cell)
		}
		m.Value, m.Lo, m.Hi = 1e3*c.Wire/t.Median, 1e3*c.Wire/t.Hi, 1e3*c.Wire/t.Lo
	case "ns":
		m.Value, m.Lo, m.Hi = t.Median, t.Lo, t.Hi
	case "op/s":
		m.Value, m.Lo, m.Hi = 1e9/t.Median, 1e9/t.Hi, 1e9/t.Lo
	case "allocs":
		m.Value = c.Allocs
	case "bytes":
		m.Value = c.Bytes
	default:
		return fmt.Errorf("a cell has no %s", m.Unit)
	}
	return nil
}

// inverse returns 1/x, and 0, which stands for an unknown bound, for itself.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

// count takes the figure from a quantity of the cell that has no interval.
func (m *Measured) count(r *run.Run, c *run.Cell) error {
	of := func(c *run.Cell) float64 {
		switch m.Of {
		case "wire":
			return c.Wire
		case "allocs":
			return c.Allocs
		}
		return c.Bytes
	}
	m.Value = of(c)
	if m.Than == "" {
		return nil
	}
	than, err := find(r, m.Than)
	if err != nil {
		return err
	}
	if of(than) == 0 {
		return fmt.Errorf("%s has no %s to divide by", m.Than, m.Of)
	}
	m.Value /= of(than)
	return nil
}

// find returns the cell with the name codec/op/mode.
func find(r *run.Run, name string) (*run.Cell, error) {
	var have []string
	for _, c := range r.Cells {
		full := c.Codec + "/" + c.Op + "/" + c.Mode
		if full == name {
			return c, nil
		}
		have = append(have, full)
	}
	return nil, fmt.Errorf("no cell %s in the run, which has %s", name, strings.Join(have, " "))
}

// item takes the figure from an experiment's table.
func (m *Measured) item(r *run.Run) error {
	i := slices.IndexFunc(r.Experiments, func(e *run.Experiment) bool { return e.Name == m.Experiment })
	if i < 0 {
		return fmt.Errorf("no experiment %s in the run", m.Experiment)
	}
	for _, t := range r.Experiments[i].Tables {
		if t.Title != m.Table {
			continue
		}
		it, err := look(&t, m.Line, m.Column)
		if err != nil {
			return err
		}
		m.Value, m.Doubt, m.Few = *it.Value, it.Mark == "doubt", t.Rounds > 0 && t.Rounds < leastRounds
		if it.Lo != nil && it.Hi != nil {
			m.Lo, m.Hi = *it.Lo, *it.Hi
		}
		if m.quotient() {
			over, err := look(&t, cmp.Or(m.Over, m.Line), cmp.Or(m.OverColumn, m.Column))
			if err != nil {
				return err
			}
			m.divide(over)
		}
		return nil
	}
	return fmt.Errorf("no table %q in experiment %s", m.Table, m.Experiment)
}

// divide makes m the quotient of over ÷ m. The interval of a quotient reaches from its least value
// to its largest one within the intervals of both: at least as far as it should. It has no upper
// bound if the divisor may be 0 or less, as a cost that is estimated may be.
func (m *Measured) divide(over *run.Item) {
	v, lo, hi := *over.Value, *over.Value, *over.Value
	known := m.spread() || over.Lo != nil && over.Hi != nil
	if over.Lo != nil && over.Hi != nil {
		lo, hi = *over.Lo, *over.Hi
	}
	by, least, most := m.Value, m.Value, m.Value
	if m.spread() {
		least, most = m.Lo, m.Hi
	}
	m.Doubt = m.Doubt || over.Mark == "doubt" || by <= 0 && v <= 0
	m.Value, m.Lo, m.Hi = v/by, 0, 0
	if by <= 0 {
		m.Value = math.Inf(1)
	}
	if !known {
		return
	}
	m.Lo, m.Hi = lo/most, hi/least
	if lo < 0 {
		m.Lo = lo / least
	}
	if least <= 0 {
		m.Hi = math.Inf(1)
		if lo < 0 {
			m.Lo = math.Inf(-1)
		}
	}
}

// look returns the item in the given column of the row whose heading is line. It returns an error
// if the item is no number.
func look(t *run.Table, line, column string) (*run.Item, error) {
	k := slices.IndexFunc(t.Columns, func(c run.Column) bool { return c.Name == column })
	if k < 0 {
		return nil, fmt.Errorf("no column %q in table %q", column, t.Title)
	}
	row, err := rowOf(t, line)
	if err != nil {
		return nil, err
	}
	if k >= len(row) || row[k].Value == nil {
		return nil, fmt.Errorf("%q has no number in column %q", line, column)
	}
	return &row[k], nil
}

// rowOf returns the row whose heading is line, or the only one whose heading starts with the words
// of line: a heading may end in what the run found out, such as the model that fits best.
func rowOf(t *run.Table, line string) ([]run.Item, error) {
	var found [][]run.Item
	for _, row := range t.Rows {
		h := heading(row)
		if h == line {
			return row, nil
		}
		if strings.HasPrefix(h, line+" ") {
			found = append(found, row)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("no line %q in table %q", line, t.Title)
	}
	return nil, fmt.Errorf("%d lines start with %q in table %q", len(found), line, t.Title)
}

// heading returns the cells at the start of a row, joined by spaces: numbers that stand before any
// text, such as a rate, and the texts up to the next number.
func heading(row []run.Item) string {
	var words []string
	texts := false
	for _, it := range row {
		if it.Text != "" && it.Value == nil {
			texts = true
			words = append(words, it.Text)
			continue
		}
		if it.Value == nil || texts {
			break
		}
		words = append(words, strconv.FormatFloat(*it.Value, 'f', -1, 64))
	}
	return strings.Join(words, " ")
}
