package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Rounds says what Time measures in interleaved rounds. A round times every cell once, in a new
// order. If each codec were measured in a block of its own, the drift of the machine between two
// blocks would look like a difference between two codecs.
type Rounds struct {
	Name   string          // for the progress line: "64 KiB"
	Values *worker.Request // how to make the values; nil for the run's values
	N      int             // the number of these values; 0 for the number of the run's values
	Budget time.Duration
	Rounds int                               // wanted per launch; 10 if 0
	Cells  func(c *lab.Built) []measure.Cell // the cells to time; a contender without any is left out
	Beside *lab.Lane                         // runs in the same rounds, or nil
}

// Fresh returns a contender's cells of encode and decode in mode fresh.
func Fresh(c *lab.Built) []measure.Cell {
	var out []measure.Cell
	for _, m := range c.Modes {
		if m.Mode == "fresh" && m.Op != "access" {
			out = append(out, measure.Cell{Op: m.Op, Mode: m.Mode, Rank: c.Rankless == ""})
		}
	}
	return out
}

// Time times cells of the contenders in interleaved rounds, by the same scheduler as the table of
// codecs. A contender that breaks is reported with Drop, and its cells are left out.
func (b *Bench) Time(ctx context.Context, r Rounds) ([]*run.Cell, error) {
	values := b.Values()
	if r.Values != nil {
		values = *r.Values
	}
	var lanes []measure.Worker
	if r.Beside != nil {
		lanes = append(lanes, r.Beside)
	}
	for _, c := range b.Contenders {
		if cells := r.Cells(c); len(cells) > 0 {
			ln := b.Lane(ctx, c, values, cells)
			defer ln.Close()
			lanes = append(lanes, ln)
		}
	}
	cells, had, err := measure.Measure(ctx, lanes, measure.Config{
		Budget: r.Budget, Launches: b.Launches(), Rounds: cmp.Or(r.Rounds, 10), MinRounds: 2, MinBatch: 5 * time.Millisecond,
		Seed: b.Options().Seed, Values: cmp.Or(r.N, b.Run().Subject.Values), Timeout: b.Options().Limits.Answer + 10*time.Second,
		OnPhase: func(text string) { b.Progress(r.Name + ", " + text) },
	})
	if err != nil {
		return nil, err
	}
	dropped := map[string]bool{}
	for _, d := range had.Dropped {
		dropped[d.Name] = true
		b.Drop(d.Name, fmt.Errorf("%s: %s, %w", r.Name, d.When, d.Err))
	}
	return slices.DeleteFunc(cells, func(c *run.Cell) bool { return dropped[c.Codec] || len(c.Samples) == 0 }), ctx.Err()
}
