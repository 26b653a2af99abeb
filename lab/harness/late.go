package harness

import (
	"fmt"
	"time"
)

// MostStarved bounds the total time that a worker may take, however long it waits for a processor:
// to MostStarved times its limit.
const MostStarved = 10

// TooBusy ends the reason in [Dead] if other processes kept the worker from running.
const TooBusy = "this machine is too busy"

// lateness decides when to give up a worker that owes an answer. Time in which its threads were
// ready but waited for a processor does not count: otherwise every codec would seem to hang on a
// busy machine.
type lateness struct {
	limit  time.Duration
	start  time.Time
	waited func() time.Duration // total time for which threads of the process have waited for a processor
	before time.Duration        // value of waited at the start
}

func (p *Process) lateness(limit time.Duration) *lateness {
	waited := func() time.Duration { return waitedForProcessor(p.cmd.Process.Pid) }
	return &lateness{limit: limit, start: time.Now(), waited: waited, before: waited()}
}

// own returns the time since the start without the time for which the worker waited for a
// processor. Several threads may wait at the same time, so the result is at least 1/MostStarved of
// the time since the start.
func (l *lateness) own() time.Duration {
	passed := time.Since(l.start)
	return max(passed-(l.waited()-l.before), passed/MostStarved)
}

// next returns the time after which to look again.
func (l *lateness) next() time.Duration { return max(l.limit-l.own(), 10*time.Millisecond) }

// why says that the worker is late, or returns "".
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
