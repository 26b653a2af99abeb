package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/lab/run"
)

// sim is a worker whose cells take a known time, spent by sleeping only where a test
// is about the clock: sleep scales what really passes.
type sim struct {
	name   string
	ns     float64 // per operation
	cpu    float64 // CPU time ÷ wall time, 1 when 0
	cells  []Cell
	sleep  float64
	fail   func(calls int) error
	hang   func(calls int) bool
	deaf   chan struct{} // ignores its context and waits for this when it hangs
	launch func(n int) error

	mu       sync.Mutex
	calls    int
	launches int
	batches  []Batch
	log      *[]string
	refills  bool // every other batch allocates once more than its operations
}

var both = []Cell{{Op: "encode", Mode: "fresh", Rank: true}, {Op: "decode", Mode: "fresh", Rank: true}}

func (s *sim) Name() string { return s.name }
func (s *sim) Cells() []Cell {
	if s.cells == nil {
		return both
	}
	return s.cells
}

func (s *sim) Run(ctx context.Context, b Batch) (Reading, error) {
	op, mode, n := b.Op, b.Mode, b.N
	s.mu.Lock()
	s.calls++
	calls := s.calls
	s.batches = append(s.batches, b)
	if s.log != nil {
		*s.log = append(*s.log, fmt.Sprintf("%s/%s/%s", s.name, op, mode))
	}
	s.mu.Unlock()
	if s.hang != nil && s.hang(calls) {
		if s.deaf != nil {
			<-s.deaf
			return Reading{}, errors.New("late")
		}
		<-ctx.Done()
		return Reading{}, ctx.Err()
	}
	if s.fail != nil {
		if err := s.fail(calls); err != nil {
			return Reading{}, err
		}
	}
	wall := s.ns * float64(n)
	if s.sleep > 0 {
		t := time.NewTimer(time.Duration(wall * s.sleep))
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return Reading{}, ctx.Err()
		}
	}
	cpu := s.cpu
	if cpu == 0 {
		cpu = 1
	}
	allocs := float64(3 * n)
	if s.refills && calls%2 == 1 {
		allocs++
	}
	return Reading{N: n, WallNS: wall, CPUNS: wall * cpu, Allocs: allocs, Bytes: float64(64 * n), Wire: 100, First: 9000}, nil
}

func (s *sim) Relaunch(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.launches++
	if s.launch != nil {
		return s.launch(s.launches)
	}
	return nil
}

