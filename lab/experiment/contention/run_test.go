package contention

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
)

// TestRun measures a small subject, too briefly for its figures to mean anything.
func TestRun(t *testing.T) {
	x := experimenttest.Run(t, &Experiment{Goroutines: 4}, 300*time.Millisecond)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Codecs) != 2 || len(res.MiB) != 4 || len(res.Publish[Alone]) != 3 || len(res.Sharing[Alone]) != 2 {
		t.Fatalf("%d codecs, %d forms of 1 MiB", len(res.Codecs), len(res.MiB))
	}
	for _, c := range res.Codecs {
		if n := len(res.Publish[c][0].NS); n != 3*repeats {
			t.Errorf("%s: %d readings", c, n)
		}
		for _, w := range res.HandOff[c] {
			if w.None != "" || len(w.NS) != 3*repeats {
				t.Errorf("%s, hand-off %s: %d readings, %s", c, w.Name, len(w.NS), w.None)
			}
		}
	}
	if h := hits(res.Pool["std-json"][1]); h <= 0.5 || h > 1 {
		t.Errorf("the pool is hit in %g of all calls", h)
	}
	for _, w := range res.MiB {
		if len(w.NS) != 3*repeats || slices.Min(w.NS) <= 0 {
			t.Errorf("1 MiB, %s: %v ns", w.Name, w.NS)
		}
	}
	if w := res.MiB[2]; w.Bytes < 1<<20 {
		t.Errorf("1 MiB: gob allocates %g bytes", w.Bytes)
	}
}
