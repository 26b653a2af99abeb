package nano

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/zmylab/zmy/codec"
)

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
	status := x.statusOr(http.StatusOK)
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
		b.Observe(x.key, time.Since(x.started))
	}
	if err := x.late(deadline); err != nil {
		return err
	}
	if x.s.checker != nil {
		if err := x.s.checker.Check(x.r, status, x.media, v, buf.B); err != nil {
			return violation(err)
		}
	}
	x.keep(status, buf.B)
	return x.write(status, x.media, buf.B)
}

func (x *Exchange) statusOr(status int) int {
	if x.status != 0 {
		return x.status
	}
	return status
}

// hasBody: RFC 9110, section 6.4.1.
func hasBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified && status != http.StatusResetContent
}

// nothing answers without a body.
func (x *Exchange) nothing() {
	x.sendStatus(x.statusOr(http.StatusNoContent))
}

// sendStatus sends status and header: from here on nothing can be taken back.
func (x *Exchange) sendStatus(status int) {
	x.limitDrain()
	x.wrote = true
	x.w.WriteHeader(status)
}

// violation: the answer breaks the contract, so there is no acceptable form of it.
func violation(err error) *Problem {
	return &Problem{
		Status: http.StatusNotAcceptable, Title: "Schema Violation", Err: err, violation: true,
		Detail: "the answer does not keep to the published schema; nothing of it was sent",
	}
}

// encode marshals v into a pooled buffer, in its safe form if it has no other.
func (x *Exchange) encode(v any) (*codec.Buffer, error) {
	var begin time.Time
	if x.s.slowness > 0 {
		begin = time.Now()
	}
	buf, err := x.marshal(v)
	if err != nil && x.s.safeForm != nil {
		if safe := x.s.safeForm(v, err); safe != nil {
			buf, err = x.marshal(safe)
		}
	}
	if err != nil {
		return nil, x.encodeProblem(err)
	}
	if x.s.slowness > 0 {
		if d := time.Since(begin); d > x.s.slowness {
			x.logSlow(v, len(buf.B), d)
		}
	}
	return buf, nil
}

// encodeProblem: what one codec has no form for at all (a list, in a format whose messages are structs) another
// one may have. What JSON has none for is a mistake of the server's.
func (x *Exchange) encodeProblem(err error) *Problem {
	if codec.ClassOf(err) == codec.ClassUnsupported && !isJSON(x.media) && x.media != ndjson {
		return &Problem{
			Status: http.StatusNotAcceptable, Err: err,
			Detail: "this answer has no form as " + x.media + "; ask for another media type",
		}
	}
	return &Problem{Status: http.StatusInternalServerError, Err: err}
}

// logSlow logs at most once a second: on a machine that has too much to do everything is slow.
func (x *Exchange) logSlow(v any, size int, d time.Duration) {
	if !x.s.slow.take(time.Second) {
		return
	}
	x.log(slog.LevelWarn, "codec slow", "codec", x.codec.Name(), "op", codec.OpMarshal.String(), "type", fmt.Sprintf("%T", v), "size", size, "duration", d)
}

// marshal and unmarshal are all that nano asks of a codec.
func (x *Exchange) marshal(v any) (*codec.Buffer, error) {
	return codec.MarshalPooled(x.codec, x.s.pool, v)
}

func (x *Exchange) unmarshal(c codec.Codec, b []byte, v any) error {
	return codec.WithContext(&x.ctx, c).Unmarshal(b, v)
}

const (
	// writeSize is how much is written between two looks at the context.
	writeSize = 64 << 10
	// buffered is what net/http takes without waiting for the client, so that no deadline is needed.
	buffered = 4 << 10
)

// write sends a whole answer. Its length is declared first: whatever cuts it short, the
// client notices.
func (x *Exchange) write(status int, mediaType string, body []byte) error {
	h := x.w.Header()
	h["Content-Type"] = x.field(fieldType, mediaType)
	h["Content-Length"] = x.field(fieldLength, strconv.Itoa(len(body)))
	x.sendStatus(status)
	if x.r.Method == http.MethodHead {
		return nil
	}
	if len(body) <= buffered {
		return x.wroteAll(x.w.Write(body))
	}
	defer x.clearWriteDeadline()
	defer x.limitDrain() // of what is left behind the answer
	for len(body) > 0 {
		if err := x.r.Context().Err(); err != nil {
			return err
		}
		x.extendWriteDeadline()
		n := min(len(body), writeSize)
		err := x.wroteAll(x.w.Write(body[:n]))
		x.liftDrain()
		if err != nil {
			return err
		}
		body = body[n:]
	}
	return nil
}

func (x *Exchange) wroteAll(_ int, err error) error {
	if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		return &writeError{err}
	}
	return nil
}

// writeError: the client took no more, which is no fault of the server's.
type writeError struct{ err error }

func (e *writeError) Error() string { return "nano: write the answer: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

func (x *Exchange) extendWriteDeadline() {
	if x.s.writeTimeout > 0 {
		setWriteDeadline(x.w, time.Now().Add(x.s.writeTimeout))
	}
}

// clearWriteDeadline lifts the deadline of the last write: one that passes later resets
// an idle HTTP/2 stream.
func (x *Exchange) clearWriteDeadline() {
	if x.s.writeTimeout > 0 {
		setWriteDeadline(x.w, time.Time{})
	}
}

// deadline is when what is encoded from now on is late; zero for never.
func (x *Exchange) deadline() time.Time {
	if x.s.budget == nil {
		return time.Time{}
	}
	return time.Now().Add(x.s.budget.For(&x.ctx, x.key))
}

// late is an error if the deadline has passed.
func (x *Exchange) late(deadline time.Time) error {
	if deadline.IsZero() || !time.Now().After(deadline) {
		return nil
	}
	return &Problem{
		Status: http.StatusServiceUnavailable, Detail: "the answer took too long to encode", RetryAfter: time.Second, instead: "encode-timeout",
		Err: fmt.Errorf("nano: encoded %v beyond its budget: %w", time.Since(deadline), context.DeadlineExceeded),
	}
}