func measureSims(t *testing.T, ctx context.Context, cfg Config, sims ...*sim) ([]*run.Cell, Stats) {
	t.Helper()
	workers := make([]Worker, len(sims))
	for i, s := range sims {
		workers[i] = s
	}
	cells, stats, err := Measure(ctx, workers, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return cells, stats
}

// quick has no stretching, so that a test knows n.
var quick = Config{Launches: 3, Rounds: 7, Seed: 1, MaxBatch: 10 * time.Millisecond}

// bubble runs a test in simulated time: sleeping costs none, and what the machine does
// meanwhile does not show. It fails when a goroutine is left behind.
func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func TestMeasureFillsEveryCell(t *testing.T) { synctest.Test(t, measureFillsEveryCell) }

func measureFillsEveryCell(t *testing.T) {
	a, b := &sim{name: "a", ns: 1000}, &sim{name: "b", ns: 50}
	rows, stats := measureSims(t, context.Background(), quick, a, b)
	if stats.Partial || stats.Launches != 3 || stats.Rounds != 21 || stats.PerLaunch != 7 || len(stats.Warnings) > 0 {
		t.Errorf("stats %+v", stats)
	}
	var names []string
	for _, c := range rows {
		names = append(names, c.Codec+" "+c.Op)
		want := map[string]float64{"a": 1000, "b": 50}[c.Codec]
		if len(c.Samples) != 21 || c.Allocs != 3 || c.Bytes != 64 || c.Wire != 100 || c.First != 9000 || !c.Rank || c.Mode != "fresh" {
			t.Errorf("%s: %+v", c.Codec, c)
		}
		for i, p := range c.Samples {
			if p.Wall != want || p.CPU != want || float64(p.N)*want < 10e6 || float64(p.N)*want > 20e6 {
				t.Errorf("%s sample %d: %+v", c.Codec, i, p)
			}
			if p.Launch != i/7 || p.Round != i%7 || i > 0 && p.At < c.Samples[i-1].At {
				t.Errorf("%s sample %d is out of order: %+v", c.Codec, i, p)
			}
		}
	}
	if got := strings.Join(names, ", "); got != "a encode, a decode, b encode, b decode" {
		t.Errorf("cells are %s", got)
	}
	if a.launches != 3 {
		t.Errorf("%d launches of a", a.launches)
	}
}

// Every round holds every cell once, and each cell comes at each place about equally
// often: the chi-square statistic over places is compared with its 99.9% point.
func TestScheduleIsBalancedAndShuffled(t *testing.T) {
	var log []string
	var sims []*sim
	const workers, cells, rounds = 5, 10, 400
	for i := range workers {
		sims = append(sims, &sim{name: string(rune('a' + i)), ns: 1e7, log: &log})
	}
	cfg := Config{Launches: 1, Rounds: rounds, Seed: 11, Budget: time.Hour, MaxBatch: 10 * time.Millisecond}
	measureSims(t, context.Background(), cfg, sims...)
	log = log[len(log)-rounds*cells:]
	places := map[string]*[cells]int{}
	followed := map[string]int{} // pairs that were neighbours
	for r := range rounds {
		seen := map[string]bool{}
		for i, c := range log[r*cells : (r+1)*cells] {
			if seen[c] {
				t.Fatalf("round %d runs %s twice", r, c)
			}
			seen[c] = true
			if places[c] == nil {
				places[c] = &[cells]int{}
			}
			places[c][i]++
			if i > 0 {
				followed[log[r*cells+i-1]+" "+c]++
			}
		}
	}
	const expected = float64(rounds) / cells
	for c, at := range places {
		chi := 0.0
		for _, n := range at {
			chi += (float64(n) - expected) * (float64(n) - expected) / expected
		}
		if chi > 27.9 { // 9 degrees of freedom
			t.Errorf("%s: places %v, chi-square %.1f", c, *at, chi)
		}
	}
	if len(followed) != cells*(cells-1) {
		t.Errorf("%d of %d orders of two cells occurred", len(followed), cells*(cells-1))
	}
	var again []string
	for _, s := range sims {
		s.calls, s.log = 0, &again
	}
	measureSims(t, context.Background(), cfg, sims...)
	if strings.Join(log, " ") != strings.Join(again[len(again)-rounds*cells:], " ") {
		t.Error("one seed gives two orders")
	}
}

func TestBudget(t *testing.T) {
	for _, c := range []struct {
		name             string
		budget           time.Duration
		workers          int
		launches, rounds int // wanted
		warn             string
	}{
		{"too small for the wish", 600 * time.Millisecond, 2, 5, 20, "instead of 5 × 20"},
		{"ample: batches grow", 800 * time.Millisecond, 1, 2, 3, ""},
		{"hopeless", 50 * time.Millisecond, 3, 5, 20, "even 3 rounds"},
	} {
		bubble(t, c.name, func(t *testing.T) {
			var sims []*sim
			for i := range c.workers {
				sims = append(sims, &sim{name: fmt.Sprint(i), ns: 1e5, sleep: 1})
			}
			begin := time.Now()
			rows, stats := measureSims(t, context.Background(), Config{Budget: c.budget, Launches: c.launches, Rounds: c.rounds}, sims...)
			took := time.Since(begin)
			if !strings.Contains(strings.Join(stats.Warnings, "\n"), c.warn) || c.warn == "" && len(stats.Warnings) > 0 {
				t.Errorf("warnings %q", stats.Warnings)
			}
			if c.name != "hopeless" && (took > c.budget*11/10 || took < c.budget*7/10) {
				t.Errorf("took %s of a budget of %s: %+v", took, c.budget, stats)
			}
			if n := len(rows[0].Samples); n != stats.Rounds || n < 3 {
				t.Errorf("%d samples in %d rounds", n, stats.Rounds)
			}
		})
	}
}

func TestDropOuts(t *testing.T) {
	boom := errors.New("boom")
	good := func() *sim { return &sim{name: "good", ns: 1000} }
	for _, c := range []struct {
		name    string
		bad     *sim
		when    string
		err     string
		samples int // of the bad worker, at least
	}{
		{"at once", &sim{fail: func(int) error { return boom }}, "calibration", "boom", 0},
		{"in a round", &sim{fail: func(n int) error {
			if n > 20 {
				return boom
			}
			return nil
		}}, "round", "boom", 1},
		{"panics", &sim{fail: func(n int) error {
			if n > 20 {
				panic("ouch")
			}
			return nil
		}}, "round", "panic: ouch", 1},
		{"hangs", &sim{hang: func(n int) bool { return n > 20 }}, "round", "no answer within", 1},
		{"hangs and is deaf", &sim{hang: func(n int) bool { return n > 20 }}, "round", "no answer within", 1},
		{"does not start again", &sim{launch: func(n int) error {
			if n == 2 {
				return boom
			}
			return nil
		}}, "launch 2", "boom", 7},
	} {
		bubble(t, c.name, func(t *testing.T) {
			g := good()
			c.bad.name, c.bad.ns = "bad", 1000
			cfg := quick
			cfg.Timeout = 150 * time.Millisecond
			if c.name == "hangs and is deaf" {
				deaf := make(chan struct{})
				c.bad.deaf = deaf
				defer close(deaf)
			}
			rows, stats := measureSims(t, context.Background(), cfg, c.bad, g)
			if len(stats.Dropped) != 1 || stats.Dropped[0].Name != "bad" || !strings.Contains(stats.Dropped[0].When, c.when) ||
				!strings.Contains(stats.Dropped[0].Err.Error(), c.err) {
				t.Errorf("dropped %+v", stats.Dropped)
			}
			if stats.Partial || len(rows[2].Samples) != 21 {
				t.Errorf("the good worker has %d samples, %+v", len(rows[2].Samples), stats)
			}
			if n := len(rows[0].Samples); n < c.samples || n >= 21 {
				t.Errorf("the bad worker has %d samples", n)
			}
		})
	}
}

func TestEveryWorkerDropsOut(t *testing.T) { synctest.Test(t, everyWorkerDropsOut) }

func everyWorkerDropsOut(t *testing.T) {
	_, stats := measureSims(t, context.Background(), quick, &sim{name: "bad", fail: func(int) error { return errors.New("no") }})
	if !stats.Partial || stats.PartialWhy != "every worker dropped out" {
		t.Errorf("%+v", stats)
	}
}

// Readings of a round that was cut short are thrown away: pairs stay whole.
func TestCancel(t *testing.T) { synctest.Test(t, cancel) }

func cancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	cfg := quick
	cfg.OnRow = func(c *run.Cell) {
		if seen++; seen == 4*9 {
			cancel()
		}
	}
	rows, stats := measureSims(t, ctx, cfg, &sim{name: "a", ns: 1000}, &sim{name: "b", ns: 1000})
	if !stats.Partial || !strings.Contains(stats.PartialWhy, "after 9 whole rounds") {
		t.Errorf("%+v", stats)
	}
	for _, c := range rows {
		if len(c.Samples) != 9 {
			t.Errorf("%s %s has %d samples", c.Codec, c.Op, len(c.Samples))
		}
	}
	done, cancel2 := context.WithCancel(context.Background())
	cancel2()
	if _, stats := measureSims(t, done, quick, &sim{name: "a", ns: 1000}); !stats.Partial {
		t.Error("a run that never began is not partial")
	}
}

