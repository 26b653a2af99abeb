package claims

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// slack is how much of a published figure, or gain, must be reached for it to hold: published
// conditions are never known to the last one, and machines differ.
const slack = 0.8

// Measured is a figure with what the lab found.
type Measured struct {
	*Figure
	Value  float64
	Lo, Hi float64 // 95% interval, both 0 when there is none
	Holds  bool    // against Published; false where nothing was published
}

// Eval finds the figures of a claim in the runs below dir, and says whether the
// verdict fits them.
func (c *Claim) Eval(dir fs.FS) ([]Measured, error) {
	var out []Measured
	judged, hold := 0, 0
	for _, f := range c.Figures {
		m, err := f.eval(dir)
		if err != nil {
			return nil, fmt.Errorf("claims: %s: %s: %w", c.ID, f.What, err)
		}
		if f.Published != nil {
			judged++
			if m.Holds {
				hold++
			}
		}
		out = append(out, m)
	}
	want := Conditional
	switch {
	case c.Verdict == Untestable || c.Verdict == Conditional && hold > 0:
		want = c.Verdict // a condition of Why can stand against figures that all hold
	case judged == 0:
		return nil, fmt.Errorf("claims: %s: no figure has a published one beside it", c.ID)
	case hold == judged:
		want = Confirmed
	case hold == 0:
		want = Refuted
	}
	if c.Verdict != want {
		return nil, fmt.Errorf("claims: %s: %d of %d figures hold, which is %s, not %s", c.ID, hold, judged, want, c.Verdict)
	}
	return out, nil
}

func (f *Figure) eval(dir fs.FS) (Measured, error) {
	data, err := fs.ReadFile(dir, path.Join(f.Run, "run.json"))
	if err != nil {
		return Measured{}, err
	}
	var r run.Run
	if err := json.Unmarshal(data, &r); err != nil {
		return Measured{}, err
	}
	m := Measured{Figure: f}
	if f.Cell != "" {
		err = m.cell(&r)
	} else {
		err = m.item(&r)
	}
	if err != nil {
		return Measured{}, err
	}
	if f.Published != nil {
		m.Holds = m.holds()
	}
	return m, nil
}

func (m *Measured) holds() bool {
	switch p := *m.Published; {
	case m.Unit == "allocs" || m.Unit == "bytes": // counts do not differ by machine
		return m.AtMost && m.Value <= p || !m.AtMost && m.Value >= p
	case m.AtMost:
		return m.Value*slack <= p
	case m.Unit == "times" && p == 1: // "faster", without saying how much
		return m.Value > 1 && (m.Lo == 0 || m.Lo > 1)
	case m.Unit == "times" && p > 1: // of 1.21 times the gain is 0.21
		return m.Value-1 >= slack*(p-1)
	default:
		return m.Value >= p*slack
	}
}

// cell takes the figure from the table of codecs.
func (m *Measured) cell(r *run.Run) error {
	c, err := find(r, m.Cell)
	if err != nil {
		return err
	}
	t := clock(r, c)
	switch m.Unit {
	case "times":
		than, err := find(r, m.Than)
		if err != nil {
			return err
		}
		u := clock(r, than)
		m.Value = u.Median / t.Median
		if strings.HasPrefix(m.Than, run.Baseline+"/") && strings.HasSuffix(m.Than, "/fresh") {
			m.Value, m.Lo, m.Hi = c.Ratio.Point, c.Ratio.Lo, c.Ratio.Hi // of paired rounds, with its interval
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

// find looks a cell up by codec/op/mode.
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

// clock is the time of a cell that the run's ratios stand on.
func clock(r *run.Run, c *run.Cell) run.Estimate {
	if r.Clock == "cpu" {
		return c.CPU
	}
	return c.Wall
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
		m.Value = *it.Value
		if m.Over != "" {
			over, err := look(&t, m.Over, m.Column)
			if err != nil {
				return err
			}
			m.Value = *over.Value / *it.Value
			return nil
		}
		if it.Lo != nil && it.Hi != nil {
			m.Lo, m.Hi = *it.Lo, *it.Hi
		}
		return nil
	}
	return fmt.Errorf("no table %q in experiment %s", m.Table, m.Experiment)
}

// look finds the item in the line that begins with these texts, joined by blanks.
func look(t *run.Table, line, column string) (*run.Item, error) {
	k := slices.IndexFunc(t.Columns, func(c run.Column) bool { return c.Name == column })
	if k < 0 {
		return nil, fmt.Errorf("no column %q in table %q", column, t.Title)
	}
	for _, row := range t.Rows {
		if heading(row) == line && k < len(row) {
			if row[k].Value == nil {
				return nil, fmt.Errorf("%q has no number in column %q", line, column)
			}
			return &row[k], nil
		}
	}
	return nil, fmt.Errorf("no line %q in table %q", line, t.Title)
}

// heading joins the texts that a row begins with.
func heading(row []run.Item) string {
	var words []string
	for _, it := range row {
		if it.Value != nil || it.Text == "" {
			break
		}
		words = append(words, it.Text)
	}
	return strings.Join(words, " ")
}
