package gate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Instructions is the clock of a gate that counts.
const Instructions = "instructions"

// countValues is the number of values that the counted operations use, at most.
const countValues = 64

// countRounds is the number of rounds in each launch.
const countRounds = 3

// instructionCounter returns the installed valgrind.
func instructionCounter() (*callgrind.Tool, error) {
	tool, err := callgrind.Find()
	if err != nil {
		return nil, lab.Usagef("-count: %v; -time measures time, and needs nothing else", err)
	}
	return tool, nil
}

// counted is a codec of one side with its counts.
type counted struct {
	*lab.Built
	values worker.Request
	of     []([][]callgrind.Round) // by cell, launch and round
}

// contest is a codec with its counts on both sides.
type contest struct {
	pair
	plan        []worker.CountCell
	now, before *counted
	settled     bool // further launches would not change a verdict
}

// count counts the instructions of every codec on both sides, in launches of new processes. After
// the launches of the depth, only codecs with an inconclusive cell get further ones: as many again
// as fit the budget, up to four times as many.
func (x *Result) count(ctx context.Context, tool *callgrind.Tool, now, before *lab.Opened, pairs []pair, ui lab.UI) error {
	var all []*contest
	for _, p := range pairs {
		n, b := now.Values(), before.Values()
		n.N, b.N = min(n.N, countValues), min(b.N, countValues)
		all = append(all, &contest{pair: p, now: &counted{Built: p.now, values: n}, before: &counted{Built: p.before, values: b}})
	}
	all, err := x.eachContest(ctx, all, func(c *contest) error { return c.prepare(ctx) })
	if err != nil {
		return err
	}
	least := map[lab.Depth]int{lab.Standard: 5, lab.Paper: 10}[now.Options().Depth]
	least = max(least, 3)
	budget := cmp.Or(now.Options().Budget, now.Options().Depth.Budget())
	x.Clock, x.Rounds = Instructions, countRounds
	for begin := time.Now(); x.Launches < 4*least; {
		open := slices.DeleteFunc(slices.Clone(all), func(c *contest) bool { return c.settled })
		spent := time.Since(begin)
		each := spent / time.Duration(max(1, x.Launches))
		if len(open) == 0 || x.Launches >= least && spent+each > budget {
			break
		}
		x.Launches++
		ui.Rounds(fmt.Sprintf("counting instructions, launch %d", x.Launches), spent, budget)
		still, err := x.eachContest(ctx, open, func(c *contest) error { return c.launch(ctx, tool) })
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(c *contest) bool { return slices.Contains(open, c) && !slices.Contains(still, c) })
		x.judgeCounts(all, now.Options().Seed)
		for _, c := range all {
			c.settled = x.Launches >= least && !slices.ContainsFunc(x.Cells, func(k Cell) bool {
				return k.Now.Codec == c.pair.now.Name && k.Verdict == Inconclusive
			})
		}
	}
	return nil
}

