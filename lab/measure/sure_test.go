package measure

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestSure: launches and rounds that are to be had at least are had, however small the
// budget; without them it is kept.
func TestSure(t *testing.T) { synctest.Test(t, sure) }

func sure(t *testing.T) {
	for _, c := range []struct {
		launches, rounds int // at least
		want             bool
	}{{5, 20, true}, {0, 0, false}} {
		a, b := &sim{name: "a", ns: 1e6, sleep: 1}, &sim{name: "b", ns: 2e6, sleep: 1}
		cells, stats := measureSims(t, t.Context(), Config{Budget: 500 * time.Millisecond, Launches: 5, Rounds: 20,
			MinLaunches: c.launches, MinRounds: c.rounds}, a, b)
		full := stats.Launches == 5 && stats.Rounds == 100 && len(cells[0].Samples) == 100
		if full != c.want || (len(stats.Warnings) == 0) != c.want {
			t.Errorf("at least %d × %d: %d launches, %d rounds, warnings %q", c.launches, c.rounds, stats.Launches, stats.Rounds, stats.Warnings)
		}
	}
}
