package stats

import (
	"hash/fnv"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/run"
)

// Fresh is the mode that the ranking and the baseline use.
const Fresh = "fresh"

// The clocks of Run.Clock.
const (
	Wall = "wall"
	CPU  = "cpu"
)

// Fill computes everything in r that follows from its samples, grades and sizes: estimates and
// ratios of the cells, the noise floor, the ranking, the verdict and the warnings. It moves the
// twin's cells from r.Cells to r.Noise. Fill may be called again, for instance after a merge; the
// same samples give the same results.
func Fill(r *run.Run) {
	moveTwin(r)
	if r.Clock == "" {
		r.Clock = chooseClock(r)
	}
	for _, c := range r.Cells {
		c.Wall = estimate(c, Wall, part(r), seedOf(r, c))
		c.CPU = estimate(c, CPU, part(r), seedOf(r, c))
		c.Warnings = cellWarnings(c)
	}
	waits := suspects(r)
	grade(r, waits)
	fillNoise(r)
	fillRatios(r)
	doubtWaits(waits)
	r.Ranking = rankingOf(r, "")
	fillVerdict(r)
	fillWarnings(r, waits)
}

// Find returns the cell of (codec, op, mode), or nil.
func Find(r *run.Run, codec, op, mode string) *run.Cell {
	for _, c := range r.Cells {
		if c.Codec == codec && c.Op == op && c.Mode == mode {
			return c
		}
	}
	return nil
}

// BaselineCell returns the cell with which cells of op are compared: the baseline's in mode fresh,
// else the baseline's first for that op, else nil.
func BaselineCell(r *run.Run, op string) *run.Cell {
	if c := Find(r, run.Baseline, op, Fresh); c != nil {
		return c
	}
	for _, c := range r.Cells {
		if c.Codec == run.Baseline && c.Op == op {
			return c
		}
	}
	return nil
}

