package stats

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// TestDepthDoubt: a quick run says what it did not decide and what would.
func TestDepthDoubt(t *testing.T) {
	for depth, want := range map[string]bool{"quick": true, "standard": false, "": false} {
		r := &run.Run{Depth: depth, Noise: run.Noise{Launch: 5, Twin: []run.TwinCell{{}}},
			Cells: []*run.Cell{{Codec: "c", Op: Encode, Mode: Fresh, Rank: true, Against: run.Inconclusive}}}
		s := strings.Join(Doubts(r), "\n")
		if !strings.Contains(s, "undecided") || strings.Contains(s, "-depth standard") != want {
			t.Errorf("depth %q: %s", depth, s)
		}
	}
}
