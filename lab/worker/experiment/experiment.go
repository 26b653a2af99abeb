// Package experiment does in the worker what experiments ask for: loads, contention, profiles, the
// collector's work, stores. Package lab/experiment plans these commands and draws conclusions.
//
// NOTE, the map: experiment.go lists the commands; closed.go makes load by callers that wait for
// their answers, open.go by independent callers; shelf.go and store_load.go make load on a store;
// contention.go compares ways of sharing, handoff.go ways of handing messages over, walk.go ways of
// visiting fields; gc.go watches the collector; count.go does operations whose instructions are
// counted; profile.go writes profiles and finds the slowest call.
package experiment

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// Bench is a bench.Bench with the state that experiments keep between commands.
type Bench[N any] struct {
	*bench.Bench[N]
	kept *shelf // the store that this process filled, or nil
}

// Experiment answers a command of an experiment.
func (b *Bench[N]) Experiment(q *worker.Request) (json.RawMessage, error) {
	do := map[string]func(args string) (json.RawMessage, error){
		worker.CmdClosed:    with(b.closedLoop),
		worker.CmdOpen:      with(b.openLoop),
		worker.CmdGC:        with(b.collect),
		worker.CmdAlloc:     with(b.allocTime),
		worker.CmdLifetime:  with(b.lifetime),
		worker.CmdPool:      with(b.poolHits),
		worker.CmdSharing:   with(b.falseSharing),
		worker.CmdPublish:   with(b.publication),
		worker.CmdHandOff:   with(b.handOff),
		worker.CmdWalk:      with(b.walk),
		worker.CmdRepeat:    with(b.again),
		worker.CmdCount:     with(b.count),
		worker.CmdProfile:   with(b.profile),
		worker.CmdWorst:     with(b.worst),
		worker.CmdStoreTry:  with(b.tryStore),
		worker.CmdStoreFill: with(b.fillStore),
		worker.CmdStoreLoad: with(b.storeLoop),
		worker.CmdStoreDrop: with(b.dropStore),
	}[q.Cmd]
	if do == nil {
		return nil, fmt.Errorf("unknown command %q", q.Cmd)
	}
	return do(q.Args)
}

// with returns a function that decodes the argument, calls do, and encodes its answer.
func with[A, R any](do func(*A) (R, error)) func(args string) (json.RawMessage, error) {
	return func(args string) (json.RawMessage, error) {
		a := new(A)
		if err := json.Unmarshal([]byte(args), a); err != nil {
			return nil, fmt.Errorf("arguments: %w", err)
		}
		r, err := do(a)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
}

// again does a task n times, over the values in order.
func (b *Bench[N]) again(a *worker.Repeat) (*worker.Done, error) {
	task, err := b.Task(a.Task)
	if err != nil {
		return nil, err
	}
	do, d := task(), &worker.Done{}
	t0 := time.Now()
	for ; d.N < a.N; d.N++ {
		n, err := do(int(b.Order[d.N%len(b.Order)]))
		if err != nil {
			return nil, err
		}
		d.Bytes += float64(n)
	}
	d.Wall = float64(time.Since(t0))
	return d, nil
}
