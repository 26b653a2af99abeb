package nano

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/zmylab/zmy/codec"
)

// streamWriter numbers the frames of a stream, gathers them and sends them.
type streamWriter struct {
	x      *Exchange
	seq    uint64 // of the last frame
	lines  bool
	out    *codec.Buffer // frames that were not sent yet
	broken bool          // a write failed
	armed  time.Time     // when the write deadline was set, zero if it is not
	kept   recording     // for a snapshot
	pulse  pulse
}

// element encodes v and sends it. If v cannot be encoded, element sends a fault frame. If that
// would be the first frame of the whole stream, element returns the error instead, and it becomes
// the answer.
func (w *streamWriter) element(v any) error {
	x := w.x
	deadline := x.deadline()
	buf, err := x.format.encode(&x.call, v)
	if err != nil && x.format.lacks(err) {
		err = withoutForm([]format{x.format}, nil, err)
	}
	if err == nil && len(buf.B) > x.s.maxFrame {
		err = fmt.Errorf("%w: %d bytes, limit %d", codec.ErrTooLarge, len(buf.B), x.s.maxFrame)
		buf.Release()
	}
	if err != nil {
		if w.seq == 0 && !x.answer.wrote { // a resumed stream has begun with a status of success
			return err
		}
		return w.fault(err)
	}
	defer buf.Release()
	if err := x.late(deadline); err != nil {
		return err
	}
	if x.s.checker != nil {
		if err := x.s.checker.Check(x.r, http.StatusOK, x.format.media, v, buf.B); err != nil {
			return violation(err)
		}
	}
	return w.send(frame{kind: frameData, payload: buf.B})
}

func (w *streamWriter) fault(err error) error {
	p := *problemOf(err)
	p.Detail = "this element cannot be encoded"
	w.x.logProblem(&p)
	return w.send(frame{kind: frameFault, payload: p.JSON()})
}

// send appends a frame to those that wait, and sends them if they are enough (see [WithFlush]).
func (w *streamWriter) send(f frame) error {
	w.pulse.mu.Lock()
	defer w.pulse.mu.Unlock()
	if f.kind == frameFault {
		w.kept.stop() // a stream that lacks an element must not become a snapshot
	}
	w.append(f)
	if w.x.answer.wrote && len(w.out.B) < w.x.s.flushBytes {
		w.pulse.gathers(w)
		return nil
	}
	return w.flush()
}

func (w *streamWriter) append(f frame) {
	w.seq++
	f.seq = w.seq
	w.out.B = appendFrame(w.out.B, w.lines, f)
}

// complete ends a stream that has sent all its elements.
func (w *streamWriter) complete() error {
	err := w.end(frame{kind: frameComplete})
	if err == nil {
		w.kept.keep()
	}
	return err
}

func (w *streamWriter) end(f frame) error {
	w.pulse.stop()
	w.append(f)
	return w.flush()
}

// flush sends the frames that wait.
func (w *streamWriter) flush() error {
	w.begin()
	w.kept.add(w.out.B)
	err := w.write(w.out.B)
	w.out.B = w.out.B[:0]
	w.pulse.sent(w)
	return err
}

// write writes b and flushes the response writer, under one deadline.
func (w *streamWriter) write(b []byte) error {
	if w.broken {
		return &writeError{errBroken}
	}
	w.arm()
	_, err := w.x.w.Write(b)
	if err == nil {
		_, err = flush(w.x.w)
	}
	w.x.liftDrain()
	if err != nil {
		w.broken = true
		return &writeError{err}
	}
	if w.x.r.ProtoMajor != 1 { // the deadline could pass before the next element: see clearWriteDeadline
		w.disarm()
	}
	return nil
}

// arm renews the write deadline once a quarter of it has passed. Renewing it for each write would
// cost half a microsecond each time.
func (w *streamWriter) arm() {
	timeout := w.x.s.writeTimeout
	if timeout <= 0 {
		return
	}
	if now := time.Now(); w.armed.IsZero() || now.Sub(w.armed) > timeout/4 {
		setWriteDeadline(w.x.w, now.Add(timeout))
		w.armed = now
	}
}

func (w *streamWriter) disarm() {
	if !w.armed.IsZero() {
		w.x.clearWriteDeadline()
		w.armed = time.Time{}
	}
}

// begin sends the header, unless it was sent.
func (w *streamWriter) begin() {
	x := w.x
	if x.answer.wrote {
		return
	}
	h := x.w.Header()
	h["Content-Type"] = x.answer.field(fieldType, x.format.media)
	h.Del("Content-Length")
	if h["Cache-Control"] == nil {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("X-Accel-Buffering", "no") // nginx would gather frames
	if x.resume.token != "" {
		h.Set(ResumeToken, x.resume.token)
	}
	x.answer.sendStatus(&x.call, x.answer.statusOr(http.StatusOK))
}

func (w *streamWriter) close() {
	w.pulse.stop()
	w.disarm()
	w.kept.stop()
	if w.x.answer.wrote {
		w.x.limitDrain()
	}
	w.out.Release()
}

// pulse is the timer of a stream. While the iterator is busy or waits, it sends frames that have
// waited for the delay of [WithFlush], and signs of life. It starts with the first bytes of the
// stream. It writes from the timer's goroutine, so every write to the stream needs the lock.
type pulse struct {
	mu       sync.Mutex
	timer    *time.Timer // nil before the first bytes, and if there is neither heartbeat nor delay
	due      time.Time   // when the timer fires
	last     time.Time   // when something was last sent
	gathered time.Time   // since when frames have waited, zero if none wait
	stopped  bool
}

var errBroken = errors.New("an earlier write has failed")

// sent notes that no frame waits any longer.
func (p *pulse) sent(w *streamWriter) {
	if p.stopped || w.x.s.heartbeat <= 0 && w.x.s.flushDelay <= 0 {
		return
	}
	p.last, p.gathered = time.Now(), time.Time{}
	if p.timer == nil && w.x.s.heartbeat > 0 {
		p.wake(w, p.last.Add(w.x.s.heartbeat))
	}
}

// gathers notes that a frame waits to be sent.
func (p *pulse) gathers(w *streamWriter) {
	if p.gathered.IsZero() && w.x.s.flushDelay > 0 {
		p.gathered = time.Now()
		p.wake(w, p.gathered.Add(w.x.s.flushDelay))
	}
}

// wake has the timer fire at t, unless it fires earlier anyway.
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

// beat runs when the timer fires: it sends what is due and sets the timer again. A frame that is
// sent does not reset the timer, because that would cost time for each frame. Instead, beat checks
// when the last frame was sent.
func (p *pulse) beat(w *streamWriter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || w.broken {
		return
	}
	defer func() { // nothing else recovers in the goroutine of a timer
		if recover() != nil {
			w.broken = true
		}
	}()
	p.due = time.Time{}
	now, s := time.Now(), w.x.s
	switch {
	case !p.gathered.IsZero() && now.Sub(p.gathered) >= s.flushDelay:
		_ = w.flush() // after an error the next frame fails too
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

// stop ends the pulse. When it returns, no beat is running, and none will write.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if p.timer != nil {
		p.timer.Stop()
	}
}
