package sse

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// FlushPolicy says when written events are flushed to the client. The zero value writes all events
// that wait, then flushes once, and holds nothing back.
type FlushPolicy struct {
	// MaxDelay is how long events may be held back so that later ones are flushed with them.
	MaxDelay time.Duration
	// MaxBytes is the number of written bytes from which they are flushed without waiting for
	// MaxDelay; 0 means no limit.
	MaxBytes int
}

// FlushEach flushes after every event.
func FlushEach() FlushPolicy { return FlushPolicy{MaxBytes: 1} }

// FlushBatch holds events back for up to maxDelay, or until maxBytes were written.
func FlushBatch(maxDelay time.Duration, maxBytes int) FlushPolicy {
	return FlushPolicy{MaxDelay: maxDelay, MaxBytes: maxBytes}
}

// Flush4KB is FlushBatch with 4,096 bytes, the size of net/http's own buffer, and 100 ms.
func Flush4KB() FlushPolicy { return FlushBatch(100*time.Millisecond, 4096) }

// piece is how many bytes are written under one deadline.
const piece = 16 << 10

// out writes to one response under deadlines. If a deadline passes on an idle HTTP/2 stream, the
// stream is reset. So the deadline is cleared whenever nothing is being written.
type out struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	timeout time.Duration
	policy  FlushPolicy

	armed     int // bytes that may still be written under the deadline that is set
	deadline  time.Time
	unflushed int
	written   int // since conn.account last looked
	events    int // likewise
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

// rest clears the deadline. After a failed write it keeps the deadline, so that what net/http
// writes at the end of the handler fails too.
func (o *out) rest() {
	if o.armed > 0 && o.failed == nil {
		o.failed = o.rc.SetWriteDeadline(time.Time{})
	}
	o.armed = 0
}

// write writes b, and flushes when the policy's MaxBytes are reached.
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

// late reports whether a write failed because of its deadline.
func (o *out) late() bool { return o.failed != nil && !time.Now().Before(o.deadline) }

// last sets a deadline for what net/http writes after the handler has returned.
func (o *out) last() {
	if o.failed == nil {
		o.armed = 0
		o.arm(1)
	}
}

// probe returns an error unless the response can be flushed and takes write deadlines. It looks
// through wrappers as [http.ResponseController] does, and sends nothing. It clears both deadlines.
func probe(w http.ResponseWriter) (*http.ResponseController, error) {
	if !flushes(w) {
		return nil, fmt.Errorf("sse: serve: %T cannot flush: events would wait in a buffer. http.TimeoutHandler and some "+
			"compressing middleware do that; "+
			"serve events outside of them, or give the wrapper a method Unwrap() http.ResponseWriter", w)
	}
	rc := http.NewResponseController(w)
	err := rc.SetWriteDeadline(time.Time{})
	if err == nil { // the server's limit for reading a request must not end the stream
		if err = rc.SetReadDeadline(time.Time{}); errors.Is(err, http.ErrNotSupported) {
			err = nil // then the server cannot end it by that limit either
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
