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
	if flames < 4 {
		t.Errorf("%d flame graphs of two codecs", flames)
	}
	if !strings.Contains(strings.Join(e.Warnings, "\n"), "go tool pprof") {
		t.Errorf("warnings: %q", e.Warnings)
	}
	for _, row := range e.Tables[0].Rows {
		if row[0].Text == "all" && *row[1].Value > 0 {
			return
		}
	}
	t.Errorf("no time in %+v", e.Tables[0])
}
