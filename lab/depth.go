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
	Quick    Depth = "quick"    // until the verdict is proven, at most as much as 20 seconds allow, or a minute where these are too few
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
// launches and rounds that they promise, even if these take longer. Quick may stop earlier, see
// stats.Settled; a budget that the user names is spent.
func (d Depth) Budget() time.Duration {
	return cmp.Or(map[Depth]time.Duration{Standard: 5 * time.Minute, Paper: 20 * time.Minute}[d], 20*time.Second)
}

// quickReserve is the time for the rounds of depth Quick on a busy machine, or with slow codecs.
const quickReserve = time.Minute

// schedule returns the plan of the codec table's rounds. If the user named a budget, it is kept at
// every depth.
func (d Depth) schedule(budget time.Duration) measure.Config {
	cfg := measure.Config{Budget: budget, Launches: 5, Rounds: 20, MinBatch: 10 * time.Millisecond}
	if d == Paper {
		cfg.Launches, cfg.Rounds = 10, 40
	}
	if budget <= 0 {
		cfg.Budget = d.Budget()
		if d == Quick {
			cfg.Reserve = quickReserve
		} else {
			cfg.MinLaunches, cfg.MinRounds = cfg.Launches, cfg.Rounds
		}
	}
	return cfg
}
