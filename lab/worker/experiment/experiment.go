package experiment

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// Bench are a bench and what experiments keep on it.
type Bench[N any] struct {
	*bench.Bench[N]
	kept *shelf // the store that this process filled, or nil
}

// Experiment answers a command of an experiment.
func (b *Bench[N]) Experiment(q *worker.Request) (json.RawMessage, error) {
	switch q.Cmd {
	case worker.CmdClosed:
		return with(q, b.closedLoop)
	case worker.CmdOpen:
		return with(q, b.openLoop)
	case worker.CmdGC:
		return with(q, b.collect)
	case worker.CmdAlloc:
		return with(q, b.allocTime)
	case worker.CmdLifetime:
		return with(q, b.lifetime)
	case worker.CmdPool:
		return with(q, b.poolHits)
	case worker.CmdSharing:
		return with(q, b.falseSharing)
	case worker.CmdPublish:
		return with(q, b.publication)
	case worker.CmdHandOff:
		return with(q, b.handOff)
	case worker.CmdWalk:
		return with(q, b.walk)
	case worker.CmdRepeat:
		return with(q, b.again)
	case worker.CmdProfile:
		return with(q, b.profile)
	case worker.CmdWorst:
		return with(q, b.worst)
	case worker.CmdStoreTry:
		return with(q, b.tryStore)
	case worker.CmdStoreFill:
		return with(q, b.fillStore)
	case worker.CmdStoreLoad:
		return with(q, b.storeLoop)
	case worker.CmdStoreDrop:
		return with(q, b.dropStore)
	}
	return nil, fmt.Errorf("unknown command %q", q.Cmd)
}

// with decodes the argument, calls do, and encodes its answer.
func with[A, R any](q *worker.Request, do func(*A) (R, error)) (json.RawMessage, error) {
	a := new(A)
	if err := json.Unmarshal([]byte(q.Args), a); err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", q.Cmd, err)
	}
	r, err := do(a)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
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
