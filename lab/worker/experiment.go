package worker

import (
	"encoding/json"
	"fmt"
	"time"
)

// rigs are a bench and what experiments keep on it.
type rigs[N any] struct {
	*bench[N]
	kept *shelf // the store that this process filled, or nil
}

// experiment answers a command of an experiment.
func (b *rigs[N]) experiment(q *Request) (json.RawMessage, error) {
	switch q.Cmd {
	case CmdClosed:
		return with(q, b.closedLoop)
	case CmdOpen:
		return with(q, b.openLoop)
	case CmdGC:
		return with(q, b.collect)
	case CmdAlloc:
		return with(q, b.allocTime)
	case CmdLifetime:
		return with(q, b.lifetime)
	case CmdPool:
		return with(q, b.poolHits)
	case CmdSharing:
		return with(q, b.falseSharing)
	case CmdPublish:
		return with(q, b.publication)
	case CmdHandOff:
		return with(q, b.handOff)
	case CmdWalk:
		return with(q, b.walk)
	case CmdRepeat:
		return with(q, b.again)
	case CmdProfile:
		return with(q, b.profile)
	case CmdWorst:
		return with(q, b.worst)
	case CmdStoreTry:
		return with(q, b.tryStore)
	case CmdStoreFill:
		return with(q, b.fillStore)
	case CmdStoreLoad:
		return with(q, b.storeLoop)
	case CmdStoreDrop:
		return with(q, b.dropStore)
	}
	return nil, fmt.Errorf("unknown command %q", q.Cmd)
}

// with decodes the argument, calls do, and encodes its answer.
func with[A, R any](q *Request, do func(*A) (R, error)) (json.RawMessage, error) {
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
func (b *rigs[N]) again(a *Repeat) (*Done, error) {
	task, err := b.task(a.Task)
	if err != nil {
		return nil, err
	}
	do, d := task(), &Done{}
	t0 := time.Now()
	for ; d.N < a.N; d.N++ {
		n, err := do(int(b.order[d.N%len(b.order)]))
		if err != nil {
			return nil, err
		}
		d.Bytes += float64(n)
	}
	d.Wall = float64(time.Since(t0))
	return d, nil
}
