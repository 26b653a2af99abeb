package shadow

import (
	"context"
	"sync"
	"time"
)

// maxQueued limits the bytes of all messages that wait.
const maxQueued = 16 << 20

// queue passes trials to worker goroutines. Workers are started when there is work, and end when
// there is none. So an idle shadow has no goroutine, and nothing to close.
type queue struct {
	run     func(trial)
	limit   int
	workers int

	mu      sync.Mutex // taken on sampled operations only
	waiting []trial
	bytes   int
	busy    map[int]time.Time // workers by number, and when each began its present trial
	last    int               // number of the worker that started last
	idle    chan struct{}     // closed when nothing waits or runs; nil unless Drain waits
}

func (q *queue) init(limit, workers int, run func(trial)) {
	q.limit, q.workers, q.run = limit, workers, run
	q.busy = map[int]time.Time{}
}

// put queues a trial. It returns false if the queue is full.
func (q *queue) put(tr trial) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= q.limit || q.bytes+len(tr.msg) > maxQueued {
		return false
	}
	q.waiting = append(q.waiting, tr)
	q.bytes += len(tr.msg)
	if len(q.busy) < q.workers {
		q.last++
		q.busy[q.last] = time.Now()
		go q.work(q.last)
	}
	return true
}

// work runs trials until none waits.
func (q *queue) work(id int) {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			delete(q.busy, id)
			if len(q.busy) == 0 && q.idle != nil {
				close(q.idle)
				q.idle = nil
			}
			q.mu.Unlock()
			return
		}
		tr := q.waiting[0]
		q.waiting[0] = trial{}
		q.waiting = q.waiting[1:]
		q.bytes -= len(tr.msg)
		q.busy[id] = time.Now()
		q.mu.Unlock()
		q.run(tr)
	}
}

// state returns how many trials wait, how many workers run, and how long the oldest running trial
// has taken.
func (q *queue) state() (waiting, running int, oldest time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, since := range q.busy {
		oldest = max(oldest, time.Since(since))
	}
	return len(q.waiting), len(q.busy), oldest
}

// Drain waits until no trial waits or runs. Call it before a program ends, or before a test reads
// the report. If ctx ends first, which is the only way out if the candidate hangs, Drain returns
// the error of ctx.
func (t *trials) Drain(ctx context.Context) error {
	q := &t.queue
	q.mu.Lock()
	if len(q.busy) == 0 {
		q.mu.Unlock()
		return nil
	}
	if q.idle == nil {
		q.idle = make(chan struct{})
	}
	idle := q.idle
	q.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
