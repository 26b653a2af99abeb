package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Rounds says what is timed in interleaved rounds.
type Rounds struct {
	Name   string          // for the progress line: "64 KiB"
	Values *worker.Request // that make the values, those of the run when nil
	N      int             // how many values the workers hold then
	Budget time.Duration
	Rounds int                               // wanted per launch, 10 when 0
	Cells  func(c *lab.Built) []measure.Cell // what of each contender, none to leave it out
	Only   []*lab.Built                      // the contenders, all when nil
}

// Fresh are a contender's cells encode and decode in mode fresh.
func Fresh(c *lab.Built) []measure.Cell {
	var out []measure.Cell
	for _, m := range c.Modes {
		if m.Mode == "fresh" && m.Op != "access" {
			out = append(out, measure.Cell{Op: m.Op, Mode: m.Mode, Rank: c.Rankless == ""})
		}
	}
	return out
}

// Time times cells of all contenders in interleaved rounds, by the same scheduler as the
// table of codecs. Contenders that broke are noted and their cells left out.
func (b *Bench) Time(ctx context.Context, r Rounds) ([]*run.Cell, error) {
	values := b.Values()
	if r.Values != nil {
		values = *r.Values
	}
	if r.N == 0 {
		r.N = b.Run().Subject.Values
	}
	if r.Rounds == 0 {
		r.Rounds = 10
	}
	from := b.Contenders
	if r.Only != nil {
		from = r.Only
	}
	var lanes []measure.Worker
	for _, c := range from {
		if cells := r.Cells(c); len(cells) > 0 {
			ln := b.Lane(ctx, c, values, cells)
			defer ln.Close()
			lanes = append(lanes, ln)
		}
	}
	cells, had, err := measure.Measure(ctx, lanes, measure.Config{
		Budget: r.Budget, Launches: b.Launches(), Rounds: r.Rounds, MinRounds: 2, MinBatch: 5 * time.Millisecond,
		Seed: b.Options().Seed, Values: r.N, Timeout: b.Options().Limits.Answer + 10*time.Second,
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
	var out []*run.Cell
	for _, c := range cells {
		if !dropped[c.Codec] && len(c.Samples) > 0 {
			out = append(out, c)
		}
	}
	return out, ctx.Err()
}
