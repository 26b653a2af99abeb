package harness

import (
	"fmt"
	"time"
)

// MostStarved is how many times its limit a worker may take, however long it waits for a processor.
const MostStarved = 10

// TooBusy ends the reason of a [Dead] worker that others have kept from running.
const TooBusy = "this machine is too busy"

// lateness decides when a worker that owes an answer is given up. Time in which its threads were
// ready and waited for a processor is not its own: on a busy machine every codec would seem to
// hang.
type lateness struct {
	limit  time.Duration
	start  time.Time
	waited func() time.Duration // how long threads of the process have waited for a processor
	before time.Duration        // waited at the start
}

func (p *Process) lateness(limit time.Duration) *lateness {
	waited := func() time.Duration { return waitedForProcessor(p.cmd.Process.Pid) }
	return &lateness{limit: limit, start: time.Now(), waited: waited, before: waited()}
}

// own is the time since the start, without what the worker has waited for a processor. Threads wait
// beside each other, so it is at least a tenth of the time.
func (l *lateness) own() time.Duration {
	passed := time.Since(l.start)
	return max(passed-(l.waited()-l.before), passed/MostStarved)
}

// next is when to look again.
func (l *lateness) next() time.Duration { return max(l.limit-l.own(), 10*time.Millisecond) }

// why says that the worker is late, or is "".
func (l *lateness) why() string {
	passed := time.Since(l.start)
	switch {
	case l.own() < l.limit:
		return ""
	case passed >= MostStarved*l.limit:
		return fmt.Sprintf("no answer within %s, most of which its threads waited for a processor: "+TooBusy, passed.Round(time.Second))
	}
	return fmt.Sprintf("no answer within %s", l.limit)
}
