// Package measure schedules measurements. It asks workers for timed batches, in an order that no
// drift of the machine can favour, and returns the samples. It knows neither codecs nor processes,
// and estimates nothing: package lab/stats does.
//
// Terms. A cell is one (worker, op, mode). A batch is n operations timed together, at least
// MinBatch long. A round is one batch of every cell that is due, in an order shuffled anew. Batches
// of one round are paired: they go over the same values. These are all values if the slowest cell
// gets through them in time, else the same block of them. A launch is one life of the worker
// processes. Properties that a process keeps from its start (memory layout, hash seeds) make its
// rounds alike, so statistics treat launches as clusters and rounds as their sub-samples.
//
// Steps: start all processes; calibrate n for every cell; count allocations in untimed batches;
// then, for every launch, warm up and run the rounds. Every launch but the first starts the
// processes anew. A worker that fails drops out with its reason; the others go on.
package measure

import (
	"context"
	"time"

	"github.com/zmylab/zmy/lab/run"
)

// Cell names one operation and mode that a worker can run.
type Cell struct {
	Op   string // encode | decode | access
	Mode string // fresh | append | …
	Rank bool   // whether the cell is ranked
	// Seldom cells run only in every other round of a launch, beginning with the first, so that the
	// budget allows more rounds of the others.
	Seldom bool
}

// Reading holds the measurements of one batch.
type Reading struct {
	N      int     // operations that were done
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
	// Run does one batch and returns when it is done. If ctx ends, it returns soon, with an error.
	// After an error it is not called again before Relaunch.
	Run(ctx context.Context, b Batch) (Reading, error)
}

// Batch is a request to run one batch.
type Batch struct {
	Op, Mode string
	N        int // operations, which go over the Block values again and again
	// Block is the number of values that the operations go over. If it is Config.Values, they go
	// over all values, pass after pass. If it is less, they stay within one block, which From picks.
	Block int
	From  int // number of the block or of the first pass; it picks the same values in all workers
	// Warm runs the first pass once before the reading begins, so that the reading leaves out what
	// a codec makes once and keeps, such as its pools.
	Warm bool
}

// Relauncher is a Worker whose process can be ended and started anew. Relaunch is called before
// calibration and before every launch but the first, which goes on with the calibrated processes.
// It is called for several workers at the same time.
type Relauncher interface {
	Relaunch(ctx context.Context) error
}

// Config says how much is measured. A zero field takes its default, which is the last item of its
// comment.
type Config struct {
	Budget      time.Duration // time for the whole call; 60 s
	Reserve     time.Duration // time that Budget may become, if it does not allow 3 launches of 5 rounds; Budget
	Launches    int           // wanted launches; 5
	Rounds      int           // wanted rounds per launch; 20
	MinRounds   int           // rounds per launch that are planned whatever the budget; 3
	MinLaunches int           // launches that are planned whatever the budget; 1
	MinBatch    time.Duration // least duration of a batch; 10 ms
	Values      int           // values that each worker holds; 1
	MaxPass     time.Duration // if a pass of the slowest cell takes longer, values are cut into blocks; 2 × MinBatch
	MaxBatch    time.Duration // duration to which batches grow if the budget allows; 10 × MinBatch
	Timeout     time.Duration // limit of one batch; a worker that exceeds it drops out; 20 s
	Seed        uint64        // seed of the order of batches
	Started     time.Time     // time from which Sample.At counts; the time of the call

	// OnRow is called for every cell after each round; the cell may be read only during the call.
	// OnPhase is called with the phase that begins: "calibrate", "launch 2 of 5".
	OnRow   func(c *run.Cell)
	OnPhase func(text string)

	// Settled is called after each launch but the last, with the number of the launch, from 1, the
	// number of planned launches, and the rows so far. If it returns true, no further launch begins.
	// A nil Settled never does.
	Settled func(launch, planned int, rows []*run.Cell) bool
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
	if c.Settled == nil {
		c.Settled = func(int, int, []*run.Cell) bool { return false }
	}
	c.MinRounds, c.MinLaunches = min(c.MinRounds, c.Rounds), min(c.MinLaunches, c.Launches)
	return c
}

func set[T int | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// Stats says what Measure did.
type Stats struct {
	Launches   int  // launches begun
	Planned    int  // launches that the budget allows
	Rounds     int  // complete rounds, over all launches
	PerLaunch  int  // rounds planned per launch
	Partial    bool // stopped before the plan was carried out
	PartialWhy string
	Dropped    []Dropped // workers that failed, in the order in which they did
	Warnings   []string  // what the budget did not allow, one sentence each
	Elapsed    time.Duration
}

// Dropped describes a worker that dropped out.
type Dropped struct {
	Name string
	Cell Cell   // cell that it was running; empty during a start
	When string // "calibration" | "launch 2" | "launch 2, round 7" | …
	Err  error
}

// Measure measures all workers together and returns a row for each of their cells, in order, with
// samples, allocations and wire sizes filled in. Cells of workers that dropped out keep the samples
// that they have. Estimates and ratios are left to lab/stats.
//
// If ctx ends early, Measure returns what it has, with Stats.Partial set and a nil error. It
// returns an error only if there is nothing to measure: no workers, no cells.
func Measure(ctx context.Context, workers []Worker, cfg Config) ([]*run.Cell, Stats, error) {
	s, err := newSession(workers, cfg)
	if err != nil {
		return nil, Stats{}, err
	}
	s.run(ctx)
	return s.finish()
}
