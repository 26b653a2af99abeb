// Package measure schedules measurements: it asks workers for timed batches in an
// order that no drift of the machine can favour, and returns the samples. It knows
// neither codecs nor processes, and estimates nothing: that is lab/stats.
//
// Terms. A cell is one (worker, op, mode). A batch is n operations timed at once, at least MinBatch
// long. A round is one batch of every cell that is due, in an order shuffled anew; batches of one
// round are paired: they go over the same values, all of them where the slowest cell gets through
// in time, else the same block of them. A launch is one life of the worker processes: what a
// process carries from its start (memory layout, hash seeds) makes its rounds alike, so that
// statistics treat launches as clusters and rounds as their sub-samples.
//
// Steps: start all processes; calibrate n for every cell; count allocations in untimed
// batches; then in every launch, of which each but the first starts the processes anew,
// warm up and run the rounds. A worker that fails drops out
// with its reason; the others go on.
package measure

import (
	"context"
	"time"

	"github.com/zmylab/zmy/lab/run"
)

// Cell names one thing that a worker can run.
type Cell struct {
	Op   string // encode | decode | access
	Mode string // fresh | append | …
	Rank bool   // whether it takes part in the ranking
	// Seldom cells are run in every other round of a launch, the first among them,
	// so that the budget allows the others more rounds.
	Seldom bool
}

// Reading is what a worker read off during one batch.
type Reading struct {
	N      int     // operations done
	WallNS float64 // of the whole batch
	CPUNS  float64 // of the whole process during the batch, garbage collection included
	Allocs float64 // allocations of the whole batch
	Bytes  float64 // bytes allocated by the whole batch
	Wire   float64 // mean bytes per value on the wire, 0 when unknown
	First  float64 // ns of the cell's first call in this process, 0 when unknown
}

// Worker runs the cells of one contender, one batch at a time.
type Worker interface {
	Name() string
	Cells() []Cell
	// Run does one batch and returns when it is done. When ctx ends, it returns
	// soon, with an error. A worker that erred is not run again before it was
	// relaunched.
	Run(ctx context.Context, b Batch) (Reading, error)
}

// Batch is what a worker is asked to run.
type Batch struct {
	Op, Mode string
	N        int // operations: Block of them, again and again
	// Block is how many values the operations go over. Config.Values stands for all,
	// pass after pass; less for one block, which Batch.From picks.
	Block int
	From  int // which block, or which pass first; the same values in all workers
	// Warm runs the first pass once more before the reading begins: what a codec
	// makes at first and keeps, as its pools, is then not counted.
	Warm bool
}

// Relauncher is a Worker whose process can be ended and started anew. It is asked to
// at the very start and before every launch but the first, which goes on with the
// processes that were calibrated; several workers are asked at a time.
type Relauncher interface {
	Relaunch(ctx context.Context) error
}

// Config says how much is measured. The zero value of a field takes its default.
type Config struct {
	Budget      time.Duration // of the whole call; 60 s
	Launches    int           // wanted; 5
	Rounds      int           // wanted per launch; 20
	MinRounds   int           // never fewer than this per launch, whatever the budget; 3
	MinLaunches int           // never fewer launches than this; 1
	MinBatch    time.Duration // least length of a batch; 10 ms
	Values      int           // values that each worker holds; 1
	MaxPass     time.Duration // beyond which a pass of the slowest cell is cut into blocks; 2 × MinBatch
	MaxBatch    time.Duration // what batches grow to where the budget allows; 10 × MinBatch
	Timeout     time.Duration // of one batch, beyond which its worker drops out; 20 s
	Seed        uint64        // of the order of batches
	Started     time.Time     // what Sample.At counts from; the time of the call

	// OnRow is told of every cell after each round; the cell may be read during
	// the call only. OnPhase is told what begins: "calibrate", "launch 2 of 5".
	OnRow   func(c *run.Cell)
	OnPhase func(text string)
}

func (c Config) withDefaults() Config {
	set(&c.Budget, 60*time.Second)
	set(&c.Launches, 5)
	set(&c.Rounds, 20)
	set(&c.MinRounds, 3)
	set(&c.MinLaunches, 1)
	set(&c.MinBatch, 10*time.Millisecond)
	set(&c.MaxBatch, 10*c.MinBatch)
	set(&c.Values, 1)
	set(&c.MaxPass, 2*c.MinBatch)
	set(&c.Timeout, 20*time.Second)
	if c.Started.IsZero() {
		c.Started = time.Now()
	}
	if c.OnRow == nil {
		c.OnRow = func(*run.Cell) {}
	}
	if c.OnPhase == nil {
		c.OnPhase = func(string) {}
	}
	c.MinRounds, c.MinLaunches = min(c.MinRounds, c.Rounds), min(c.MinLaunches, c.Launches)
	return c
}

func set[T int | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// Stats says what was had.
type Stats struct {
	Launches   int  // begun
	Rounds     int  // complete rounds, over all launches
	PerLaunch  int  // rounds planned per launch
	Partial    bool // stopped before the plan was through
	PartialWhy string
	Dropped    []Dropped // workers that failed, in the order they did
	Warnings   []string  // what the budget did not allow, one sentence each
	Elapsed    time.Duration
}

// Dropped is a worker that dropped out and why.
type Dropped struct {
	Name string
	Cell Cell   // the cell it was running; empty when it was being launched
	When string // "calibration" | "launch 2" | "launch 2, round 7"
	Err  error
}

// Measure measures all workers together and returns one cell per cell of theirs, in
// order, with samples, allocations and wire sizes filled in; cells of workers that
// dropped out keep the samples they had. Estimates and ratios are left to lab/stats.
//
// When ctx ends early it returns what there is, Stats.Partial set and a nil error.
// The error is for calls that cannot measure anything: no workers, no cells.
func Measure(ctx context.Context, workers []Worker, cfg Config) ([]*run.Cell, Stats, error) {
	s, err := newSession(workers, cfg)
	if err != nil {
		return nil, Stats{}, err
	}
	s.run(ctx)
	return s.finish()
}
