package lab

import (
	"cmp"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/measure"
)

// Depth says how much is measured.
type Depth string

const (
	Quick    Depth = "quick"    // as much as a minute allows; the codec table stops earlier, see brief
	Standard Depth = "standard" // 5 launches × 20 rounds, in batches of at least 10 ms; fewer only if the user names a budget
	Paper    Depth = "paper"    // for published figures: 10 launches × 40 rounds, else as Standard
)

// ParseDepth returns the Depth that s names; "" is Quick.
func ParseDepth(s string) (Depth, error) {
	switch d := Depth(s); d {
	case "":
		return Quick, nil
	case Quick, Standard, Paper:
		return d, nil
	}
	return "", fmt.Errorf("%q is no depth: choose quick, standard or paper", s)
}

// Budget returns the time for the rounds if the user names none. Standard and Paper keep to the
// launches and rounds that they promise, even if these take longer.
func (d Depth) Budget() time.Duration {
	return cmp.Or(map[Depth]time.Duration{Standard: 5 * time.Minute, Paper: 20 * time.Minute}[d], time.Minute)
}

// Bounds on the rounds of the codec table at depth Quick, if the user names no budget.
const (
	briefBudget  = 20 * time.Second // for the default codecs, or fewer
	briefLane    = briefBudget / 12 // for each lane, if there are more
	briefReserve = time.Minute      // for any number of lanes, on a busy machine, or with slow codecs
)

// brief reports whether the codec table is measured only until its verdict is proven.
func (o *Options) brief() bool { return o.Depth == Quick && o.Budget <= 0 }

// schedule returns the plan of the codec table's rounds. If the user named a budget, it is kept at
// every depth.
func (d Depth) schedule(budget time.Duration) measure.Config {
	cfg := measure.Config{Budget: budget, Launches: 5, Rounds: 20, MinBatch: 10 * time.Millisecond}
	if d == Paper {
		cfg.Launches, cfg.Rounds = 10, 40
	}
	if budget <= 0 {
		cfg.Budget = d.Budget()
		if d != Quick {
			cfg.MinLaunches, cfg.MinRounds = cfg.Launches, cfg.Rounds
		}
	}
	return cfg
}
