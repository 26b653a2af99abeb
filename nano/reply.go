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

// NOTE: an answer is encoded and checked as a whole before its first byte is sent. So whatever goes
// wrong until then (no form in the format, the budget, the contract) can still become a problem
// document or a snapshot. After sendStatus only the connection can be cut. Streams differ: see
// streamwriter.go.

// answer is the status and the header of an answer, and whether they were sent.
type answer struct {
	status int32       // 0 for 200
	coded  bool        // the header had a Content-Encoding before the exchange began
	wrote  bool        // the status is sent
	before http.Header // the header when the function was called; kept if a snapshot may replace the answer
	fields [3]string   // header values, kept here so that setting them allocates nothing
}

// Places in answer.fields.
const (
	fieldVary = iota
	fieldType
	fieldLength
)

// field returns the header value of place i, set to value, as a slice that shares no memory with
// other exchanges.
func (a *answer) field(i int, value string) []string {
	a.fields[i] = value
	return a.fields[i : i+1 : i+1]
}

// varyByAccept adds Accept to the header Vary, unless it is there.
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

// Checker compares answers with a contract, such as an OpenAPI document (adapters/openapix).
type Checker interface {
	// Check is called with an answer that is about to be sent: the value, and its bytes as
	// mediaType, which it must not change. If it returns an error, the answer is not sent and the
	// error's text is logged.
	Check(r *http.Request, status int, mediaType string, v any, body []byte) error
}

// Reply encodes v, a T or a *T, in the negotiated format and writes the whole answer. If that
// format has no form for v, Reply tries the others that Accept allows, best first. An error of
// Reply may still be answered while [Exchange.Written] is false. Afterwards the connection can only
// be cut, as [Exchange.End] does.
//
//	406 Accept allows nothing that is offered, no format that it allows has a form for v, or the
//	    checker refuses the answer
//	500 v cannot be encoded
//	503 encoding took longer than the budget
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

// hasBody reports whether answers of that status have a body (RFC 9110, section 6.4.1).
func hasBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified && status != http.StatusResetContent
}

// nothing answers without a body, by status 204 unless another one is set.
func (x *Exchange) nothing() {
	x.answer.sendStatus(&x.call, x.answer.statusOr(http.StatusNoContent))
}

// sendStatus sends the status and the header. From here on nothing can be taken back.
func (a *answer) sendStatus(q *call, status int) {
	q.limitDrain()
	a.wrote = true
	q.w.WriteHeader(status)
}

// violation returns the answer that replaces one which breaks the contract: 406, since no form of
// that answer is acceptable.
func violation(err error) *Problem {
	return &Problem{
		Status: http.StatusNotAcceptable, Title: "Schema Violation", Err: err, violation: true,
		Detail: "the answer does not keep to the published schema; nothing of it was sent",
	}
}

// encode encodes v in the negotiated format. If that has no form for v, encode tries the other
// formats that Accept allows, best first. The function is not called again for that, and nothing
// was written yet.
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

// withoutForm returns the answer if no format that Accept allows has a form for the value: 406 with
// the media types, in others, that the client might ask for instead.
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

// encode marshals v into a buffer of the pool. If that fails, it marshals the safe form of v, if
// there is one ([WithSafeForm]).
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

// lacks reports whether err says that the format has no form for the value but another format may
// have one: a list, in a format whose messages are structs. A value without a form in JSON is a
// mistake in the program instead.
func (f *format) lacks(err error) bool {
	return codec.ClassOf(err) == codec.ClassUnsupported && !isJSON(f.media) && f.media != ndjson
}

// logSlow logs a slow encoding, at most once a second, because on an overloaded machine everything
// is slow.
func (f *format) logSlow(q *call, v any, size int, d time.Duration) {
	if !q.s.slow.take(time.Second) {
		return
	}
	q.log(slog.LevelWarn, "codec slow", "codec", f.codec.Name(), "op", codec.OpMarshal.String(), "type",
		fmt.Sprintf("%T", v), "size", size, "duration", d)
}

// nano asks a codec for nothing but marshal and unmarshal.
func (f *format) marshal(q *call, v any) (*codec.Buffer, error) {
	return codec.MarshalPooled(f.codec, q.s.pool, v)
}

func (f *format) unmarshal(b []byte, v any) error { return f.codec.Unmarshal(b, v) }

const (
	// writeSize is the number of bytes that are written between two checks of the context.
	writeSize = 64 << 10
	// buffered is the number of bytes that net/http takes without waiting for the client. An answer
	// of at most this size needs no write deadline.
	buffered = 4 << 10
)

// write sends a whole answer. It declares the length first, so that a client notices if the answer
// is cut short.
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
	defer q.limitDrain() // net/http reads what is left of the body after the answer
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

// writeError means that the client stopped reading, which is not the server's fault.
type writeError struct{ err error }

func (e *writeError) Error() string { return "nano: write the answer: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

func (q *call) extendWriteDeadline() {
	if q.s.writeTimeout > 0 {
		setWriteDeadline(q.w, time.Now().Add(q.s.writeTimeout))
	}
}

// clearWriteDeadline lifts the deadline of the last write. If that deadline passed later, it would
// reset an idle HTTP/2 stream.
func (q *call) clearWriteDeadline() {
	if q.s.writeTimeout > 0 {
		setWriteDeadline(q.w, time.Time{})
	}
}

// deadline returns when the budget of an encoding that begins now is used up, or the zero time if
// there is no budget.
func (q *call) deadline() time.Time {
	if q.s.budget == nil {
		return time.Time{}
	}
	return time.Now().Add(q.s.budget.For(&q.ctx, q.key))
}

// late returns an error if the deadline has passed.
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

// The next two functions set deadlines as http.ResponseController does, but do not allocate if a
// response writer has no deadlines. They report whether the deadline was set.

// setReadDeadline returns false if the response writer panics. It recovers the panic because the
// caller may be the goroutine of a timer, where nothing else recovers, or the end of an exchange.
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

// flush sends the bytes that the response writer holds. ok is false if it cannot flush.
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
