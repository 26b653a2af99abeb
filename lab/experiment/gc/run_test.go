package gc

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
)

// TestRun measures a small subject, too briefly for its figures to mean anything.
func TestRun(t *testing.T) {
	x := experimenttest.Run(t, &Experiment{Retain: 4}, 300*time.Millisecond)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Codecs) != 2 || len(res.Alloc) != 4 || len(res.Ages) != 2 {
		t.Fatalf("%d codecs, %d profiles, %d lifetimes", len(res.Codecs), len(res.Alloc), len(res.Ages))
	}
	for _, r := range res.Rows {
		if len(r.Reading) != 3 || r.Reading[0].N != r.N || r.median(allocPer) <= 0 {
			t.Errorf("%s %s %s: %d readings of %d operations, %g allocations", r.Codec, r.Op, r.Setting, len(r.Reading), r.N, r.median(allocPer))
		}
		if r.Setting == Off && r.Reading[0].Cycles != 0 {
			t.Errorf("%s %s: %d collections with the collector off", r.Codec, r.Op, r.Reading[0].Cycles)
		}
	}
}
