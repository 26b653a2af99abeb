package measure

import (
	"context"
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// due reports whether a cell is run in round r of a launch.
func (j *job) due(r int) bool { return !j.w.out && (!j.cell.Seldom || r%2 == 0) }

// roundCost returns how long round r of a launch takes, dispatch included.
func (s *session) roundCost(r int) time.Duration {
	var sum time.Duration
	for _, j := range s.jobs {
		if j.due(r) {
			sum += j.cost + 100*time.Microsecond
		}
	}
	return sum
}

// warmCost returns how long a launch takes before its first round: half a batch of each cell.
func (s *session) warmCost() time.Duration { return s.roundCost(0) / 2 }

// need returns how long l launches of r rounds take.
func (s *session) need(l, r int) time.Duration {
	rounds := time.Duration((r+1)/2)*s.roundCost(0) + time.Duration(r/2)*s.roundCost(1)
	return time.Duration(l)*(s.warmCost()+rounds) + time.Duration(l-1)*s.startCost
}

// The launches and rounds below which a busy machine or slow cells leave little proven. For them,
// Budget grows to at most Reserve.
const (
	enoughLaunches = 3
	enoughRounds   = 5
)

// plan fits launches × rounds into the rest of the budget. It first reduces rounds, down to five,
// then launches, down to two, then rounds down to MinRounds, and at last launches down to
// MinLaunches. The second launch goes last because confidence intervals need the spread between
// launches.
func (s *session) plan() {
	cfg := &s.cfg
	wantL, wantR := cfg.Launches, cfg.Rounds
	spent := time.Since(s.begin)
	enough := spent + s.need(min(enoughLaunches, wantL), min(enoughRounds, wantR))
	cfg.Budget = max(cfg.Budget, min(enough*5/4, cfg.Reserve)) // batches of a busy machine take longer than they did in calibration
	left := cfg.Budget - spent
	shrink := func(field *int, least int) {
		for *field > least && s.need(cfg.Launches, cfg.Rounds) > left {
			*field--
		}
	}
	shrink(&cfg.Rounds, max(5, cfg.MinRounds))
	shrink(&cfg.Launches, max(2, cfg.MinLaunches))
	shrink(&cfg.Rounds, cfg.MinRounds)
	shrink(&cfg.Launches, cfg.MinLaunches)
	s.stats.PerLaunch, s.stats.Planned = cfg.Rounds, cfg.Launches
	if cfg.Launches < wantL || cfg.Rounds < wantR {
		s.warn("the budget of %s allows %s × %s instead of %d × %d; those would take about %s",
			tidy(cfg.Budget), plural(cfg.Launches, "launch", "launches"), plural(cfg.Rounds, "round", "rounds"),
			wantL, wantR, tidy(spent+s.need(wantL, wantR)))
	}
	switch need := s.need(cfg.Launches, cfg.Rounds); {
	case need <= left:
		s.stretch(left, need)
	case cfg.Launches < wantL || cfg.Rounds < wantR: // else the minimum was asked for, whatever it takes
		s.warn("even %s of %s take about %s, more than the budget of %s",
			plural(cfg.Rounds, "round", "rounds"), plural(len(s.jobs), "cell", "cells"), tidy(spent+need), tidy(cfg.Budget))
	}
}

// stretch spends what the plan leaves of the budget on longer batches, if that makes them at least
// a fifth longer.
func (s *session) stretch(left, need time.Duration) {
	factor := min(0.95*float64(left)/float64(max(need, 1)), float64(s.cfg.MaxBatch)/float64(s.cfg.MinBatch))
	if factor < 1.2 {
		return
	}
	for _, j := range s.jobs {
		j.stretch(factor)
		j.goal = time.Duration(factor * float64(j.goal))
		j.cost = time.Duration(factor * float64(j.cost))
	}
}

// tidy rounds a duration for people.
func tidy(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (s *session) warn(format string, args ...any) {
	s.stats.Warnings = append(s.stats.Warnings, fmt.Sprintf(format, args...))
}

// judgeEnd notes whether the plan was carried out.
func (s *session) judgeEnd(ctx context.Context) {
	switch {
	case ctx.Err() != nil:
		s.stats.Partial = true
		s.stats.PartialWhy = fmt.Sprintf("stopped in launch %d of %d after %d whole rounds (%v)",
			max(s.stats.Launches, 1), s.cfg.Launches, s.stats.Rounds, context.Cause(ctx))
	case !s.anyIn():
		s.stats.Partial = true
		s.stats.PartialWhy = "every worker dropped out"
	case s.stats.Rounds < s.stats.PerLaunch*s.stats.Launches:
		s.warn("rounds took longer than planned: %d of %d fitted the budget", s.stats.Rounds, s.stats.PerLaunch*s.stats.Launches)
	}
}

// finish adds warnings about single cells and returns all results.
func (s *session) finish() ([]*run.Cell, Stats, error) {
	for _, j := range s.jobs {
		j.row.Warnings = append(j.row.Warnings, doubts(j.row.Samples)...)
	}
	s.stats.Elapsed = time.Since(s.begin)
	return s.rows(), s.stats, nil
}

// rows returns the rows of all cells, in order.
func (s *session) rows() []*run.Cell {
	rows := make([]*run.Cell, len(s.jobs))
	for i, j := range s.jobs {
		rows[i] = j.row
	}
	return rows
}

// A cell whose ratio of CPU time to wall time lies outside these bounds carries a warning.
const (
	waits    = 0.75 // below: the process waited, or was made to
	parallel = 1.5  // above: other threads worked too
)

// doubts returns a warning if a cell's CPU time and wall time differ too much.
func doubts(samples []run.Sample) []string {
	if len(samples) == 0 {
		return []string{"no sample was taken"}
	}
	ratios := make([]float64, 0, len(samples))
	for _, p := range samples {
		if p.Wall > 0 {
			ratios = append(ratios, p.CPU/p.Wall)
		}
	}
	sort.Float64s(ratios)
	mid := math.NaN()
	if len(ratios) > 0 {
		mid = ratios[len(ratios)/2]
	}
	switch {
	case mid < waits:
		return []string{fmt.Sprintf("CPU time is %s of wall time: the process waits (sleep, locks, or a busy machine); "+
			"read wall time with care", quantity.Share(mid))}
	case mid > parallel:
		return []string{fmt.Sprintf("CPU time is %s wall time: it works on several threads (garbage collection or its own goroutines)",
			quantity.Times(mid))}
	}
	return nil
}
