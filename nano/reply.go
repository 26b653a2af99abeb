package nano

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec"
)

// answer is the status and header of an answer, and how far it is sent.
type answer struct {
	status int32       // 0 for 200
	coded  bool        // the header had a Content-Encoding before the exchange began
	wrote  bool        // the status is sent
	before http.Header // as it was when the function was called; kept where a snapshot may replace the answer
	fields [3]string   // header values, so that setting them allocates nothing
}

// Places in answer.fields.
const (
	fieldVary = iota
	fieldType
	fieldLength
)

// field returns a header value that shares no memory with other exchanges.
func (a *answer) field(i int, value string) []string {
	a.fields[i] = value
	return a.fields[i : i+1 : i+1]
}

// varyByAccept adds Accept to the fields by which the answer varies, unless it is there.
func (a *answer) varyByAccept(h http.Header) {
	lines := h["Vary"]
	if len(lines) == 0 {
		h["Vary"] = a.field(fieldVary, "Accept")
		return
	}
	for _, line := range lines {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.TrimSpace(name); name == "*" || strings.EqualFold(name, "Accept") {
				return
			}
		}
	}
	h.Add("Vary", "Accept")
}

// Checker holds answers against a contract, such as an OpenAPI document (adapters/openapix).
type Checker interface {
	// Check looks at an answer that is about to be sent: the value, and its bytes as
	// mediaType, which are read only. An error refuses it; its text goes to the log.
	Check(r *http.Request, status int, mediaType string, v any, body []byte) error
}

// Reply encodes v, a T or a *T, in what was negotiated and writes the whole answer. Nothing was
// written if it returns an error while [Exchange.Written] is false; a write that fails is an
// error after which only the connection can be cut ([Exchange.End] does).
//
//	406 the checker refuses the answer, or nothing that Accept names is offered
//	500 v cannot be encoded
//	503 its encoding took longer than the budget
func (x *Exchange) Reply(v any) error {
	if err := x.NegotiateFor(reflect.TypeOf(v)); err != nil {
		return err
	}
	status := x.answer.statusOr(http.StatusOK)
	if !hasBody(status) {
		x.nothing()
		return nil
	}
	if err := x.ctx.Err(); err != nil {
		return err
	}
	deadline := x.deadline()
	buf, err := x.encode(v)
	if err != nil {
		return err
	}
	defer buf.Release()
	if b := x.s.budget; b != nil {
		b.Observe(x.key, time.Since(x.ending.started))
	}
	if err := x.late(deadline); err != nil {
		return err
	}
	if x.s.checker != nil {
		if err := x.s.checker.Check(x.r, status, x.format.media, v, buf.B); err != nil {
			return violation(err)
		}
	}
	x.keep(status, buf.B)
	return x.answer.write(&x.call, status, x.format.media, buf.B)
}

func (a *answer) statusOr(status int) int {
	if a.status != 0 {
		return int(a.status)
	}
	return status
}

// hasBody: RFC 9110, section 6.4.1.
func hasBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified && status != http.StatusResetContent
}

// nothing answers without a body.
func (x *Exchange) nothing() {
	x.answer.sendStatus(&x.call, x.answer.statusOr(http.StatusNoContent))
}

// sendStatus sends status and header: from here on nothing can be taken back.
func (a *answer) sendStatus(q *call, status int) {
	q.limitDrain()
	a.wrote = true
	q.w.WriteHeader(status)
}

// violation: the answer breaks the contract, so there is no acceptable form of it.
func violation(err error) *Problem {
	return &Problem{
		Status: http.StatusNotAcceptable, Title: "Schema Violation", Err: err, violation: true,
		Detail: "the answer does not keep to the published schema; nothing of it was sent",
	}
}

// encode encodes v in the negotiated format. If that has no form for v, encode tries the other formats
// that Accept allows, best first. Nothing was written so far, and the function is not called again.
func (x *Exchange) encode(v any) (*codec.Buffer, error) {
	buf, err := x.format.encode(&x.call, v)
	if err == nil {
		return buf, nil
	}
	var tried []format
	first := err
	for x.format.lacks(err) {
		tried = append(tried, x.format)
		others, ok := x.formatBeside(reflect.TypeOf(v), tried)
		if !ok {
			return nil, withoutForm(tried, others, first)
		}
		if buf, err = x.format.encode(&x.call, v); err == nil {
			return buf, nil
		}
	}
	return nil, &Problem{Status: http.StatusInternalServerError, Err: err}
}

// withoutForm is the answer where no format that Accept allows has a form for the value. The media
// types in others are those that the client might ask for.
func withoutForm(tried []format, others []string, err error) *Problem {
	p := &Problem{Status: http.StatusNotAcceptable, Accepts: others, Err: err, Detail: "this answer has no form as " + tried[0].media}
	for _, f := range tried[1:] {
		p.Detail += " or " + f.media
	}
	if len(others) > 0 {
		p.Detail += "; ask for another media type"
	}
	return p
}

