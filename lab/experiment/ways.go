package experiment

import (
	"cmp"
	"math"

	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Way is one way to do a task, with its readings.
type Way = worker.Way

// Join appends the readings of one process, in more, to those of the same ways. For a way that the
// process could not measure, Join records a process without readings.
func Join(ways, more []Way) []Way {
	if ways == nil {
		for _, w := range more {
			ways = append(ways, Way{Name: w.Name})
		}
	}
	for i, w := range more {
		to := &ways[i]
		to.Bytes, to.None = w.Bytes, cmp.Or(w.None, to.None)
		to.Each = append(to.Each, len(w.NS))
		to.NS, to.CPU = append(to.NS, w.NS...), append(to.CPU, w.CPU...)
		to.Gets, to.Hits = to.Gets+w.Gets, to.Hits+w.Hits
	}
	return ways
}

// leastTime is the time in ns that Logs takes for every shorter reading. A clock that is too coarse
// for a way may show 0, which has no logarithm.
const leastTime = 0.01

// Logs returns the logarithms of the readings of w. The call of(w) selects them: w.NS or w.CPU. If
// base is not nil, Logs returns the logarithms of the ratios of w's readings to base's, which were
// taken in turns. Each process is a cluster: two processes of one program differ by more than the
// readings of one process do, since their memory is laid out differently.
func Logs(w, base *Way, of func(*Way) []float64) (c stats.Clusters) {
	var other [][]float64
	if base != nil {
		other = processes(base, of)
	}
	for i, readings := range processes(w, of) {
		var logs []float64
		for k, x := range readings {
			x = max(x, leastTime)
			if base != nil {
				if i >= len(other) || k >= len(other[i]) {
					break
				}
				x /= max(other[i][k], leastTime)
			}
			logs = append(logs, math.Log(x))
		}
		if logs != nil {
			c = append(c, logs)
		}
	}
	return c
}

// processes splits the readings of a way by process.
func processes(w *Way, of func(*Way) []float64) (out [][]float64) {
	readings := of(w)
	if w.Each == nil {
		return [][]float64{readings}
	}
	for _, n := range w.Each {
		out, readings = append(out, readings[:n]), readings[n:]
	}
	return out
}
