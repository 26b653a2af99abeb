package sweep

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// TestRun measures a small subject, too briefly for its figures to mean anything.
func TestRun(t *testing.T) {
	x := experimenttest.Run(t, &Experiment{Sizes: []int64{1 << 10, 8 << 10, 64 << 10}}, 300*time.Millisecond)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Points) != 2*2*3 || res.Grown != "the length of Items (lists)" {
		t.Errorf("%d points, made by %q", len(res.Points), res.Grown)
	}
	for _, p := range res.Points {
		if p.NS.Median <= 0 || p.Wire <= 0 {
			t.Errorf("%+v", p)
		}
	}
	for _, title := range []string{"encode: time of one operation", "encode: ns per byte", "encode: allocations", "decode: allocations"} {
		i := slices.IndexFunc(x.Tables, func(t run.Table) bool { return t.Title == title })
		if i < 0 || len(x.Tables[i].Rows) != 2 || len(x.Tables[i].Columns) != 4 {
			t.Fatalf("no table %q of two codecs by three sizes", title)
		}
	}
	first, last := res.Points[0], res.Points[len(res.Points)-1]
	if first.Size > 1200 || last.Size < 58_000 {
		t.Errorf("sizes from %g to %g", first.Size, last.Size)
	}
}
