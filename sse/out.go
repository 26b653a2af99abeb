package sse

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// FlushPolicy says when what was written to a connection is sent on its way. The zero value
// sends all that waits at once, together, and holds nothing back.
type FlushPolicy struct {
	// MaxDelay is for how long events may be held back to go together with later ones.
	MaxDelay time.Duration
	// MaxBytes are sent without waiting; 0 sets no limit.
	MaxBytes int
}

// FlushEach sends every event by itself.
func FlushEach() FlushPolicy { return FlushPolicy{MaxBytes: 1} }

// FlushBatch holds events back for up to maxDelay, or until maxBytes wait.
func FlushBatch(maxDelay time.Duration, maxBytes int) FlushPolicy {
	return FlushPolicy{MaxDelay: maxDelay, MaxBytes: maxBytes}
}

// Flush4KB is FlushBatch with 4,096 bytes, the size of net/http's own buffer, and up to 100 ms.
func Flush4KB() FlushPolicy { return FlushBatch(100*time.Millisecond, 4096) }

// piece is what one write deadline is for.
const piece = 16 << 10

// out writes to one response under deadlines. A deadline that stays set would reset an idle stream
// of HTTP/2 when it passes, so it is cleared whenever nothing is being written.
type out struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	timeout time.Duration
	policy  FlushPolicy

	armed     int // bytes that may still be written under the deadline that is set
	deadline  time.Time
	unflushed int
	written   int // since it was last looked at
	events    int // the same
	oldest    time.Time
	failed    error
}

func (o *out) arm(n int) {
	if o.armed < n && o.failed == nil {
		o.deadline = time.Now().Add(o.timeout)
		o.failed = o.rc.SetWriteDeadline(o.deadline)
		o.armed = piece
	}
}

// rest clears the deadline, unless a write has failed: what net/http writes at the end must then
// fail as well.
func (o *out) rest() {
	if o.armed > 0 && o.failed == nil {
		o.failed = o.rc.SetWriteDeadline(time.Time{})
	}
	o.armed = 0
}

// write writes b, and flushes what the policy does not hold back.
func (o *out) write(b []byte) {
	for len(b) > 0 && o.failed == nil {
		part := b[:min(len(b), piece)]
		b = b[len(part):]
		o.arm(len(part))
		if o.failed != nil {
			return
		}
		_, o.failed = o.w.Write(part)
		o.armed -= len(part)
		o.unflushed += len(part)
		o.written += len(part)
		if o.policy.MaxBytes > 0 && o.unflushed >= o.policy.MaxBytes {
			o.flush()
		}
	}
}

func (o *out) frame(f *frame) {
	if f.kind == eventFrame && f.topic != "" {
		o.events++
		if o.oldest.IsZero() {
			o.oldest = f.at
		}
	}
	o.write(f.bytes)
}

func (o *out) flush() {
	if o.unflushed > 0 && o.failed == nil {
		o.arm(1)
		if o.failed == nil {
			o.failed = o.rc.Flush()
		}
		o.unflushed = 0
	}
}

// late reports whether it was the deadline that made a write fail.
func (o *out) late() bool { return o.failed != nil && !time.Now().Before(o.deadline) }

// last leaves a deadline for what net/http writes when the handler has returned.
func (o *out) last() {
	if o.failed == nil {
		o.armed = 0
		o.arm(1)
	}
}

// probe fails unless a response can be streamed: flushed, with deadlines. It looks through wrappers
// as [http.ResponseController] does, and sends nothing.
func probe(w http.ResponseWriter) (*http.ResponseController, error) {
	if !flushes(w) {
		return nil, fmt.Errorf("sse: serve: %T cannot flush: events would wait in a buffer. http.TimeoutHandler and some "+
			"compressing middleware do that; "+
			"serve events outside of them, or give the wrapper a method Unwrap() http.ResponseWriter", w)
	}
	rc := http.NewResponseController(w)
	err := rc.SetWriteDeadline(time.Time{})
	if err == nil { // what the server allows for reading a request must not end a stream
		if err = rc.SetReadDeadline(time.Time{}); errors.Is(err, http.ErrNotSupported) {
			err = nil // it is then not the server's to end it
		}
	}
	if err != nil {
		return nil, fmt.Errorf("sse: serve: %T takes no write deadline (%w): a client that does not read would be waited for. "+
			"Give the wrapper a method Unwrap() http.ResponseWriter", w, err)
	}
	return rc, nil
}

func flushes(w http.ResponseWriter) bool {
	for {
		switch t := w.(type) {
		case interface{ FlushError() error }, http.Flusher:
			return true
		case interface{ Unwrap() http.ResponseWriter }:
			w = t.Unwrap()
		default:
			return false
		}
	}
}
