package profile

import (
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// The whole of it on a small subject: the baseline's profile knows reflection, and the
// raw profiles are kept.
func TestRun(t *testing.T) {
	e := experimenttest.Run(t, Experiment{}, 2*time.Second)
	flames := 0
	for _, c := range e.Charts {
		if c.Kind == run.ChartFlame && c.Flame != nil && c.Flame.Value > 0 && len(c.Flame.Calls) > 0 {
			flames++
		}
	}
	if flames < 3 { // of two codecs; on a crowded machine one may have no sample
		t.Errorf("%d flame graphs", flames)
	}
	if !strings.Contains(strings.Join(e.Warnings, "\n"), "go tool pprof") {
		t.Errorf("warnings: %q", e.Warnings)
	}
	spent := 0.0
	for _, table := range e.Tables {
		for _, row := range table.Rows {
			if row[0].Text == "all" {
				spent += *row[1].Value + *row[2].Value
			}
		}
	}
	if spent <= 0 {
		t.Errorf("no time in %+v", e.Tables)
	}
}