// A worker that hangs does not hold up the end.
func TestCancelHanging(t *testing.T) { synctest.Test(t, cancelHanging) }

func cancelHanging(t *testing.T) {
	slow, cancel3 := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel3()
	begin := time.Now()
	measureSims(t, slow, quick, &sim{name: "a", ns: 1000, hang: func(n int) bool { return n > 9 }})
	if time.Since(begin) > 200*time.Millisecond {
		t.Errorf("cancelling a hanging worker took %s", time.Since(begin))
	}
}

func TestClocksThatDisagree(t *testing.T) { synctest.Test(t, clocksThatDisagree) }

func clocksThatDisagree(t *testing.T) {
	rows, _ := measureSims(t, context.Background(), quick,
		&sim{name: "even", ns: 1000}, &sim{name: "waits", ns: 1000, cpu: 0.1}, &sim{name: "parallel", ns: 1000, cpu: 2})
	for i, want := range []string{"", "CPU time is 10% of wall time", "CPU time is 2 times wall time"} {
		if got := strings.Join(rows[2*i].Warnings, "\n"); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: warnings %q", rows[2*i].Codec, got)
		}
	}
}

func TestNothingToMeasure(t *testing.T) {
	for _, ws := range [][]Worker{nil, {&sim{cells: []Cell{}}}} {
		if _, _, err := Measure(context.Background(), ws, Config{}); err == nil {
			t.Errorf("no error for %v", ws)
		}
	}
}

