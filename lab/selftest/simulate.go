package selftest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/zmylab/zmy/lab/run"
)

// machine is a simulated one: standard deviations on a log scale.
type machine struct {
	name        string
	launch      float64 // of each program in each launch: layout, hash seeds
	round       float64 // of each program in each round
	mood        float64 // shared by all programs of a round
	interrupted float64 // chance that another program takes half of a round
}

var machines = []machine{
	{"calm", 0.002, 0.01, 0.01, 0},
	{"moody", 0.005, 0.02, 0.15, 0.02},
	{"lucky layouts", 0.03, 0.01, 0.02, 0},
}

// simulated judges runs of simulated machines, where the truth is known and nothing else
// moves: ten programs that are copies of the baseline, and one with a fifth more work.
func simulated(_ context.Context, b *bench) error {
	const copies, launches = 10, 5
	rounds := pick(b, 10, 20)
	runs := pick(b, 2, 8) // of each machine
	r := rand.New(rand.NewPCG(b.o.Seed, 0x73696d))
	claims, comparisons, found, all := 0, 0, 0, 0
	for _, m := range machines {
		for i := range runs {
			p := m.programs(r, copies+2, launches, rounds)
			f, s, n := verdicts(judged(uint64(i), whole(launches), p[0], p[1], p[2:]...))
			claims, comparisons = claims+f+s, comparisons+n
			for range 3 {
				p := m.programs(r, 3, launches, rounds)
				for _, op := range ops {
					for k := range p[2][op] {
						p[2][op][k].Wall *= 1.2
						p[2][op][k].CPU *= 1.2
					}
				}
				_, s, n := verdicts(judged(uint64(i), whole(launches), p[0], p[1], p[2]))
				found, all = found+s, all+n
			}
		}
	}
	// Holm's correction keeps the chance of any claim in a run below 5%; the noise floor
	// makes it far less.
	allowed := max(1, len(machines)*runs/20)
	b.check("A/A, simulated", fmt.Sprintf("at most %d claims in %d runs of %d copies", allowed, len(machines)*runs, copies),
		fmt.Sprintf("%d claims in %d comparisons", claims, comparisons), claims <= allowed)
	b.check("+20% work, simulated", "seen at least 95% of the time", fmt.Sprintf("%d of %d times", found, all), float64(found) >= 0.95*float64(all))
	return nil
}

func whole(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// programs are the samples of n copies of one program.
func (m machine) programs(r *rand.Rand, n, launches, rounds int) []map[string][]run.Sample {
	out := make([]map[string][]run.Sample, n)
	for i := range out {
		out[i] = map[string][]run.Sample{}
	}
	luck := make([]float64, n)
	for l := range launches {
		for i := range luck {
			luck[i] = m.launch * r.NormFloat64()
		}
		for k := range rounds {
			mood := m.mood * r.NormFloat64()
			for i := range n {
				for _, op := range ops {
					ns := 1000 * math.Exp(mood+luck[i]+m.round*r.NormFloat64())
					if r.Float64() < m.interrupted {
						ns *= 1.5
					}
					out[i][op] = append(out[i][op], run.Sample{Launch: l, Round: k, N: 100, Wall: ns, CPU: ns})
				}
			}
		}
	}
	return out
}
