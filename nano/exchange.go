package nano

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Exchange is one request and its answer. It belongs to the goroutine that serves the
// request.
type Exchange struct {
	s       *Service
	w       http.ResponseWriter
	r       *http.Request
	ctx     exchangeContext
	key     Key
	codec   codec.Codec // of the answer, once negotiated
	media   string      // its media type
	stream  bool        // … is that of a stream
	body    bodyReader
	in      any // what Decode stored into
	status  int // of the answer, 0 for 200
	resume  resumption
	started time.Time   // where there is a budget
	done    func(error) // tells the breaker, if it was asked
	trace   string      // once asked for
	coded   bool        // the answer had a Content-Encoding before the exchange began
	read    bool        // the body is read to its end, here or earlier
	limited bool        // limitDrain's deadline is set
	wrote   bool        // the status is sent
	failure error       // why the status that was sent is one of failure
	before  http.Header // of the answer, before the function was called; kept where a snapshot may take the place of its answer
	fields  [3]string   // header values, so that setting them allocates nothing
}

// Places in Exchange.fields.
const (
	fieldVary = iota
	fieldType
	fieldLength
)

// field returns a header value that shares no memory with other exchanges.
func (x *Exchange) field(i int, value string) []string {
	x.fields[i] = value
	return x.fields[i : i+1 : i+1]
}

// exchangeContext is the request's context with the exchange in it, as part of the exchange
// so that it is no allocation of its own.
type exchangeContext struct {
	context.Context
	x *Exchange
}

type exchangeKey struct{}

func (c *exchangeContext) Value(key any) any {
	if _, ok := key.(exchangeKey); ok {
		return c.x
	}
	return c.Context.Value(key)
}

// FromContext returns the exchange that ctx belongs to, nil outside of one.
func FromContext(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

// Context is the request's context, in which [FromContext] finds x.
func (x *Exchange) Context() context.Context { return &x.ctx }

// Request returns the request; its body belongs to the exchange.
func (x *Exchange) Request() *http.Request { return x.r }

// Header returns the header of the answer, to be changed until its first byte is sent.
func (x *Exchange) Header() http.Header { return x.w.Header() }

// SetStatus sets the status of the answer, in the place of 200: 201, 202, 204 (without a body).
func (x *Exchange) SetStatus(status int) { x.status = status }

// Key returns to whom the request belongs, see [WithKey].
func (x *Exchange) Key() Key { return x.key }

// Codec returns the codec and media type of the answer, nil before Negotiate.
func (x *Exchange) Codec() (codec.Codec, string) { return x.codec, x.media }

// Written reports whether the status of the answer is sent: from then on nothing can be
// told but by cutting the connection.
func (x *Exchange) Written() bool { return x.wrote }

// Negotiate chooses codec and media type of the answer from the Accept header
// (RFC 9110, section 12.5.1) and notes in Vary that it did. What is not acceptable is a
// [Problem] of status 406 that lists what is offered. An absent Accept accepts anything;
// malformed elements are passed over, and if no other is left, nothing is acceptable.
func (x *Exchange) Negotiate() error { return x.NegotiateFor(nil) }

// NegotiateFor is Negotiate for an answer of type t, whose own codec, if the registry has one, is
// preferred.
func (x *Exchange) NegotiateFor(t reflect.Type) error {
	if x.codec != nil && !x.stream {
		return nil
	}
	x.varyByAccept()
	accept := x.r.Header["Accept"]
	c, media, err := x.s.reg.NegotiateFor(t, accept...)
	if err != nil {
		return notAcceptable(accept, x.s.reg.MediaTypes(), err)
	}
	x.codec, x.media, x.stream = codec.WithContext(&x.ctx, c), media, false
	return nil
}

func notAcceptable(accept, offers []string, err error) *Problem {
	return &Problem{
		Status: http.StatusNotAcceptable, Accepts: offers, Err: err,
		Detail: fmt.Sprintf("Accept %q names nothing that is offered here", clip(strings.Join(accept, ", "))),
	}
}

// End closes the exchange, as a deferred call: it turns a panic into an error, tells the breaker
// the outcome, and leaves in *err what the caller has to answer. It panics with
// [http.ErrAbortHandler], so that the connection is cut, where the answer has begun and cannot
// be finished, and where the handler did.
func (x *Exchange) End(err *error) {
	if p := recover(); p != nil {
		x.recovered(p, err)
	}
	if !x.wrote {
		*err = x.orGone(*err)
		if *err != nil { // whoever answers
			x.limitDrain()
		}
	}
	if x.done != nil {
		x.done(x.outcome(*err))
	}
	x.count(*err)
	if *err == nil {
		return
	}
	if x.wrote {
		x.log(slog.LevelInfo, "answer cut off", "error", (*err).Error())
		panic(http.ErrAbortHandler)
	}
	*err = &unanswered{*err, x}
}

// unanswered is an error that [Exchange.End] leaves: who answers it goes on with its exchange, and so
// with the trace that the function has logged.
type unanswered struct {
	error
	x *Exchange
}

func (e *unanswered) Unwrap() error { return e.error }

// exchangeOf returns the exchange that err has ended, else a new one.
func (s *Service) exchangeOf(w http.ResponseWriter, r *http.Request, err error) *Exchange {
	var e *unanswered
	if !errors.As(err, &e) || e.x.s != s || e.x.wrote {
		return s.Begin(w, r)
	}
	e.x.w = w // a framework may have wrapped it meanwhile
	return e.x
}

func (x *Exchange) recovered(p any, err *error) {
	if p == http.ErrAbortHandler {
		x.s.counts.add("cut-off")
		if x.done != nil {
			x.done(http.ErrAbortHandler)
		}
		panic(p)
	}
	x.log(slog.LevelError, "panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	*err = &Problem{Status: http.StatusInternalServerError, Err: newPanicError(p), TraceID: x.TraceID(), logged: true}
}

// PanicError is a panic of a handler or codec as an error: a [codec.ErrPanicked], which wraps the
// value of the panic if that is an error.
type PanicError struct {
	Value any    // what was handed to panic
	Stack []byte // as debug.Stack gives it
}

func newPanicError(p any) *PanicError { return &PanicError{p, debug.Stack()} }

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Is makes errors.Is(err, codec.ErrPanicked) true.
func (e *PanicError) Is(target error) bool { return target == codec.ErrPanicked }

// Unwrap returns Value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// outcome is err where the server is to blame, [context.Canceled] where the client went away, else nil.
func (x *Exchange) outcome(err error) error {
	if err == nil {
		err = x.failure
	}
	if err == nil {
		return nil
	}
	var unwritten *writeError
	if x.clientGone() || errors.As(err, &unwritten) {
		return context.Canceled
	}
	if p := problemOf(err); p.Status < 500 && !p.violation {
		return nil
	}
	return err
}

func (x *Exchange) clientGone() bool { return errors.Is(x.r.Context().Err(), context.Canceled) }

// log writes a record that names the request and its trace.
func (x *Exchange) log(level slog.Level, msg string, args ...any) {
	l := x.s.logger
	if l == nil {
		l = slog.Default()
	}
	if l.Enabled(&x.ctx, level) {
		l.Log(&x.ctx, level, "nano: "+msg, append(args, "method", x.r.Method, "path", x.r.URL.Path, "trace_id", x.TraceID())...)
	}
}
