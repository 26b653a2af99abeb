package stats

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestDoubts: a terminal gets three lines at most, beside the warnings of others.
func TestDoubts(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 2, Rounds: 3, RoundSD: 0.3})
	r.Host.Load1 = 9
	r.Warnings = []string{"the user must know this", Schedule + "the budget allows less"}
	Fill(r)
	got := Doubts(r)
	if len(got) > 4 || got[0] != "the user must know this" || got[1] != "the budget allows less" || !strings.Contains(got[2], "load 9.0 on") {
		t.Errorf("%d doubts: %q", len(got), got)
	}
	if len(r.Warnings) < 4 {
		t.Errorf("the run itself lost warnings: %q", r.Warnings)
	}
}
