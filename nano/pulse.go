package nano

import (
	"errors"
	"sync"
	"time"
)

// pulse sends, while the iterator of a stream is busy or waits, the frames that have waited for
// [WithFlush]'s delay, and signs of life. It begins with the first bytes of the stream. A timer's
// goroutine writes then, so whoever writes holds the lock.
type pulse struct {
	mu       sync.Mutex
	timer    *time.Timer // nil before the first bytes, and where there is nothing to do
	due      time.Time   // when the timer fires
	last     time.Time   // when something was sent
	gathered time.Time   // when the first of the frames came that wait, zero for none
	stopped  bool
}

var errBroken = errors.New("an earlier write has failed")

// sent notes that all has been sent.
func (p *pulse) sent(w *streamWriter) {
	if p.stopped || w.x.s.heartbeat <= 0 && w.x.s.flushDelay <= 0 {
		return
	}
	p.last, p.gathered = time.Now(), time.Time{}
	if p.timer == nil && w.x.s.heartbeat > 0 {
		p.wake(w, p.last.Add(w.x.s.heartbeat))
	}
}

// gathers notes that a frame waits.
func (p *pulse) gathers(w *streamWriter) {
	if p.gathered.IsZero() && w.x.s.flushDelay > 0 {
		p.gathered = time.Now()
		p.wake(w, p.gathered.Add(w.x.s.flushDelay))
	}
}

// wake has the timer fire at t, unless it does so before.
func (p *pulse) wake(w *streamWriter, t time.Time) {
	switch {
	case p.timer == nil:
		p.timer = time.AfterFunc(time.Until(t), func() { p.beat(w) })
	case p.due.IsZero() || t.Before(p.due):
		p.timer.Reset(time.Until(t))
	default:
		return
	}
	p.due = t
}

// beat does what is due. The timer is not set anew with each frame, but looks here what came meanwhile.
func (p *pulse) beat(w *streamWriter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || w.broken {
		return
	}
	defer func() { // this is no goroutine that anybody recovers
		if recover() != nil {
			w.broken = true
		}
	}()
	p.due = time.Time{}
	now, s := time.Now(), w.x.s
	switch {
	case !p.gathered.IsZero() && now.Sub(p.gathered) >= s.flushDelay:
		_ = w.flush() // the next frame fails too
	case s.heartbeat > 0 && now.Sub(p.last) >= s.heartbeat:
		_ = w.write([]byte(sign(w.lines)))
		p.last = now
	}
	if !p.gathered.IsZero() {
		p.wake(w, p.gathered.Add(s.flushDelay))
	}
	if s.heartbeat > 0 {
		p.wake(w, p.last.Add(s.heartbeat))
	}
}

// stop returns once no beat is under way or follows.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if p.timer != nil {
		p.timer.Stop()
	}
}
