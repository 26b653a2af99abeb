package selftest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// NOTE: two families compare copies of one program. copies records rounds of real processes once
// and divides them into many runs (live.same, live.fifth); simulated draws rounds on machines whose
// noise is known (machine.programs). Both give their samples to judged, which makes the run that
// the lab would have made, so that stats.Fill decides here as it does for users.

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
// the others. In each group of launches, each copy is the baseline of one run. Such runs share
// samples and are not independent, but none of them may report a difference.
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
	return judgedAt(nil, seed, launches, base, twin, others...)
}

// judgedAt is judged for a run that is judged at a look.
func judgedAt(look *run.Look, seed uint64, launches []int, base, twin map[string][]run.Sample,
	others ...map[string][]run.Sample) *run.Run {
	r := &run.Run{Seed: seed, Look: look}
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

// verdicts counts the cells of codecs other than the baseline: how many the run calls faster, how
// many slower, and all of them.
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

// machine is a simulated machine. Deviations are standard deviations on a log scale.
type machine struct {
	name        string
	launch      float64 // deviation for each program in each launch: layout, hash seeds
	round       float64 // deviation for each program in each round
	mood        float64 // deviation for each round, the same for all programs
	interrupted float64 // probability that another program makes a round take 50% longer
	gap         float64 // deviation of wall time from CPU time, for each launch and round
	memory      float64 // correlation of successive rounds: of mood over the whole run, of round within a launch
}

// machines are the simulated machines. On the first three, 20% more work must be found. The last
// two have noise floors of about 50% and 250%: there the test requires only that nothing false is
// reported.
var machines = []machine{
	{"calm", 0.002, 0.01, 0.01, 0, 0, 0},
	{"moody", 0.005, 0.02, 0.15, 0.02, 0, 0},
	{"lucky layouts", 0.03, 0.01, 0.02, 0, 0, 0},
	{"busy", 0.12, 0.15, 0.1, 0.05, 0.8, 0},
	{"hopeless", 0.4, 0.3, 0.1, 0.05, 1.3, 0},
}

// simulated judges runs on simulated machines, where the truth is known. Each run has ten copies of
// the baseline, or a program with 20% more work and one that is 6% faster. A difference of 6% is
// more than a tie may hide.
func simulated(_ context.Context, b *bench) error {
	const copies = 10
	every := []int{0, 1, 2, 3, 4} // launch of a run
	launches := len(every)
	rounds := pick(b, 10, 20)
	runs := pick(b, 2, 8) // for each machine
	r := rand.New(rand.NewPCG(b.o.Seed, 0x73696d))
	var claims, comparisons, found, all, tied, pairs, waits int
	for _, m := range machines {
		for i := range runs {
			p := m.programs(r, copies+2, launches, rounds)
			x := judged(uint64(i), every, p[0], p[1], p[2:]...)
			f, s, n := verdicts(x)
			claims, comparisons, waits = claims+f+s, comparisons+n, waits+waiting(x)
			for range 3 {
				p := m.programs(r, 4, launches, rounds)
				slowed(p[2], 1.2)
				slowed(p[3], 1/1.06)
				x := judged(uint64(i), every, p[0], p[1], p[2], p[3])
				for _, op := range ops {
					if m.gap == 0 {
						all++
						found += bit(stats.Find(x, "other0", op, stats.Fresh).Against == run.Slower)
					}
					pairs++
					tied += bit(stats.Find(x, "other1", op, stats.Fresh).Against == run.Tied)
				}
			}
		}
	}
	// Holm's correction keeps the probability of any claim in a run below 5%. The noise floor makes
	// it much lower.
	allowed := max(1, len(machines)*runs/20)
	b.check("A/A, simulated", fmt.Sprintf("at most %d claims in %d runs of %d copies", allowed, len(machines)*runs, copies),
		fmt.Sprintf("%d claims in %d comparisons", claims, comparisons), claims <= allowed)
	b.check("+20% work, simulated", "seen at least 95% of the time", fmt.Sprintf("%d of %d times", found, all),
		float64(found) >= 0.95*float64(all))
	b.check("6% apart, simulated", "called tied at most 5% of the time", fmt.Sprintf("%d of %d times", tied, pairs),
		float64(tied) <= 0.05*float64(pairs))
	b.check("waiting, simulated", "no copy is taken for a codec that waits",
		fmt.Sprintf("%d of %d copies", waits, len(machines)*runs*copies), waits == 0)
	return nil
}

// slowed multiplies the times of a program by a factor.
func slowed(p map[string][]run.Sample, by float64) {
	for _, op := range ops {
		for k := range p[op] {
			p[op][k].Wall *= by
			p[op][k].CPU *= by
		}
	}
}

// waiting counts the contenders that are not ranked because they seem to wait.
func waiting(r *run.Run) int {
	n := 0
	for _, c := range r.Contenders {
		n += bit(strings.Contains(c.Rankless, " waits: "))
	}
	return n
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// programs returns samples of n copies of one program. With memory, the mood of a round passes into
// that of the next one while the programs take their turns, so pairing cancels only part of it.
func (m machine) programs(r *rand.Rand, n, launches, rounds int) []map[string][]run.Sample {
	out := make([]map[string][]run.Sample, n)
	for i := range out {
		out[i] = map[string][]run.Sample{}
	}
	luck, gap := make([]float64, n), make([]float64, n)
	mood, round := m.noise(r, m.mood), make([]func() float64, n)
	next := mood()
	for l := range launches {
		for i := range luck {
			luck[i] = m.launch * r.NormFloat64()
			gap[i] = m.gap * math.Abs(r.NormFloat64())
			round[i] = m.noise(r, m.round)
		}
		for k := range rounds {
			now := next
			next = mood()
			for i := range n {
				for _, op := range ops {
					passed := 0.0 // how much of the mood's change has passed at this program's turn
					if m.memory > 0 {
						passed = r.Float64()
					}
					ns := 1000 * math.Exp(now+passed*(next-now)+luck[i]+round[i]())
					if r.Float64() < m.interrupted {
						ns *= 1.5
					}
					out[i][op] = append(out[i][op], run.Sample{Launch: l, Round: k, N: 100,
						Wall: ns * math.Exp(gap[i]+m.gap/2*math.Abs(r.NormFloat64())), CPU: ns})
				}
			}
		}
	}
	return out
}

// noise returns a source of deviations. Successive ones are correlated by m.memory.
func (m machine) noise(r *rand.Rand, deviation float64) func() float64 {
	last := deviation * r.NormFloat64()
	return func() float64 {
		last = m.memory*last + math.Sqrt(1-m.memory*m.memory)*deviation*r.NormFloat64()
		return last
	}
}
