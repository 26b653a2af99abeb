package contention

import (
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// level is the family-wise error rate: the probability of reporting any two of the compared ways as
// different when no two are.
const level = 0.05

// wall returns the readings that are compared.
func wall(w *Way) []float64 { return w.NS }

// against estimates how many times longer way w takes than way base, from readings taken in turns.
// The second result is false if there are too few readings or processes to decide.
func against(w, base Way) (stats.Result, bool) {
	clusters := experiment.Logs(&w, &base, wall)
	// One process says nothing about the next one, and a few readings nothing about their spread.
	return stats.Locate(clusters, 1), len(clusters) > 1 && clusters.N() >= 6
}

// settle sets r.apart, the largest p-value at which two ways are called different. It applies
// Holm's correction over all pairs that the tables show. Without the correction almost every report
// would call some equal ways different, since it has dozens of pairs and each is wrong one time in
// twenty.
func (r *Result) settle() {
	var p []float64
	add := func(ways []Way, base int) {
		if base >= len(ways) {
			return
		}
		for i, w := range ways {
			if i == base {
				continue
			}
			if e, enough := against(w, ways[base]); enough {
				p = append(p, e.P)
			}
		}
	}
	for _, m := range []map[string][]Way{r.Pool, r.Sharing, r.Publish} {
		for _, ways := range m {
			add(ways, reference(ways))
		}
	}
	add(r.MiB, 1)
	slices.Sort(p)
	r.apart = -1
	for i, adjusted := range stats.Holm(p) {
		if adjusted < level {
			r.apart = max(r.apart, p[i])
		}
	}
}

// ratio estimates how many times longer way w takes than way base. decided says whether the ratio
// differs from 1 beyond the noise.
func (r *Result) ratio(w, base Way) (e run.Estimate, decided bool) {
	x, enough := against(w, base)
	return experiment.Located(x), enough && x.P <= r.apart
}