// encode marshals v into a pooled buffer. If that fails, it marshals the safe form of v, if there is
// one.
func (f *format) encode(q *call, v any) (*codec.Buffer, error) {
	var begin time.Time
	if q.s.slowness > 0 {
		begin = time.Now()
	}
	buf, err := f.marshal(q, v)
	if err != nil && q.s.safeForm != nil {
		if safe := q.s.safeForm(v, err); safe != nil {
			buf, err = f.marshal(q, safe)
		}
	}
	if err != nil {
		return nil, err
	}
	if q.s.slowness > 0 {
		if d := time.Since(begin); d > q.s.slowness {
			f.logSlow(q, v, len(buf.B), d)
		}
	}
	return buf, nil
}

// lacks reports whether err says that the format has no form for the value, which another format
// may have: a list, in a format whose messages are structs. A value that JSON has no form for is a
// mistake of the server's.
func (f *format) lacks(err error) bool {
	return codec.ClassOf(err) == codec.ClassUnsupported && !isJSON(f.media) && f.media != ndjson
}

// logSlow logs at most once a second: on a machine that has too much to do everything is slow.
func (f *format) logSlow(q *call, v any, size int, d time.Duration) {
	if !q.s.slow.take(time.Second) {
		return
	}
	q.log(slog.LevelWarn, "codec slow", "codec", f.codec.Name(), "op", codec.OpMarshal.String(), "type",
		fmt.Sprintf("%T", v), "size", size, "duration", d)
}

// marshal and unmarshal are all that nano asks of a codec.
func (f *format) marshal(q *call, v any) (*codec.Buffer, error) {
	return codec.MarshalPooled(f.codec, q.s.pool, v)
}

func (q *call) unmarshal(c codec.Codec, b []byte, v any) error {
	return codec.WithContext(&q.ctx, c).Unmarshal(b, v)
}

const (
	// writeSize is how much is written between two looks at the context.
	writeSize = 64 << 10
	// buffered is what net/http takes without waiting for the client, so that no deadline is
	// needed.
	buffered = 4 << 10
)

// write sends a whole answer. Its length is declared first: whatever cuts it short, the
// client notices.
func (a *answer) write(q *call, status int, mediaType string, body []byte) error {
	h := q.w.Header()
	h["Content-Type"] = a.field(fieldType, mediaType)
	h["Content-Length"] = a.field(fieldLength, strconv.Itoa(len(body)))
	a.sendStatus(q, status)
	if q.r.Method == http.MethodHead {
		return nil
	}
	if len(body) <= buffered {
		return wroteAll(q.w.Write(body))
	}
	defer q.clearWriteDeadline()
	defer q.limitDrain() // of what is left behind the answer
	for len(body) > 0 {
		if err := q.r.Context().Err(); err != nil {
			return err
		}
		q.extendWriteDeadline()
		n := min(len(body), writeSize)
		err := wroteAll(q.w.Write(body[:n]))
		q.liftDrain()
		if err != nil {
			return err
		}
		body = body[n:]
	}
	return nil
}

func wroteAll(_ int, err error) error {
	if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		return &writeError{err}
	}
	return nil
}

// writeError: the client took no more, which is no fault of the server's.
type writeError struct{ err error }

func (e *writeError) Error() string { return "nano: write the answer: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

func (q *call) extendWriteDeadline() {
	if q.s.writeTimeout > 0 {
		setWriteDeadline(q.w, time.Now().Add(q.s.writeTimeout))
	}
}

// clearWriteDeadline lifts the deadline of the last write: one that passes later resets
// an idle HTTP/2 stream.
func (q *call) clearWriteDeadline() {
	if q.s.writeTimeout > 0 {
		setWriteDeadline(q.w, time.Time{})
	}
}

// deadline is when what is encoded from now on is late; zero for never.
func (q *call) deadline() time.Time {
	if q.s.budget == nil {
		return time.Time{}
	}
	return time.Now().Add(q.s.budget.For(&q.ctx, q.key))
}

// late is an error if the deadline has passed.
func (q *call) late(deadline time.Time) error {
	if deadline.IsZero() || !time.Now().After(deadline) {
		return nil
	}
	return &Problem{
		Status: http.StatusServiceUnavailable, Detail: "the answer took too long to encode", RetryAfter: time.Second,
		instead: "encode-timeout",
		Err:     fmt.Errorf("nano: encoded %v beyond its budget: %w", time.Since(deadline), context.DeadlineExceeded),
	}
}

// Deadlines are set as http.ResponseController does it, but without an allocation where a
// response writer has none. They report whether the deadline is set.

// setReadDeadline treats a response writer that panics as one without deadlines: the caller may be
// the goroutine of a timer, where nothing recovers, or the end of an exchange.
func setReadDeadline(w http.ResponseWriter, t time.Time) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for {
		switch v := w.(type) {
		case interface{ SetReadDeadline(time.Time) error }:
			return v.SetReadDeadline(t) == nil
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false
		}
	}
}

func setWriteDeadline(w http.ResponseWriter, t time.Time) bool {
	for {
		switch v := w.(type) {
		case interface{ SetWriteDeadline(time.Time) error }:
			return v.SetWriteDeadline(t) == nil
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false
		}
	}
}

// flush sends what the response writer holds; without the means to it reports false.
func flush(w http.ResponseWriter) (ok bool, err error) {
	for {
		switch v := w.(type) {
		case interface{ FlushError() error }:
			return true, v.FlushError()
		case http.Flusher:
			v.Flush()
			return true, nil
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false, nil
		}
	}
}