// eachContest calls do for all contests and returns those for which it succeeded. It records why
// the others failed.
func (x *Result) eachContest(ctx context.Context, all []*contest, do func(*contest) error) ([]*contest, error) {
	var out []*contest
	for _, c := range all {
		err := do(c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			x.uncounted(c.pair.now.Name, err)
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// uncounted records a codec whose instructions could not be counted.
func (x *Result) uncounted(name string, err error) {
	why := fmt.Sprintf("the instructions of %s could not be counted; -time measures its time (%v)", name, err)
	if slices.Contains(x.asked, name) {
		x.Unmatched = append(x.Unmatched, why)
		return
	}
	x.Apart = append(x.Apart, why)
}

// prepare plans the rounds. Both sides do the same number of operations.
func (c *contest) prepare(ctx context.Context) error {
	var cells []callgrind.Cell
	for _, k := range c.cells {
		cells = append(cells, callgrind.Cell{Op: k.Op, Mode: k.Mode})
	}
	var err error
	c.plan, err = callgrind.Plan(ctx, c.pair.now.Worker, c.now.values, cells)
	c.now.of, c.before.of = make([][][]callgrind.Round, len(cells)), make([][][]callgrind.Round, len(cells))
	return err
}

// launch counts the rounds of a new process on each side.
func (c *contest) launch(ctx context.Context, tool *callgrind.Tool) error {
	for _, side := range []*counted{c.before, c.now} {
		got, err := tool.Rounds(ctx, side.Worker, side.values, c.plan, countRounds)
		if err != nil {
			return err
		}
		for i, rounds := range got {
			side.of[i] = append(side.of[i], rounds)
		}
	}
	return nil
}

// judgeCounts sets cells and floor from the counts so far.
func (x *Result) judgeCounts(all []*contest, seed uint64) {
	x.Cells, x.Floor = nil, 0
	var p []float64
	for _, c := range all {
		for i, k := range c.plan {
			was, is := c.before.cell(i, k), c.now.cell(i, k)
			ratio := stats.Between(stats.Locate(was.instrs(), seed), stats.Locate(is.instrs(), seed))
			floor := max(spread(was.instrs()), spread(is.instrs()))
			x.Floor = max(x.Floor, floor)
			x.Cells, p = append(x.Cells, Cell{Now: is.Cell, Before: was.Cell, Was: was.Instrs, Is: is.Instrs, Floor: floor, Ratio: ratio,
				Counts: compared(was, is)}), append(p, ratio.P)
		}
	}
	x.conclude(p)
}

// sideCell is a cell of one side with the counts of all its launches.
type sideCell struct {
	*run.Cell
	launches [][]callgrind.Round
}

func (c *counted) cell(i int, k worker.CountCell) sideCell {
	s := sideCell{&run.Cell{Codec: c.Name, Op: k.Op, Mode: k.Mode}, c.of[i]}
	s.Allocs, _ = s.middle(func(r callgrind.Round) float64 { return r.Allocs })
	s.Bytes, _ = s.middle(func(r callgrind.Round) float64 { return r.Bytes })
	s.Instrs, _ = s.middle(func(r callgrind.Round) float64 { return r.Instrs })
	for _, m := range c.Modes {
		if m.Op == k.Op && m.Mode == k.Mode {
			s.Wire = m.Wire
		}
	}
	return s
}

// middle returns the median over launches of the median over rounds of a figure, and the range of
// the launches' medians.
func (s sideCell) middle(figure func(callgrind.Round) float64) (median, width float64) {
	var medians []float64
	for _, rounds := range s.launches {
		var xs []float64
		for _, r := range rounds {
			xs = append(xs, figure(r))
		}
		medians = append(medians, stats.Median(xs))
	}
	return stats.Median(medians), slices.Max(medians) - slices.Min(medians)
}

// instrs returns the logarithms of the instructions of an operation, by launch and round.
func (s sideCell) instrs() (out stats.Clusters) {
	for _, rounds := range s.launches {
		var logs []float64
		for _, r := range rounds {
			logs = append(logs, math.Log(max(r.Instrs, 1)))
		}
		out = append(out, logs)
	}
	return out
}

// spread returns by how much the launches of one program differ: the largest of their medians over
// the smallest, less 1.
func spread(c stats.Clusters) float64 {
	var medians []float64
	for _, l := range c {
		medians = append(medians, stats.Median(l))
	}
	return math.Expm1(slices.Max(medians) - slices.Min(medians))
}

// compared returns the counts of both sides other than instructions. A count that is the same in
// all launches of a side is exact. Any other one must grow by more than both sides' launches
// differ.
func compared(was, is sideCell) []counter {
	measured := func(what string, figure func(callgrind.Round) float64) counter {
		w, wide := was.middle(figure)
		i, wider := is.middle(figure)
		return counter{what: what, was: w, is: i, stray: wide + wider, varies: wide+wider > 1e-9}
	}
	return []counter{
		measured("allocs", func(r callgrind.Round) float64 { return r.Allocs }),
		measured("B/op", func(r callgrind.Round) float64 { return r.Bytes }),
		{what: "encoded bytes", was: was.Wire, is: is.Wire},
	}
}
