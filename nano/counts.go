package nano

import (
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/zmylab/zmy/codec"
)

// outcomes are how requests end that are not answered as usual, as they stand in metrics.
var outcomes = [...]string{
	"limited",         // 429
	"breaker-open",    // 503, not tried
	"encode-timeout",  // 503, encoded too late
	"snapshot",        // one of these two, answered with what was kept
	"not-acceptable",  // 406, nothing that Accept names is offered, or no form of this answer
	"contract-broken", // 406, the answer does not keep to the published schema
	"unsupported",     // 415
	"too-large",       // 413
	"slow-client",     // 408
	"client-error",    // other 4xx
	"client-gone",     // nobody is left to be answered
	"panic",           // 500
	"server-error",    // other 5xx
	"stream-failed",   // the stream has ended with a frame that says so
	"cut-off",         // the answer has begun and was cut off
}

// counts has a counter for each of outcomes.
type counts [len(outcomes)]atomic.Uint64

func (c *counts) add(outcome string) {
	for i, o := range outcomes {
		if o == outcome {
			c[i].Add(1)
			return
		}
	}
}

// Counts returns how many exchanges have ended so far other than by a whole answer of the function's, by outcome: limited,
// breaker-open, encode-timeout, snapshot, not-acceptable, contract-broken, unsupported, too-large, slow-client, client-error,
// client-gone, panic, server-error, stream-failed, cut-off. It is what metrics may have, as it does not grow with tenants.
func (s *Service) Counts() map[string]uint64 {
	out := make(map[string]uint64, len(outcomes))
	for i, o := range outcomes {
		out[o] = s.counts[i].Load()
	}
	return out
}

// count counts the end of x, err being what [Exchange.End] was given.
func (x *Exchange) count(err error) {
	if err != nil || x.failure != nil {
		x.s.counts.add(x.outcomeName(err))
	}
}

func (x *Exchange) outcomeName(err error) string {
	var unwritten *writeError
	switch {
	case x.clientGone() || errors.As(err, &unwritten):
		return "client-gone"
	case err == nil && problemOf(x.failure).instead != "":
		return "snapshot"
	case err == nil:
		return "stream-failed"
	case x.wrote:
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
	switch p.Status {
	case http.StatusTooManyRequests:
		return "limited"
	case http.StatusNotAcceptable:
		return "not-acceptable"
	case http.StatusUnsupportedMediaType:
		return "unsupported"
	case http.StatusRequestEntityTooLarge:
		return "too-large"
	case http.StatusRequestTimeout:
		return "slow-client"
	}
	return "client-error"
}