// machine is a simulated computer whose speed drifts by half over some 200 batches, as
// one with a varying load does.
type machine struct{ batches int }

func (m *machine) slowness() float64 {
	m.batches++
	return 1.5 + 0.5*math.Sin(float64(m.batches)/30)
}

// onMachine is a worker of known cost on a machine.
type onMachine struct {
	sim
	m *machine
}

func (o *onMachine) Run(_ context.Context, b Batch) (Reading, error) {
	n := b.N
	ns := o.ns * float64(n) * o.m.slowness()
	return Reading{N: n, WallNS: ns, CPUNS: ns}, nil
}

// The ratio of two workers of known cost is found although the machine's speed doubles
// and halves meanwhile: pairs of one round lie close together, in either order.
func TestKnownCostOnDriftingMachine(t *testing.T) {
	m := &machine{}
	rows, _, err := Measure(context.Background(),
		[]Worker{&onMachine{sim{name: "a", ns: 2000, cells: both[:1]}, m}, &onMachine{sim{name: "b", ns: 3000, cells: both[:1]}, m}},
		Config{Launches: 5, Rounds: 40, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	lo, hi := math.Inf(1), 0.0
	for i, p := range rows[1].Samples {
		q := rows[0].Samples[i]
		if p.Launch != q.Launch || p.Round != q.Round {
			t.Fatalf("sample %d is not a pair: %+v, %+v", i, p, q)
		}
		sum += math.Log(p.Wall / q.Wall)
		lo, hi = min(lo, q.Wall), max(hi, q.Wall)
	}
	if hi < 1.9*lo {
		t.Fatalf("the machine did not drift: %g to %g ns", lo, hi)
	}
	if got := math.Exp(sum / float64(len(rows[0].Samples))); math.Abs(got-1.5) > 0.01 {
		t.Errorf("ratio %.3f of two workers whose costs are 3:2", got)
	}
}

// Whole passes over the values where the slowest cell gets through them, else the same
// block in every cell: no batch goes over values that another cell of its round does not.
func TestSameValuesInEveryCell(t *testing.T) {
	for _, c := range []struct {
		name       string
		slow, fast float64 // ns per operation
		values     int
		block      int
	}{
		{"all fast", 1000, 50, 256, 256},
		{"a pass of 15 ms", 60_000, 50, 256, 256},
		{"a pass of 256 ms", 1e6, 1000, 256, 20},
		{"a pass of 2.56 s", 1e7, 1000, 256, 16},
		{"values of seconds", 2e9, 1000, 256, 1},
		{"many values", 1000, 50, 5000, 5000},
		{"one value", 1000, 50, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			slow, fast := &sim{name: "slow", ns: c.slow}, &sim{name: "fast", ns: c.fast}
			rows, _ := measureSims(t, context.Background(), Config{Launches: 2, Rounds: 4, Seed: 1, Values: c.values, Budget: time.Hour}, slow, fast)
			from := map[int]int{}
			for _, s := range []*sim{slow, fast} {
				for _, b := range s.batches[len(s.batches)-8:] { // the rounds of launch 2, both ops
					if b.Block != c.block || b.N%b.Block != 0 {
						t.Errorf("%s: %+v, want blocks of %d", s.name, b, c.block)
					}
					from[b.From]++
				}
			}
			for k, n := range from {
				if n != 4 || k < 4 || k > 7 {
					t.Errorf("block %d was run %d times; every cell runs every block of the launch once: %v", k, n, from)
				}
			}
			counted := map[int]int{}
			for _, s := range []*sim{slow, fast} {
				for _, b := range s.batches {
					if b.N == b.Block && b.Block == max(c.block, min(c.values, int(100e6/c.slow))) {
						counted[b.N]++
					}
				}
			}
			if len(counted) != 1 || c.values > 1 && counted[slices.Collect(maps.Keys(counted))[0]] < 4 {
				t.Errorf("allocations were not counted over the same values in all cells: %v", counted)
			}
			for _, r := range rows {
				if len(r.Samples) != 8 || r.Allocs != 3 {
					t.Errorf("%s %s: %d samples, %g allocations", r.Codec, r.Op, len(r.Samples), r.Allocs)
				}
			}
		})
	}
}

// On a machine that becomes slower after it was calibrated, the launches share the
// loss and the budget is kept.
func TestSlowdownIsShared(t *testing.T) { synctest.Test(t, slowdownIsShared) }

func slowdownIsShared(t *testing.T) {
	w := &slowing{sim{name: "s", ns: 1e5, sleep: 1, cells: both[:1]}}
	begin := time.Now()
	cfg := Config{Budget: 600 * time.Millisecond, Launches: 3, Rounds: 12, MaxBatch: 10 * time.Millisecond}
	rows, stats, err := Measure(context.Background(), []Worker{w}, cfg)
	if took := time.Since(begin); err != nil || took > 660*time.Millisecond {
		t.Errorf("took %s, %v", took, err)
	}
	per := map[int]int{}
	for _, p := range rows[0].Samples {
		per[p.Launch]++
	}
	if len(per) != 3 || per[0]-per[2] > 3 || per[0] == 12 || len(stats.Warnings) != 1 {
		t.Errorf("rounds per launch %v, %q", per, stats.Warnings)
	}
}

// slowing takes twice as long per operation once it was calibrated.
type slowing struct{ sim }

func (s *slowing) Run(ctx context.Context, b Batch) (Reading, error) {
	if s.calls > 5 {
		s.ns = 2e5
	}
	return s.sim.Run(ctx, b)
}

// TestSeldom: cells that are run in every other round are run in the same rounds of
// all workers, and leave the budget to the others.
func TestSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cells := []Cell{{Op: "encode", Mode: "fresh", Rank: true}, {Op: "encode", Mode: "append", Seldom: true},
			{Op: "encode", Mode: "pooled", Seldom: true}}
		measured := func(cells []Cell) ([]*run.Cell, Stats) {
			a, b := &sim{name: "a", ns: 1000, sleep: 1, cells: cells}, &sim{name: "b", ns: 2000, sleep: 1, cells: cells}
			rows, stats, err := Measure(t.Context(), []Worker{a, b}, Config{Budget: 2 * time.Second, Values: 100})
			if err != nil {
				t.Fatal(err)
			}
			return rows, stats
		}
		rows, stats := measured(cells)
		for _, row := range rows {
			for _, s := range row.Samples {
				if row.Mode != "fresh" && s.Round%2 != 0 {
					t.Errorf("%s %s has a sample of round %d", row.Codec, row.Mode, s.Round)
				}
			}
		}
		fresh, seldom := len(rows[0].Samples), len(rows[1].Samples)
		if fresh != stats.Rounds || seldom == 0 || seldom > fresh*2/3 || len(rows[2].Samples) != seldom || len(rows[4].Samples) != seldom {
			t.Errorf("%d rounds: %d samples of mode fresh, %d of mode append", stats.Rounds, fresh, seldom)
		}
		if all, _ := measured([]Cell{cells[0], {Op: "encode", Mode: "append"}, {Op: "encode", Mode: "pooled"}}); fresh <= len(all[0].Samples) {
			t.Errorf("%d rounds in place of %d", fresh, len(all[0].Samples))
		}
	})
}

