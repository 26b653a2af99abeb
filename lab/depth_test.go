package lab

import (
	"testing"
	"time"
)

// TestDepth: what a depth promises does not give way to its budget; a budget that the user
// names is kept.
func TestDepth(t *testing.T) {
	for _, name := range []string{"", "quick", "standard", "paper"} {
		d, err := ParseDepth(name)
		if err != nil {
			t.Fatal(err)
		}
		own, named := d.schedule(0), d.schedule(time.Second)
		if named.Budget != time.Second || named.MinLaunches != 0 || named.MinRounds != 0 {
			t.Errorf("%s within a second: %+v", d, named)
		}
		if own.Launches < 5 || own.Rounds < 20 || own.MinBatch < 10*time.Millisecond || own.Budget != d.Budget() {
			t.Errorf("%s: %+v", d, own)
		}
		if sure := own.MinLaunches == own.Launches && own.MinRounds == own.Rounds; sure != (d != Quick) {
			t.Errorf("%s: %d of %d launches and %d of %d rounds are sure", d, own.MinLaunches, own.Launches, own.MinRounds, own.Rounds)
		}
	}
	if _, err := ParseDepth("deep"); err == nil {
		t.Error("a depth that is none was taken")
	}
}
