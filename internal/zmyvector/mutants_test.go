package zmyvector

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

var (
	mutants     = flag.Int("mutants", 20_000, "how many mutants of vectors TestMutants makes")
	mutantsSeed = flag.Uint64("mutants.seed", 1, "what they are drawn from")
)

// TestMutants damages vectors in one to three places and holds what the fuzz tests
// hold: identity of each mutant, and by turns modes, views and the model. Without
// the instrumentation of a fuzzer it tries many times as many in the same time.
func TestMutants(t *testing.T) {
	type seed struct {
		r *Reader
		b []byte
	}
	var seeds []seed
	readers := Readers()
	number := map[string]*Reader{}
	for i := range readers {
		number[readers[i].Name] = &readers[i]
	}
	eachVector(t, func(v *Vector) {
		if r := number[v.Reader]; r != nil {
			if b := v.Bytes(); len(b) <= 1024 {
				seeds = append(seeds, seed{r, b})
			}
		}
	})
	if len(seeds) < 500 {
		t.Fatalf("only %d vectors to damage", len(seeds))
	}
	procs := runtime.GOMAXPROCS(0)
	accepted := make([]int, procs)
	var wg sync.WaitGroup
	for p := range procs {
		wg.Go(func() {
			var c checks
			d := rand.New(rand.NewPCG(*mutantsSeed, uint64(p)))
			for i := range (*mutants + procs - 1) / procs {
				s := seeds[d.IntN(len(seeds))]
				if d.IntN(16) == 0 {
					s.r = &readers[d.IntN(len(readers))] // another type's message
				}
				b := zmymodel.Damage(d, s.b)
				try := []func(*Reader, bool, []byte) error{c.identity}
				switch i % 8 {
				case 0, 4:
					try = append(try, c.modes)
				case 2, 6:
					try = append(try, c.views)
				case 5:
					try = append(try, c.agree)
				}
				exact := d.IntN(4) == 0
				for k, f := range try {
					if err := guarded(f, s.r, exact, b); err != nil {
						t.Errorf("reader %s, exact %t, check %d, mutant %x of %x: %v", s.r.Name, exact, k, b, s.b, err)
						return
					}
				}
				if s.r.Verify(b, zmy.UnmarshalOptions{}) == nil {
					accepted[p]++
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range accepted {
		sum += n
	}
	if sum < *mutants/50 || sum > *mutants*49/50 {
		t.Errorf("%d of %d mutants were accepted: they test one side only", sum, *mutants)
	}
	t.Logf("%d mutants of %d vectors, %d accepted", *mutants, len(seeds), sum)
}

// guarded turns a panic into an error, so that the mutant is named.
func guarded(f func(*Reader, bool, []byte) error, r *Reader, exact bool, b []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f(r, exact, b)
}
