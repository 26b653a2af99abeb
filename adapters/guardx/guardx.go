// Package guardx keeps tenants of package nano from harming each other. It has a circuit breaker
// for each tenant and version of the interface (sony/gobreaker), and a rate limiter for each tenant
// (golang.org/x/time/rate). Both remember a limited number of tenants. If there are more, the
// tenant that was silent for longest is forgotten and treated as new.
package guardx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"

	"github.com/zmylab/zmy/nano"
)

// BreakerOptions are the options of [NewBreakers]. A zero field means the value in its comment.
type BreakerOptions struct {
	Failures float64       // 0.6: a breaker opens when a larger share of the requests in Window fails
	Least    int           // 20: … and Window has at least this many requests
	Window   time.Duration // 60 s, counted in ten buckets
	Open     time.Duration // 30 s: time until requests are tried again
	Trials   int           // 5: how many requests are tried; one failure reopens it, this many successes close it
	Keys     int           // 10,000: tenants and versions remembered, about a kilobyte each

	// OnChange is called for every change of state: for logs and alarms, not for labels of metrics.
	// It runs while the breaker is locked.
	OnChange func(k nano.Key, from, to State)

	// Of returns other Failures, Least, Window, Open and Trials for single tenants and versions.
	// Fields that are zero there have the values of these options. ok is false for keys without
	// options of their own. Of is called when a key is first seen, and again after it was
	// forgotten.
	Of func(k nano.Key) (o BreakerOptions, ok bool)
}

// State is the state of a breaker: closed lets every request pass, open none, half-open some
// trials.
type State = gobreaker.State

// The states.
const (
	Closed   = gobreaker.StateClosed
	HalfOpen = gobreaker.StateHalfOpen
	Open     = gobreaker.StateOpen
)

// defaults are the values in the comments of BreakerOptions.
var defaults = BreakerOptions{Failures: 0.6, Least: 20, Window: time.Minute, Open: 30 * time.Second, Trials: 5, Keys: 10_000}

// or returns o with its zero fields replaced by those of other.
func (o BreakerOptions) or(other BreakerOptions) BreakerOptions {
	o.Failures = cmp.Or(o.Failures, other.Failures)
	o.Least = cmp.Or(o.Least, other.Least)
	o.Window = cmp.Or(o.Window, other.Window)
	o.Open = cmp.Or(o.Open, other.Open)
	o.Trials = cmp.Or(o.Trials, other.Trials)
	o.Keys = cmp.Or(o.Keys, other.Keys)
	return o
}

// of returns the options of a key.
func (o BreakerOptions) of(k nano.Key) BreakerOptions {
	if o.Of != nil {
		if own, ok := o.Of(k); ok {
			return own.or(o)
		}
	}
	return o
}

// Breakers is a [nano.Breaker].
type Breakers struct {
	o    BreakerOptions
	keys cache[*breaker]
}

var _ nano.Breaker = (*Breakers)(nil)

// NewBreakers returns breakers that are all closed.
func NewBreakers(o BreakerOptions) *Breakers {
	o = o.or(defaults)
	return &Breakers{o, newCache[*breaker](o.Keys)}
}

// cache remembers a value for each of the keys that were used lately.
type cache[V any] struct{ *lru.Cache[nano.Key, V] }

func newCache[V any](n int) cache[V] {
	c, err := lru.New[nano.Key, V](n)
	if err != nil { // n is not positive
		panic(fmt.Sprintf("guardx: Keys is %d, want a positive number", n))
	}
	return cache[V]{c}
}

// get returns the value of k. It makes one if k has none.
func (c cache[V]) get(k nano.Key, create func(nano.Key) V) V {
	if v, ok := c.Get(k); ok {
		return v
	}
	v := create(k)
	if before, ok, _ := c.PeekOrAdd(k, v); ok { // another request was quicker
		return before
	}
	return v
}

// breaker is the circuit breaker of one key.
type breaker struct {
	*gobreaker.TwoStepCircuitBreaker[struct{}]
	open   time.Duration             // how long it stays open
	opened atomic.Pointer[time.Time] // when it was last opened
}

// left returns how much longer the breaker stays open.
func (br *breaker) left() time.Duration {
	if at := br.opened.Load(); at != nil {
		return max(br.open-time.Since(*at), 0)
	}
	return br.open
}

// Allow implements [nano.Breaker]. A request whose client went away counts neither as success nor
// as failure.
func (b *Breakers) Allow(k nano.Key) (done func(error), retry time.Duration, ok bool) {
	br := b.keys.get(k, b.newBreaker)
	done, err := br.Allow()
	if err == nil {
		return done, 0, true
	}
	if errors.Is(err, gobreaker.ErrTooManyRequests) { // trials are under way
		return nil, time.Second, false
	}
	return nil, br.left(), false
}

