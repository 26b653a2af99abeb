package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// The live run has copies of one program, and one program that does 20% more of the same work.
const (
	copiesOf  = 6
	groups    = 5   // runs into which the launches are divided
	powerRuns = 200 // runs in which the 20% must be found
	leastAA   = 200 // least number of comparisons of copies
)

// live is the recorded rounds of the copies and of the program with more work.
type live struct {
	copies   [copiesOf]map[string][]run.Sample // by op
	more     map[string][]run.Sample
	launches int
	per      int // launches of one run
}

var ops = []string{"encode", "decode"}

// copies makes one live run of many launches and divides it into runs. Each is judged as the lab
// judges runs: with a baseline, the baseline's twin for the noise floor, and Holm's correction over
// the others. In each group of launches each copy is once the baseline. Such runs share samples and
// are not independent, but none of them may report a difference.
func copies(ctx context.Context, b *bench) error {
	work := func(n int) inject.Code {
		return inject.Code{
			Encode: fmt.Sprintf("for range %d { if _, err := json.Marshal(v); err != nil { return nil, err } }", n-1),
			Decode: fmt.Sprintf("for range %d { var w Msg; if err := json.Unmarshal(b, &w); err != nil { return err } }", n-1)}
	}
	s, err := b.open(ctx, inject.Contender("five", work(5)), inject.Contender("six", work(6)))
	if err != nil {
		return err
	}
	defer s.Close()
	return b.timed(ctx, func(ctx context.Context, try int) ([]Row, error) {
		l, err := s.record(ctx, b, try)
		if err != nil {
			return nil, err
		}
		return []Row{l.same(b), l.fifth(b)}, nil
	})
}

func (s *stand) record(ctx context.Context, b *bench, try int) (*live, error) {
	l := &live{per: pick(b, 4, 5)}
	l.launches = groups * l.per
	lanes := []lane{{"more", "six", ops}}
	for i := range copiesOf {
		lanes = append(lanes, lane{fmt.Sprint(i), "five", ops})
	}
	cells, err := s.time(ctx, measure.Config{Launches: l.launches, Rounds: pick(b, 6, 12) * try, Seed: b.o.Seed + uint64(try),
		MinBatch: pick[time.Duration](b, 2, 5) * time.Millisecond, MaxBatch: 5 * time.Millisecond}, lanes...)
	if err != nil {
		return nil, err
	}
	of := func(name string) map[string][]run.Sample {
		m := map[string][]run.Sample{}
		for _, op := range ops {
			m[op] = cells[name+" "+op].Samples
		}
		return m
	}
	l.more = of("more")
	for i := range l.copies {
		l.copies[i] = of(fmt.Sprint(i))
	}
	return l, nil
}

// judged returns the run that the lab would have made of the given launches.
func judged(seed uint64, launches []int, base, twin map[string][]run.Sample, others ...map[string][]run.Sample) *run.Run {
	r := &run.Run{Seed: seed}
	add := func(name string, from map[string][]run.Sample) {
		for _, op := range ops {
			c := &run.Cell{Codec: name, Op: op, Mode: stats.Fresh}
			for _, x := range from[op] {
				if i := slices.Index(launches, x.Launch); i >= 0 {
					x.Launch = i
					c.Samples = append(c.Samples, x)
				}
			}
			r.Cells = append(r.Cells, c)
		}
		r.Contenders = append(r.Contenders, &run.Contender{Name: name, Status: run.StatusMeasured,
			Contract: run.Grade{Grade: run.Kept}, Value: run.Grade{Grade: run.Lossless}})
	}
	add(run.Baseline, base)
	add(run.Twin, twin)
	for i, o := range others {
		add(fmt.Sprint("other", i), o)
	}
	stats.Fill(r)
	return r
}

// verdicts counts how many other cells a run calls faster, how many slower, and all of them.
func verdicts(r *run.Run) (faster, slower, all int) {
	for _, c := range r.Cells {
		if c.Codec == run.Baseline {
			continue
		}
		all++
		switch c.Against {
		case run.Faster:
			faster++
		case run.Slower:
			slower++
		}
	}
	return faster, slower, all
}

// same compares the copies with each other.
func (l *live) same(b *bench) Row {
	faster, slower, all := 0, 0, 0
	var floors []float64
	for g := range groups {
		var launches []int
		for i := range l.per {
			launches = append(launches, g*l.per+i)
		}
		for base := range copiesOf {
			twin := (base + 1) % copiesOf
			var others []map[string][]run.Sample
			for i := range copiesOf {
				if i != base && i != twin {
					others = append(others, l.copies[i])
				}
			}
			r := judged(b.o.Seed, launches, l.copies[base], l.copies[twin], others...)
			f, s, n := verdicts(r)
			faster, slower, all = faster+f, slower+s, all+n
			floors = append(floors, r.Noise.Floor)
		}
	}
	return newRow("A/A, live", fmt.Sprintf("%d comparisons or more, none called faster or slower", leastAA),
		fmt.Sprintf("%d comparisons, %d faster, %d slower; median noise floor ±%.1f%% (one live run of %d launches cut into "+
			"%d groups, each of %d copies in turn the baseline)",
			all, faster, slower, 100*stats.Median(floors), l.launches, groups, copiesOf),
		all >= leastAA && faster+slower == 0)
}

// fifth checks how often the lab finds the 20% of additional work.
func (l *live) fifth(b *bench) Row {
	r := rand.New(rand.NewPCG(b.o.Seed, 0x32302b))
	found, wrong, all := 0, 0, 0
	var floors []float64
	for range pick(b, powerRuns/4, powerRuns) {
		order := r.Perm(copiesOf)
		x := judged(b.o.Seed, r.Perm(l.launches)[:l.per], l.copies[order[0]], l.copies[order[1]], l.more)
		f, s, n := verdicts(x)
		found, wrong, all = found+s, wrong+f, all+n
		floors = append(floors, x.Noise.Floor)
	}
	floor := stats.Median(floors)
	row := newRow("+20% work, live", "seen at least 95% of the time, never called faster",
		fmt.Sprintf("%d of %d times, %d wrong; median noise floor ±%.1f%% (runs of %d launches drawn from %d live ones)", found,
			all, wrong, 100*floor, l.per, l.launches), float64(found) >= 0.95*float64(all) && wrong == 0)
	if row.Outcome == Fail && wrong == 0 && floor > 0.1 { // two copies differed by half of the difference that was to be found
		row.Outcome = Undecided
	}
	return row
}
