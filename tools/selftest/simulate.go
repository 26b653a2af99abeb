package selftest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// machine is a simulated machine. Deviations are standard deviations on a log scale.
type machine struct {
	name        string
	launch      float64 // deviation for each program in each launch: layout, hash seeds
	round       float64 // deviation for each program in each round
	mood        float64 // deviation for each round, the same for all programs
	interrupted float64 // probability that another program takes half of a round
	gap         float64 // deviation of wall time from CPU time, for each launch and round
}

// machines are the simulated machines. On the first three, 20% more work must be found. The last
// two have noise floors of about 50% and 250%: there the test requires only that nothing false is
// reported.
var machines = []machine{
	{"calm", 0.002, 0.01, 0.01, 0, 0},
	{"moody", 0.005, 0.02, 0.15, 0.02, 0},
	{"lucky layouts", 0.03, 0.01, 0.02, 0, 0},
	{"busy", 0.12, 0.15, 0.1, 0.05, 0.8},
	{"hopeless", 0.4, 0.3, 0.1, 0.05, 1.3},
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

// programs returns samples of n copies of one program.
func (m machine) programs(r *rand.Rand, n, launches, rounds int) []map[string][]run.Sample {
	out := make([]map[string][]run.Sample, n)
	for i := range out {
		out[i] = map[string][]run.Sample{}
	}
	luck, gap := make([]float64, n), make([]float64, n)
	for l := range launches {
		for i := range luck {
			luck[i] = m.launch * r.NormFloat64()
			gap[i] = m.gap * math.Abs(r.NormFloat64())
		}
		for k := range rounds {
			mood := m.mood * r.NormFloat64()
			for i := range n {
				for _, op := range ops {
					ns := 1000 * math.Exp(mood+luck[i]+m.round*r.NormFloat64())
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
