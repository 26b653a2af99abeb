package contention

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// readings are n of about the given time, noisy.
func readings(name string, n int, ns float64, seed uint64) Way {
	r := rand.New(rand.NewPCG(seed, 0))
	w := Way{Name: name}
	for range n {
		w.NS = append(w.NS, ns*(1+0.05*r.NormFloat64()))
	}
	return w
}

func TestRatio(t *testing.T) {
	base := readings("a", 15, 100, 1)
	if e, decided := ratio(readings("b", 15, 200, 2), base); !decided || e.Median < 1.8 || e.Median > 2.2 {
		t.Errorf("twice as long: %+v, decided %t", e, decided)
	}
	wrong := 0
	for seed := range uint64(200) {
		if _, decided := ratio(readings("b", 15, 100, 100+seed), readings("a", 15, 100, 500+seed)); decided {
			wrong++
		}
	}
	if wrong > 20 { // 95% of the intervals hold 1
		t.Errorf("%d of 200 pairs of equal ways were told apart", wrong)
	}
	if _, decided := ratio(readings("b", 5, 900, 2), base); decided {
		t.Error("five readings decide nothing")
	}
	if _, decided := ratio(Way{}, base); decided {
		t.Error("no readings decide nothing")
	}
}

// TestMerge: launches add up, and what is missing in one stays.
func TestMerge(t *testing.T) {
	one := func(gets int) *Result {
		return &Result{Pool: map[string][]Way{"c": {{Name: "sync.Pool", NS: []float64{1, 2}, Gets: gets, Hits: gets / 2}}}, MiB: []Way{{NS: []float64{3}}}}
	}
	res := &Result{Pool: map[string][]Way{}, Sharing: map[string][]Way{}, Publish: map[string][]Way{}, HandOff: map[string][]Way{}}
	res.merge("c", one(10))
	res.merge("c", one(30))
	if w := res.Pool["c"][0]; len(w.NS) != 4 || hits(w) != 0.5 || w.Gets != 40 || len(res.MiB[0].NS) != 2 {
		t.Errorf("%+v, %d of 1 MiB", w, len(res.MiB[0].NS))
	}
}

func TestFindings(t *testing.T) {
	pool := []Way{readings("fresh memory", 15, 100, 1), readings("sync.Pool", 15, 40, 2), readings("one per goroutine", 15, 39, 3)}
	pool[1].Gets, pool[1].Hits = 1000, 990
	res := &Result{Codecs: []string{"c"}, Pool: map[string][]Way{"c": pool},
		Publish: map[string][]Way{Alone: {readings("atomic.Pointer", 15, 2, 4), readings("sync.Mutex", 15, 40, 5)}},
		Sharing: map[string][]Way{Alone: {readings("side by side", 15, 7, 6), readings("on lines of their own", 15, 7, 7)}},
		HandOff: map[string][]Way{"c": {readings("by value", 15, 300, 8), readings("pointer", 15, 200, 9), readings("encoded bytes", 15, 9000, 10)}},
		MiB:     []Way{readings("by value", 15, 1e5, 11), readings("pointer", 15, 200, 12), readings("gob bytes", 15, 3e6, 13)}}
	s := strings.Join(findings(res, 8), "\n")
	for _, want := range []string{"hit in 99%", "it pays for c (4", "sync.Mutex costs 2", "side by side and on lines of their own did not differ", "hand over a pointer", "1 MiB takes"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing from:\n%s", want, s)
		}
	}
}
