package latency

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
)

// TestRun measures a small subject, too briefly for its figures to mean anything.
func TestRun(t *testing.T) {
	x := experimenttest.Run(t, &Experiment{Goroutines: 20, Rounds: 50, Op: "trip", QPS: []float64{1000, 4000},
		For: 50 * time.Millisecond}, 300*time.Millisecond)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Closed) != 2 {
		t.Fatalf("closed loops of %d codecs", len(res.Closed))
	}
	for _, k := range res.Closed {
		if k.N == 0 || k.N+k.Left != 3*20*50 || k.Response.N() != uint64(k.N) || k.Service.Quantile(0.5) > k.Response.Quantile(0.5) ||
			k.Capacity <= 0 {
			t.Errorf("%s: %d requests, P50 %g of which own work %g, capacity %g", k.Codec, k.N, k.Response.Quantile(0.5),
				k.Service.Quantile(0.5), k.Capacity)
		}
	}
	if len(res.Open) != 2*(2+len(shares(lab.Quick))) {
		t.Errorf("%d points of the open loop", len(res.Open))
	}
	for _, p := range res.Open {
		if p.N+p.Left == 0 || p.Late.N() != uint64(p.N+p.Left) || p.Memory.Mapped == 0 {
			t.Errorf("%s at %g: %d answered, %d left, %d handed over, %g bytes", p.Codec, p.QPS, p.N, p.Left, p.Late.N(), p.Memory.Mapped)
		}
	}
}
