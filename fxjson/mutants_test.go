package fxjson_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

var (
	mutants     = flag.Int("mutants", 20_000, "how many pairs of damaged documents TestMutants makes")
	mutantsSeed = flag.Uint64("mutants.seed", 1, "what they are drawn from")
)

// TestMutants holds on damaged documents what FuzzDocument holds: the same value, error
// and offset as encoding/json, into fresh and used targets, and by turns the same output.
// Without the instrumentation of a fuzzer it tries many times as many in the same time.
func TestMutants(t *testing.T) {
	const each = 40
	r := rand.New(rand.NewPCG(*mutantsSeed, 3))
	docs := make([][][]byte, len(kinds))
	for i, kind := range kinds {
		for range each {
			docs[i] = append(docs[i], document(r, kind))
		}
	}
	procs := runtime.GOMAXPROCS(0)
	for p := range procs {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*mutantsSeed, uint64(p)))
			for n := range (*mutants + procs - 1) / procs {
				i := r.IntN(len(kinds))
				from := i
				if r.IntN(16) == 0 {
					from = r.IntN(len(kinds)) // another type's document
				}
				doc, doc2 := mutate(r, docs[from][r.IntN(each)]), docs[i][r.IntN(each)]
				if r.IntN(2) == 0 {
					doc2 = mutate(r, doc2)
				}
				checkUnmarshal(t, kinds[i], doc, doc2)
				if n%8 == 0 {
					v := kinds[i]()
					_ = json.Unmarshal(doc, v) // whatever of it fits
					checkMarshal(t, v)
				}
			}
		})
	}
}
