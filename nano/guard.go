package nano

import (
	"net/http"
	"time"
)

// Key says to whom a request belongs, for limits and failures that concern one tenant,
// and one version of the interface, only. Comparable, short, and never the label of a metric.
type Key struct {
	Tenant  string
	Version string // of the interface: "v2"
}

// Limiter admits requests at some rate per tenant (adapters/guardx).
type Limiter interface {
	// Allow takes one request of k. If it refuses, retry says when to try again.
	Allow(k Key) (retry time.Duration, ok bool)
}

// Breaker keeps requests away from what fails (adapters/guardx).
type Breaker interface {
	// Allow asks for one request of k. If it is admitted, done is called once with its
	// outcome: nil, the error that is the server's fault, or [context.Canceled] where the client
	// went away, which says nothing of the server. If not, retry says when to try again.
	Allow(k Key) (done func(error), retry time.Duration, ok bool)
}

// Admit asks limiter and breaker. Their refusals are problems of status 429 and 503 with
// Retry-After.
func (x *Exchange) Admit() error {
	if x.s.limiter != nil {
		if retry, ok := x.s.limiter.Allow(x.key); !ok {
			return &Problem{
				Status: http.StatusTooManyRequests, RetryAfter: max(retry, time.Second),
				Detail: "there were more requests than are allowed",
			}
		}
	}
	if x.s.breaker != nil {
		done, retry, ok := x.s.breaker.Allow(x.key)
		if !ok {
			return &Problem{
				Status: http.StatusServiceUnavailable, RetryAfter: max(retry, time.Second),
				Detail: "too many requests have failed; this one was not tried", instead: "breaker-open", logged: true,
			}
		}
		x.done = done
	}
	return nil
}
