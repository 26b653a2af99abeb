package profile

import (
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// The whole of it on a small subject: the baseline's profile knows reflection, and the
// raw profiles are kept.
func TestRun(t *testing.T) {
	e := experimenttest.Run(t, Experiment{}, 2*time.Second)
	times, memory := 0, 0
	for _, c := range e.Charts {
		switch {
		case c.Kind != run.ChartFlame || c.Flame == nil:
		case c.Y.Unit == run.UnitNS: // whether samples fell in a moment's work is the machine's affair
			times++
		case c.Y.Unit == run.UnitBytes && c.Flame.Value > 0 && len(c.Flame.Calls) == len(experiment.Ops):
			memory++
		}
	}
	if times != 3 || memory != 2 { // of two codecs, and of the time of one against the other's
		t.Errorf("%d flame graphs of time, %d of memory", times, memory)
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
