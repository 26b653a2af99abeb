package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/zmylab/zmy/lab/run"
)

// session is one call of Measure.
type session struct {
	cfg   Config
	begin time.Time
	works []*work
	jobs  []*job // all cells, in table order
	order *rand.Rand
	stats Stats

	block   int // number of values that the batches of a round go over
	counted int // number of values on which allocations are counted

	startCost time.Duration // duration of the last start of all processes
}

// work is a worker with its state.
type work struct {
	Worker
	out  bool
	jobs []*job
}

// job is one cell being measured.
type job struct {
	w     *work
	cell  Cell
	block int           // number of values that it goes over; the session's
	n     int           // operations per batch, a multiple of block
	goal  time.Duration // least duration of a batch
	cost  time.Duration // duration of one batch, for the plan
	row   *run.Cell
}

func newSession(workers []Worker, cfg Config) (*session, error) {
	if len(workers) == 0 {
		return nil, errors.New("measure: no workers")
	}
	cfg = cfg.withDefaults()
	s := &session{cfg: cfg, begin: time.Now(), order: rand.New(rand.NewPCG(cfg.Seed, 0x6d656173))}
	for _, w := range workers {
		k := &work{Worker: w}
		s.works = append(s.works, k)
		for _, c := range w.Cells() {
			j := &job{w: k, cell: c, row: &run.Cell{Codec: w.Name(), Op: c.Op, Mode: c.Mode, Rank: c.Rank}}
			k.jobs = append(k.jobs, j)
			s.jobs = append(s.jobs, j)
		}
	}
	if len(s.jobs) == 0 {
		return nil, errors.New("measure: the workers have no cells")
	}
	return s, nil
}

// run goes through the steps until they are done or ctx ends.
func (s *session) run(ctx context.Context) {
	s.cfg.OnPhase("start")
	s.relaunch(ctx, 0)
	s.cfg.OnPhase("calibrate")
	s.each(ctx, "calibration", s.calibrate)
	s.blocks()
	s.cfg.OnPhase("count allocations")
	s.each(ctx, "counting allocations", s.count)
	s.plan()
	for l := range s.cfg.Launches {
		if ctx.Err() != nil || !s.anyIn() {
			break
		}
		s.launch(ctx, l)
		if done := l + 1; done < s.cfg.Launches && ctx.Err() == nil && s.cfg.Settled(done, s.cfg.Launches, s.rows()) {
			break
		}
	}
	s.judgeEnd(ctx)
}

func (s *session) launch(ctx context.Context, l int) {
	s.cfg.OnPhase(fmt.Sprintf("launch %d of %d", l+1, s.cfg.Launches))
	if l > 0 {
		s.relaunch(ctx, l)
	}
	s.each(ctx, fmt.Sprintf("warm-up of launch %d", l+1), s.warm)
	if ctx.Err() != nil {
		return
	}
	s.stats.Launches++
	end := time.Now().Add(s.share(l))
	for r := range s.stats.PerLaunch {
		if r >= s.cfg.MinRounds && time.Now().Add(s.roundCost(r)/2).After(end) {
			return
		}
		if !s.round(ctx, l, r) {
			return
		}
		s.stats.Rounds++
		for _, j := range s.jobs {
			if !j.w.out {
				s.cfg.OnRow(j.row)
			}
		}
	}
}

// share returns how long the rounds of launch l may take: an equal part of what is left of the
// budget after the starts of later launches. If the machine slows down, every launch then loses
// some rounds. Otherwise the last launches would lose all their rounds.
func (s *session) share(l int) time.Duration {
	left := s.cfg.Budget - time.Since(s.begin)
	later := time.Duration(s.cfg.Launches-l-1) * (s.startCost + s.warmCost())
	return (left - later) / time.Duration(s.cfg.Launches-l)
}

// round runs once every cell that is due, in a new order, and reports whether the session can go
// on. If ctx ends within a round, the round's readings are dropped, since a ratio needs both
// readings of a pair.
func (s *session) round(ctx context.Context, l, r int) bool {
	type result struct {
		j      *job
		sample run.Sample
	}
	var got []result
	for _, i := range s.order.Perm(len(s.jobs)) {
		j := s.jobs[i]
		if !j.due(r) {
			continue
		}
		begin := time.Now()
		read, err := s.batch(ctx, j, j.n, s.block, l*s.stats.PerLaunch+r)
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			s.drop(j.w, j.cell, fmt.Sprintf("launch %d, round %d", l+1, r+1), err)
			continue
		}
		s.adapt(j, read, time.Since(begin))
		got = append(got, result{j, run.Sample{Launch: l, Round: r, N: read.N,
			Wall: digits(read.WallNS/float64(read.N), 1e4), CPU: digits(read.CPUNS/float64(read.N), 1e4),
			At: digits(time.Since(s.cfg.Started).Seconds(), 1e3)}})
	}
	for _, g := range got {
		if !g.j.w.out {
			g.j.row.Samples = append(g.j.row.Samples, g.sample)
		}
	}
	return s.anyIn()
}

// digits rounds x to a multiple of 1/unit, since the clock gives no more digits than that.
func digits(x, unit float64) float64 { return math.Round(x*unit) / unit }

// each calls f for every cell whose worker is still in.
func (s *session) each(ctx context.Context, when string, f func(context.Context, *job) error) {
	for _, j := range s.jobs {
		if j.w.out || ctx.Err() != nil {
			continue
		}
		if err := f(ctx, j); err != nil && ctx.Err() == nil {
			s.drop(j.w, j.cell, when, err)
		}
	}
}

// relaunch starts the processes anew, at most GOMAXPROCS at a time.
func (s *session) relaunch(ctx context.Context, l int) {
	begin := time.Now()
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	errs := make([]error, len(s.works))
	var wg sync.WaitGroup
	for i, w := range s.works {
		again, ok := w.Worker.(Relauncher)
		if !ok || w.out {
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = s.start(ctx, again)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil && ctx.Err() == nil {
			s.drop(s.works[i], Cell{}, fmt.Sprintf("launch %d", l+1), err)
		}
	}
	s.startCost = time.Since(begin)
}

// startTimeout bounds the start of a process, which includes making its values.
const startTimeout = time.Minute

func (s *session) start(ctx context.Context, w Relauncher) error {
	ctx, cancel := context.WithTimeout(ctx, max(startTimeout, s.cfg.Timeout))
	defer cancel()
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.Relaunch(ctx)
}

func (s *session) drop(w *work, c Cell, when string, err error) {
	w.out = true
	s.stats.Dropped = append(s.stats.Dropped, Dropped{Name: w.Name(), Cell: c, When: when, Err: err})
}

func (s *session) anyIn() bool {
	return slices.ContainsFunc(s.jobs, func(j *job) bool { return !j.w.out })
}
