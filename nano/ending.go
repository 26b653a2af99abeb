package nano

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/zmylab/zmy/codec"
)

// End ends the exchange; call it by defer. It turns a panic into an error, tells the breaker the
// outcome, and leaves in *err the error that the caller has to answer. If the answer has begun and
// cannot be finished, or if the handler has panicked with [http.ErrAbortHandler], End panics with
// http.ErrAbortHandler. That cuts the connection.
func (x *Exchange) End(err *error) {
	if p := recover(); p != nil {
		x.recovered(p, err)
	}
	if !x.answer.wrote {
		*err = x.orGone(*err)
		if *err != nil { // the caller will answer it
			x.limitDrain()
		}
	}
	if x.ending.done != nil {
		x.ending.done(x.outcome(*err))
	}
	x.count(*err)
	if *err == nil {
		return
	}
	if x.answer.wrote {
		x.log(slog.LevelInfo, "answer cut off", "error", (*err).Error())
		panic(http.ErrAbortHandler)
	}
	*err = &unanswered{*err, x}
}

// unanswered is an error that [Exchange.End] has left in *err. It leads to the exchange, so that
// the answer has the trace ID that the function may have logged.
type unanswered struct {
	error
	x *Exchange
}

func (e *unanswered) Unwrap() error { return e.error }

// exchangeOf returns the exchange whose End has left err, or else a new one.
func (s *Service) exchangeOf(w http.ResponseWriter, r *http.Request, err error) *Exchange {
	var e *unanswered
	if !errors.As(err, &e) || e.x.s != s || e.x.answer.wrote {
		return s.Begin(w, r)
	}
	e.x.w = w // a framework may have wrapped it meanwhile
	return e.x
}

func (x *Exchange) recovered(p any, err *error) {
	if p == http.ErrAbortHandler {
		x.s.counts.add("cut-off")
		if x.ending.done != nil {
			x.ending.done(http.ErrAbortHandler)
		}
		panic(p)
	}
	*err = x.panicked(p)
}

// panicked logs the panic p, with its stack, and returns its answer.
func (x *Exchange) panicked(p any) *Problem {
	err := &PanicError{Value: p, Stack: debug.Stack()}
	x.log(slog.LevelError, "panic", "panic", fmt.Sprint(p), "stack", string(err.Stack))
	return &Problem{Status: http.StatusInternalServerError, Err: err, TraceID: x.TraceID(), logged: true}
}

// PanicError is a panic of a handler or codec as an error.
type PanicError = codec.PanicError

// outcome returns what the breaker is told: err if it is the server's fault, [context.Canceled] if
// the client went away, else nil.
func (x *Exchange) outcome(err error) error {
	if err == nil {
		err = x.ending.failure
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

// outcomes are the ways in which requests end other than by the function's whole answer. They are
// labels of metrics.
var outcomes = [...]string{
	"limited",         // 429
	"breaker-open",    // 503, not tried
	"encode-timeout",  // 503, encoded too late
	"snapshot",        // breaker-open or encode-timeout, but a snapshot was sent instead
	"not-acceptable",  // 406, nothing that Accept names is offered or has a form for this answer
	"contract-broken", // 406, the answer does not keep to the published schema
	"unsupported",     // 415
	"too-large",       // 413
	"slow-client",     // 408
	"client-error",    // other 4xx
	"client-gone",     // the client went away before it was answered
	"panic",           // 500
	"server-error",    // other 5xx
	"stream-failed",   // the stream has ended with a failed frame
	"cut-off",         // the answer has begun and was cut off
}

// counts has a counter for each of the outcomes.
type counts [len(outcomes)]atomic.Uint64

func (c *counts) add(outcome string) {
	c[slices.Index(outcomes[:], outcome)].Add(1)
}

// Counts returns, by outcome, how many exchanges have ended other than by a whole answer of the
// function: limited, breaker-open, encode-timeout, snapshot, not-acceptable, contract-broken,
// unsupported, too-large, slow-client, client-error, client-gone, panic, server-error,
// stream-failed, cut-off. The number of outcomes does not grow with tenants, so they may be labels
// of metrics.
func (s *Service) Counts() map[string]uint64 {
	out := make(map[string]uint64, len(outcomes))
	for i, o := range outcomes {
		out[o] = s.counts[i].Load()
	}
	return out
}

// count counts the outcome of x. err is what [Exchange.End] was given.
func (x *Exchange) count(err error) {
	if err != nil || x.ending.failure != nil {
		x.s.counts.add(x.outcomeName(err))
	}
}

func (x *Exchange) outcomeName(err error) string {
	var unwritten *writeError
	switch {
	case x.clientGone() || errors.As(err, &unwritten):
		return "client-gone"
	case err == nil && problemOf(x.ending.failure).instead != "":
		return "snapshot"
	case err == nil:
		return "stream-failed"
	case x.answer.wrote:
		return "cut-off"
	case errors.Is(err, codec.ErrPanicked):
		return "panic"
	}
	p := problemOf(err)
	switch {
	case p.instead != "":
		return p.instead
	case p.violation:
		return "contract-broken"
	case p.Status >= 500 || p.Status < 400:
		return "server-error"
	}
	return cmp.Or(refusals[p.Status], "client-error")
}

// refusals are the outcomes of statuses below 500 that nano itself answers with.
var refusals = map[int]string{
	http.StatusTooManyRequests:       "limited",
	http.StatusNotAcceptable:         "not-acceptable",
	http.StatusUnsupportedMediaType:  "unsupported",
	http.StatusRequestEntityTooLarge: "too-large",
	http.StatusRequestTimeout:        "slow-client",
}
