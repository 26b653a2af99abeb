package contention

import (
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// level is the family-wise error rate: the probability of calling any two of the compared ways
// different when none are.
const level = 0.05

// against estimates how many times longer way w takes than way base, from readings taken in turns.
// Each process is a cluster: two processes of one program differ by more than the readings of one
// process do, since their memory is laid out differently. The second result is false if there are
// too few readings or processes to decide.
func against(w, base Way) (stats.Result, bool) {
	var clusters stats.Clusters
	each, other := processes(w), processes(base)
	for i := range min(len(each), len(other)) {
		var rs []float64
		for k := range min(len(each[i]), len(other[i])) {
			rs = append(rs, math.Log(each[i][k]/other[i][k]))
		}
		if len(rs) > 0 {
			clusters = append(clusters, rs)
		}
	}
	// One process says nothing about the next one, and a few readings nothing about their spread.
	return stats.Locate(clusters, 1), len(clusters) > 1 && clusters.N() >= 6
}

// location estimates the time of a way. Each process is a cluster of readings.
func location(w Way) run.Estimate {
	var clusters stats.Clusters
	for _, p := range processes(w) {
		var logs []float64
		for _, ns := range p {
			logs = append(logs, math.Log(ns))
		}
		clusters = append(clusters, logs)
	}
	x := stats.Locate(clusters, 1)
	return run.Estimate{Median: x.Point, Lo: x.Lo, Hi: x.Hi, N: x.N}
}

// processes splits the readings of a way by process.
func processes(w Way) (out [][]float64) {
	at := 0
	for _, n := range w.Each {
		out = append(out, w.NS[at:at+n])
		at += n
	}
	if w.Each == nil {
		out = append(out, w.NS)
	}
	return out
}

// settle sets r.apart, the largest p-value at which two ways are called different. It applies
// Holm's correction over all pairs that the tables show.
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
	return run.Estimate{Median: x.Point, Lo: x.Lo, Hi: x.Hi, N: x.N}, enough && x.P <= r.apart
}
