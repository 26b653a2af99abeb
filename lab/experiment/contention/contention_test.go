package contention

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// readings are n of about the given time, of three processes, noisy.
func readings(name string, n int, ns float64, seed uint64) Way {
	return launched(name, n, ns, 0.01, seed)
}

// launched are readings whose processes differ by a share as well.
func launched(name string, n int, ns, share float64, seed uint64) Way {
	r := rand.New(rand.NewPCG(seed, 0))
	w := Way{Name: name}
	for i := 0; i < n; i += n / 3 {
		luck := math.Exp(share * r.NormFloat64())
		for range n / 3 {
			w.NS = append(w.NS, ns*luck*(1+0.05*r.NormFloat64()))
		}
		w.Each = append(w.Each, n/3)
	}
	return w
}

// compare settles two ways alone.
func compare(w, base Way) (run.Estimate, bool) {
	res := &Result{MiB: []Way{w, base}}
	res.settle()
	return res.ratio(w, base)
}

func TestRatio(t *testing.T) {
	base := readings("a", 15, 100, 1)
	if e, decided := compare(readings("b", 15, 200, 2), base); !decided || e.Median < 1.8 || e.Median > 2.2 {
		t.Errorf("twice as long: %+v, decided %t", e, decided)
	}
	for _, share := range []float64{0, 0.02, 0.2} { // by which processes differ
		wrong := 0
		for seed := range uint64(400) {
			if _, decided := compare(launched("b", 15, 100, share, 1000+seed), launched("a", 15, 100, share, 5000+seed)); decided {
				wrong++
			}
		}
		t.Logf("processes that differ by %g: %d of 400 wrong", share, wrong)
		if wrong > 40 { // 5% are 20; of three processes that differ much, intervals cover some 92%
			t.Errorf("processes that differ by %g: %d of 400 pairs of equal ways were told apart", share, wrong)
		}
	}
	if _, decided := compare(readings("b", 3, 900, 2), base); decided {
		t.Error("three readings decide nothing")
	}
	if _, decided := compare(Way{Name: "b", NS: readings("b", 15, 900, 2).NS}, base); decided {
		t.Error("one process decides nothing")
	}
	if _, decided := compare(Way{}, base); decided {
		t.Error("no readings decide nothing")
	}
}

// TestFamily: of many pairs of equal ways, as the tables compare them, hardly ever is one
// told apart.
func TestFamily(t *testing.T) {
	wrong := 0
	for seed := range uint64(100) {
		res := &Result{Pool: map[string][]Way{}}
		for c := range 10 {
			res.Pool[string(rune('a'+c))] = []Way{launched("fresh memory", 15, 100, 0.05, 1e6+100*seed+uint64(c)),
				launched("sync.Pool", 15, 100, 0.05, 2e6+100*seed+uint64(c))}
		}
		res.settle()
		for _, w := range res.Pool {
			if _, decided := res.ratio(w[0], w[1]); decided {
				wrong++
				break
			}
		}
	}
	if wrong > 15 {
		t.Errorf("in %d of 100 families something was told apart", wrong)
	}
}

// TestJoin: launches add up, and what is missing in one stays.
func TestJoin(t *testing.T) {
	var ways []Way
	for _, gets := range []int{10, 30} {
		ways = experiment.Join(ways, []Way{{Name: "sync.Pool", NS: []float64{1, 2}, Gets: gets, Hits: gets / 2}})
	}
	ways = experiment.Join(ways, nil)
	if w := ways[0]; len(w.NS) != 4 || hits(w) != 0.5 || w.Gets != 40 || len(w.Each) != 2 {
		t.Errorf("%+v", w)
	}
}

func TestFindings(t *testing.T) {
	pool := []Way{readings("fresh memory", 15, 100, 1), readings("sync.Pool", 15, 40, 2), readings("one per goroutine", 15, 39, 3)}
	pool[1].Gets, pool[1].Hits = 1000, 990
	res := &Result{Codecs: []string{"c"}, Pool: map[string][]Way{"c": pool},
		Publish: map[string][]Way{Alone: {readings("atomic.Pointer", 15, 2, 4), readings("sync.Mutex", 15, 40, 5)}},
		Sharing: map[string][]Way{Alone: {readings("side by side", 15, 7, 6), readings("on lines of their own", 15, 7, 7)}},
		HandOff: map[string][]Way{"c": {readings("by value", 15, 300, 8), readings("pointer", 15, 200, 9),
			readings("encoded bytes", 15, 9000, 10)}},
		MiB: []Way{readings("by value", 15, 1e5, 11), readings("pointer", 15, 200, 12), readings("gob bytes", 15, 3e6, 13)}}
	res.settle()
	s := strings.Join(findings(res, 8), "\n")
	for _, want := range []string{"hit in 99%", "it pays for c (", "sync.Mutex costs ",
		"side by side and on lines of their own did not differ", "hand over a pointer", "1 MiB takes"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing from:\n%s", want, s)
		}
	}
}