// State returns the state of a key. For an unknown key it is [Closed].
func (b *Breakers) State(k nano.Key) State {
	if br, ok := b.keys.Peek(k); ok {
		return br.State()
	}
	return Closed
}

// Counts returns how many of the remembered keys are in each state, by the state's name. It is fit
// for metrics, since its size does not grow with the tenants.
func (b *Breakers) Counts() map[string]int {
	n := map[string]int{Closed.String(): 0, HalfOpen.String(): 0, Open.String(): 0}
	for _, br := range b.keys.Values() {
		n[br.State().String()]++
	}
	return n
}

// Len returns how many keys are remembered.
func (b *Breakers) Len() int { return b.keys.Len() }

func (b *Breakers) newBreaker(k nano.Key) *breaker {
	o := b.o.of(k)
	br := &breaker{open: o.Open}
	s := gobreaker.Settings{
		MaxRequests:  uint32(o.Trials),
		Interval:     o.Window,
		BucketPeriod: o.Window / 10,
		Timeout:      o.Open,
		IsExcluded:   func(err error) bool { return errors.Is(err, context.Canceled) },
		ReadyToTrip: func(c gobreaker.Counts) bool {
			ended := c.TotalSuccesses + c.TotalFailures
			return int(ended) >= o.Least && float64(c.TotalFailures) > o.Failures*float64(ended)
		},
		OnStateChange: func(_ string, from, to State) {
			if to == Open {
				now := time.Now()
				br.opened.Store(&now)
			}
			if b.o.OnChange != nil {
				b.o.OnChange(k, from, to)
			}
		},
	}
	br.TwoStepCircuitBreaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](s)
	return br
}

// LimiterOptions are the options of [NewLimiters].
type LimiterOptions struct {
	Rate  float64 // requests a second for each tenant
	Burst int     // most requests at once; 0 means Rate rounded up
	Keys  int     // tenants remembered, about 200 bytes each; 0 means 10,000

	// Of returns another rate and burst for single tenants. ok is false for tenants without their
	// own. Of is called when a tenant is first seen, and again after it was forgotten.
	Of func(tenant string) (rate float64, burst int, ok bool)
}

// Limiters is a [nano.Limiter]. All versions of the interface share a tenant's rate.
type Limiters struct {
	o    LimiterOptions
	keys cache[*rate.Limiter]
}

var _ nano.Limiter = (*Limiters)(nil)

// NewLimiters returns limiters with full bursts. It panics if o.Rate is not positive.
func NewLimiters(o LimiterOptions) *Limiters {
	if o.Rate <= 0 {
		panic(fmt.Sprintf("guardx: NewLimiters: LimiterOptions.Rate is %v, want requests a second", o.Rate))
	}
	o.Burst = cmp.Or(o.Burst, max(1, int(o.Rate+0.999)))
	o.Keys = cmp.Or(o.Keys, 10_000)
	return &Limiters{o, newCache[*rate.Limiter](o.Keys)}
}

// Allow implements [nano.Limiter]. A refused request takes nothing from the tenant's rate. retry is
// at most the time for one token, or an hour if the tenant's rate or burst is 0.
func (l *Limiters) Allow(k nano.Key) (retry time.Duration, ok bool) {
	lim, now := l.keys.get(nano.Key{Tenant: k.Tenant}, l.newLimiter), time.Now()
	if lim.AllowN(now, 1) {
		return 0, true
	}
	// Do not use Reserve and Cancel: Cancel returns a token only if nobody has reserved after it,
	// so that simultaneous requests would lock their tenant out.
	return wait(lim, now), false
}

// blocked is the time to wait that is reported if the tenant is never allowed anything.
const blocked = time.Hour

// wait returns how long it takes from now until lim has a token, more than 0.
func wait(lim *rate.Limiter, now time.Time) time.Duration {
	perSecond := float64(lim.Limit())
	if perSecond <= 0 || lim.Burst() <= 0 {
		return blocked
	}
	missing := min(1-lim.TokensAt(now), 1) // other requests may have changed it since the refusal
	return time.Duration(max(1, math.Ceil(min(missing/perSecond*float64(time.Second), math.MaxInt64/2))))
}

// Len returns how many tenants are remembered.
func (l *Limiters) Len() int { return l.keys.Len() }

func (l *Limiters) newLimiter(k nano.Key) *rate.Limiter {
	perSecond, burst := l.o.Rate, l.o.Burst
	if l.o.Of != nil {
		if r, b, ok := l.o.Of(k.Tenant); ok {
			perSecond, burst = r, b
		}
	}
	return rate.NewLimiter(rate.Limit(perSecond), burst)
}