// Contender returns the contender called name, or nil.
func Contender(r *run.Run, name string) *run.Contender {
	for _, c := range r.Contenders {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// TimeOf returns a cell's estimate on the run's clock.
func TimeOf(r *run.Run, c *run.Cell) run.Estimate { return TimeOn(r.Clock, c) }

// TimeOn returns a cell's estimate on a clock.
func TimeOn(clock string, c *run.Cell) run.Estimate {
	if clock == CPU {
		return c.CPU
	}
	return c.Wall
}

// ClockName returns the name of a clock in a sentence: "CPU", "wall".
func ClockName(clock string) string {
	if clock == CPU {
		return "CPU"
	}
	return "wall"
}

// estimate returns a cell's time on a clock with its interval, at the level of a look that has part
// of alpha.
func estimate(c *run.Cell, clock string, part float64, seed uint64) run.Estimate {
	s := seriesOf(c.Samples, SampleTime(clock))
	logs := s.clusters()
	res := Locate(logs, seed).within(part)
	if len(logs) == 1 && len(logs[0]) > 1 { // only rounds to resample: order statistics are exact
		lo, hi, _ := MedianInterval(logs[0], level)
		res.Lo, res.Hi = math.Exp(lo), math.Exp(hi)
	}
	return run.Estimate{Median: res.Point, Lo: res.Lo, Hi: res.Hi, N: res.N}
}

// seedOf derives a cell's own seed, so that its figures do not depend on which
// other cells the run holds.
func seedOf(r *run.Run, c *run.Cell) uint64 {
	return seed(r, c.Codec, c.Op, c.Mode)
}

func seed(r *run.Run, parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum64() ^ r.Seed
}

// moveTwin moves the cells of the A/A twin to r.Noise and removes it from the contenders.
func moveTwin(r *run.Run) {
	var twin []run.TwinCell
	r.Cells = slices.DeleteFunc(r.Cells, func(c *run.Cell) bool {
		if c.Codec == run.Twin {
			twin = append(twin, run.TwinCell{Op: c.Op, Mode: c.Mode, Cell: c})
		}
		return c.Codec == run.Twin
	})
	if twin != nil { // nil: an earlier call has moved them
		r.Noise.Twin = twin
	}
	r.Contenders = slices.DeleteFunc(r.Contenders, func(c *run.Contender) bool { return c.Name == run.Twin })
}

// assumedFloor is the noise floor of a run without an A/A twin. On a shared machine, copies of one
// program were seen to differ by up to 6% in the median comparison, and by more in a bad one.
const assumedFloor = 0.15

// fillNoise sets the noise floor: how far from 1 any A/A interval reaches. A smaller difference may
// be one between two copies of one program.
func fillNoise(r *run.Run) {
	launches, rounds := map[int]bool{}, map[int]bool{}
	for _, c := range r.Cells {
		for _, s := range c.Samples {
			launches[s.Launch], rounds[s.Round] = true, true
		}
	}
	r.Noise.Launch, r.Noise.Rounds = len(launches), len(rounds)
	var ratios []Result
	ratios, r.Noise.Floor = twins(r, r.Clock, part(r))
	if !judged(ratios) {
		r.Noise.Floor = assumedFloor
	}
	for i := range r.Noise.Twin {
		r.Noise.Twin[i].Ratio = interval(ratios[i])
	}
}

// judged reports whether any A/A comparison has enough samples for an interval.
func judged(ratios []Result) bool {
	return slices.ContainsFunc(ratios, func(x Result) bool { return x.DF > 0 })
}

// twins compares the baseline with its twin on one clock, at the level of a look that has part of
// alpha. It returns a ratio for each of Noise.Twin, and how far from 1 the widest of their intervals
// reaches.
func twins(r *run.Run, clock string, part float64) (ratios []Result, floor float64) {
	ratios = make([]Result, len(r.Noise.Twin))
	for i, t := range r.Noise.Twin {
		base := Find(r, run.Baseline, t.Op, t.Mode)
		if base == nil || t.Cell == nil {
			continue
		}
		x := Ratio(base.Samples, t.Cell.Samples, clock, seed(r, run.Twin, t.Op, t.Mode)).within(part)
		ratios[i] = x
		if x.N > 0 {
			floor = max(floor, math.Expm1(reach(x)))
		}
	}
	return ratios, floor
}

// chooseClock returns Wall, the time that users wait and that go test shows, unless other programs
// disturbed it: if the A/A twins differ by more than 5% in wall time, and by more than twice as
// much as in CPU time, it returns CPU.
func chooseClock(r *run.Run) string {
	_, wall := twins(r, Wall, 1)
	cpus, cpu := twins(r, CPU, 1)
	few := slices.ContainsFunc(cpus, func(x Result) bool { return x.DF == 0 }) // no CPU times, or too few to judge by
	if !few && wall > 0.05 && wall > 2*cpu {
		return CPU
	}
	return Wall
}

// fillRatios compares every cell with the baseline's fresh cell of its op.
func fillRatios(r *run.Run) {
	var (
		cells []*run.Cell
		res   []Result
		p     []float64
	)
	for _, c := range r.Cells {
		c.Ratio, c.Against, c.Need = run.Interval{}, "", 0
		base := BaselineCell(r, c.Op)
		if base == nil {
			continue
		}
		if base == c {
			c.Ratio = run.Interval{Point: 1, Lo: 1, Hi: 1}
			continue
		}
		x := Compared(r, base.Samples, c.Samples, r.Clock, seedOf(r, c))
		c.Ratio = interval(x)
		cells, res, p = append(cells, c), append(res, x), append(p, x.P)
	}
	for i, adjusted := range Holm(p) {
		cells[i].Against, cells[i].Need = Judge(res[i], adjusted, r.Noise.Floor)
	}
}

func interval(r Result) run.Interval {
	return run.Interval{Point: r.Point, Lo: r.Lo, Hi: r.Hi}
}