// TestWarmCount: allocations are counted, a few times for each cell, on batches that come after
// a first pass, and what only some of them have does not count; batches that are timed have none, or their times would be of other work.
func TestWarmCount(t *testing.T) {
	w := &sim{name: "a", ns: 1000, refills: true}
	rows, _, err := Measure(t.Context(), []Worker{w}, Config{Budget: 100 * time.Millisecond, Values: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Allocs != 3 {
			t.Errorf("%s: %g allocations, want 3", r.Op, r.Allocs)
		}
	}
	warm := 0
	for _, b := range w.batches {
		if b.Warm {
			warm++
			if b.N != b.Block {
				t.Errorf("counted on %d operations over %d values", b.N, b.Block)
			}
		}
	}
	if warm != countBatches*len(both) || len(w.batches) <= warm {
		t.Errorf("%d of %d batches were warmed, for %d cells", warm, len(w.batches), len(both))
	}
}

// TestSettled: Settled is asked after each launch but the last, with all samples so far, and no
// launch follows once it says yes.
func TestSettled(t *testing.T) {
	for _, stop := range []int{1, 3, 9} {
		var asked []int
		s := &sim{name: "a", ns: 1000}
		cfg := Config{Launches: 5, Rounds: 4, Budget: time.Hour, Settled: func(launch, planned int, rows []*run.Cell) bool {
			asked = append(asked, launch)
			if planned != 5 || len(rows) != 2 || len(rows[0].Samples) != 4*launch {
				t.Errorf("after launch %d of %d: %d rows, %d samples", launch, planned, len(rows), len(rows[0].Samples))
			}
			return launch >= stop
		}}
		cells, had := measureSims(t, t.Context(), cfg, s)
		want := min(stop, 5)
		if had.Launches != want || had.Planned != 5 || len(cells[0].Samples) != 4*want || had.Partial || had.Warnings != nil {
			t.Errorf("stop at %d: %+v, %d samples", stop, had, len(cells[0].Samples))
		}
		if len(asked) != min(stop, 4) {
			t.Errorf("stop at %d: asked after launches %v", stop, asked)
		}
	}
}

// TestReserve: the budget grows for three launches of five rounds, and no further than the reserve.
func TestReserve(t *testing.T) {
	for _, c := range []struct {
		reserve          time.Duration
		launches, rounds int
	}{{0, 1, 3}, {time.Minute, 3, 5}} {
		synctest.Test(t, func(t *testing.T) {
			s := &sim{name: "a", ns: 1e9, sleep: 1} // a batch takes a second
			_, had := measureSims(t, t.Context(), Config{Launches: 5, Rounds: 20, Budget: 8 * time.Second, Reserve: c.reserve}, s)
			if had.Planned != c.launches || had.PerLaunch != c.rounds {
				t.Errorf("with a reserve of %s: %d × %d, want %d × %d", c.reserve, had.Planned, had.PerLaunch, c.launches, c.rounds)
			}
			if most := max(20*time.Second, c.reserve); had.Elapsed > most {
				t.Errorf("with a reserve of %s it took %s", c.reserve, had.Elapsed)
			}
		})
	}
}
