// Package guardx keeps tenants from harming each other behind package nano: a
// circuit breaker for each tenant and version of the interface (sony/gobreaker) and a
// rate limiter for each tenant (golang.org/x/time/rate). Both remember a bounded
// number of tenants; the one that was silent for longest is forgotten, which is as if it had
// never called.
package guardx

import (
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

// BreakerOptions are those of [NewBreakers]; zero fields have the values of the comments.
type BreakerOptions struct {
	Failures float64       // 0.6: open when more than this share of the requests of Window fail
	Least    int           // 20: … of at least so many
	Window   time.Duration // 60 s, in buckets of a tenth
	Open     time.Duration // 30 s until a request is tried again
	Trials   int           // 5: how many are tried; one failure opens it again, as many successes close it
	Keys     int           // 10,000 tenants and versions are remembered, a kilobyte each

	// OnChange is told of every change of state: for logs and alarms, not for labels of metrics.
	// It runs under the breaker's lock.
	OnChange func(k nano.Key, from, to State)

	// Of gives single tenants and versions other Failures, Least, Window, Open and Trials; fields
	// that are zero there are as here. ok says that it does. It is asked when a key is first seen,
	// and anew once it was forgotten.
	Of func(k nano.Key) (o BreakerOptions, ok bool)
}

// State of a breaker: closed lets everything pass, open nothing, half-open some trials.
type State = gobreaker.State

// The states.
const (
	Closed   = gobreaker.StateClosed
	HalfOpen = gobreaker.StateHalfOpen
	Open     = gobreaker.StateOpen
)

// defaults are the values of the comments.
var defaults = BreakerOptions{Failures: 0.6, Least: 20, Window: time.Minute, Open: 30 * time.Second, Trials: 5, Keys: 10_000}

// or returns o with the fields that are zero taken from other.
func (o BreakerOptions) or(other BreakerOptions) BreakerOptions {
	def(&o.Failures, other.Failures)
	def(&o.Least, other.Least)
	def(&o.Window, other.Window)
	def(&o.Open, other.Open)
	def(&o.Trials, other.Trials)
	def(&o.Keys, other.Keys)
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

func def[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

// Breakers is a [nano.Breaker].
type Breakers struct {
	o    BreakerOptions
	keys *lru.Cache[nano.Key, *breaker]
}

var _ nano.Breaker = (*Breakers)(nil)

// NewBreakers returns breakers that are all closed.
func NewBreakers(o BreakerOptions) *Breakers {
	o = o.or(defaults)
	return &Breakers{o, newCache[*breaker](o.Keys)}
}

func newCache[V any](n int) *lru.Cache[nano.Key, V] {
	c, err := lru.New[nano.Key, V](n)
	if err != nil { // n is not positive
		panic(fmt.Sprintf("guardx: Keys is %d, want a positive number", n))
	}
	return c
}

// breaker is that of one key.
type breaker struct {
	*gobreaker.TwoStepCircuitBreaker[struct{}]
	open   time.Duration             // how long it stays open
	opened atomic.Pointer[time.Time] // when it was last opened
}

// left is how long the breaker stays open yet.
func (br *breaker) left() time.Duration {
	if at := br.opened.Load(); at != nil {
		return max(br.open-time.Since(*at), 0)
	}
	return br.open
}

// Allow implements [nano.Breaker]. Requests whose client went away count neither way.
func (b *Breakers) Allow(k nano.Key) (done func(error), retry time.Duration, ok bool) {
	br := b.get(k)
	done, err := br.Allow()
	if err == nil {
		return done, 0, true
	}
	if errors.Is(err, gobreaker.ErrTooManyRequests) { // trials are under way
		return nil, time.Second, false
	}
	return nil, br.left(), false
}

// State returns the state of a key, [Closed] for one that is not known.
func (b *Breakers) State(k nano.Key) State {
	if br, ok := b.keys.Peek(k); ok {
		return br.State()
	}
	return Closed
}

// Counts returns how many of the remembered keys are in each state, by its name:
// what metrics may have, as it does not grow with the tenants.
func (b *Breakers) Counts() map[string]int {
	n := map[string]int{Closed.String(): 0, HalfOpen.String(): 0, Open.String(): 0}
	for _, br := range b.keys.Values() {
		n[br.State().String()]++
	}
	return n
}

// Len returns how many keys are remembered.
func (b *Breakers) Len() int { return b.keys.Len() }

func (b *Breakers) get(k nano.Key) *breaker {
	if br, ok := b.keys.Get(k); ok {
		return br
	}
	br := b.newBreaker(k)
	if before, ok, _ := b.keys.PeekOrAdd(k, br); ok { // another request was quicker
		return before
	}
	return br
}

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

// LimiterOptions are those of [NewLimiters].
type LimiterOptions struct {
	Rate  float64 // requests a second for each tenant
	Burst int     // as many at once; Rate rounded up, at least 1, unless set
	Keys  int     // 10,000 tenants are remembered, 200 bytes each

	// Of gives single tenants another rate and burst; ok says that it does. It is
	// asked when a tenant is first seen.
	Of func(tenant string) (rate float64, burst int, ok bool)
}

// Limiters is a [nano.Limiter]. All versions of the interface share a tenant's rate.
type Limiters struct {
	o    LimiterOptions
	keys *lru.Cache[nano.Key, *rate.Limiter]
}

var _ nano.Limiter = (*Limiters)(nil)

// NewLimiters returns limiters whose bursts are unused.
func NewLimiters(o LimiterOptions) *Limiters {
	if o.Rate <= 0 {
		panic(fmt.Sprintf("guardx: NewLimiters: LimiterOptions.Rate is %v, want requests a second", o.Rate))
	}
	def(&o.Burst, max(1, int(o.Rate+0.999)))
	def(&o.Keys, 10_000)
	return &Limiters{o, newCache[*rate.Limiter](o.Keys)}
}

// Allow implements [nano.Limiter]. Requests that are refused take nothing from the
// tenant's rate; retry is at most the time that one token takes.
func (l *Limiters) Allow(k nano.Key) (retry time.Duration, ok bool) {
	lim, now := l.get(nano.Key{Tenant: k.Tenant}), time.Now()
	if lim.AllowN(now, 1) {
		return 0, true
	}
	// Never Reserve and Cancel: Cancel gives a token back only if nobody has reserved
	// after it, so that requests at one time would lock their tenant out.
	return wait(lim, now), false
}

// blocked is when to ask again where nothing is ever allowed.
const blocked = time.Hour

// wait is how long from now until lim has a token, longer than 0.
func wait(lim *rate.Limiter, now time.Time) time.Duration {
	perSecond := float64(lim.Limit())
	if perSecond <= 0 || lim.Burst() <= 0 {
		return blocked
	}
	missing := min(1-lim.TokensAt(now), 1) // others may have come or gone since the refusal
	return time.Duration(max(1, math.Ceil(min(missing/perSecond*float64(time.Second), math.MaxInt64/2))))
}

// Len returns how many tenants are remembered.
func (l *Limiters) Len() int { return l.keys.Len() }

func (l *Limiters) get(k nano.Key) *rate.Limiter {
	if lim, ok := l.keys.Get(k); ok {
		return lim
	}
	perSecond, burst := l.o.Rate, l.o.Burst
	if l.o.Of != nil {
		if r, b, ok := l.o.Of(k.Tenant); ok {
			perSecond, burst = r, b
		}
	}
	lim := rate.NewLimiter(rate.Limit(perSecond), burst)
	if before, ok, _ := l.keys.PeekOrAdd(k, lim); ok {
		return before
	}
	return lim
}
