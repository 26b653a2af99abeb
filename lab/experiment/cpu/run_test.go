package cpu

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
)

// TestRun measures a small subject, too briefly for its figures to mean anything.
func TestRun(t *testing.T) {
	x := experimenttest.Run(t, &Experiment{}, 300*time.Millisecond)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Codecs) != 2 || res.rateOf("gob", 1) == nil || len(res.Sched) != 2 {
		t.Fatalf("%d codecs, %d loads, %d traces", len(res.Codecs), len(res.Scale), len(res.Sched))
	}
	if len(res.Walks) != 3 || len(res.Walks[0].CPU) != 3*walkRepeats {
		t.Errorf("walks: %+v", res.Walks)
	}
	for _, k := range append(res.Scale, res.Places...) {
		if len(k.Rate) != 3 || k.Rate[0] <= 0 || k.CPU[0] <= 0 {
			t.Errorf("%s %s on %d: %v a second", k.Codec, k.Place, k.Procs, k.Rate)
		}
	}
}
