package nano

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Service is a registry and the settings under which exchanges take place. It never
// changes and serves any number of goroutines and handlers.
type Service struct {
	reg   *codec.Registry
	slow  *pacer // of what is logged about slow encodings
	watch *watch // over bodies that are being read
	settings
	counts counts
}

// NewService returns a Service. Handlers that share one also share what its options carry.
func NewService(reg *codec.Registry, opts ...Option) *Service {
	s := &Service{reg: reg, slow: newPacer(), settings: defaults()}
	for _, o := range opts {
		o(&s.settings)
	}
	s.watch = newWatch(s.readIdle, s.readTotal)
	return s
}

// Begin starts an exchange. It reads and writes nothing yet. The caller ends it with
// [Exchange.End]; [Run] and [RunStream] do all of that themselves.
func (s *Service) Begin(w http.ResponseWriter, r *http.Request) *Exchange {
	x := &Exchange{call: call{s: s, w: w, r: r}}
	if h := w.Header(); len(h) > 0 {
		x.answer.coded = h["Content-Encoding"] != nil
	}
	if s.budget != nil {
		x.ending.started = time.Now()
	}
	x.ctx = exchangeContext{r.Context(), x}
	if s.keyOf != nil {
		x.key = s.keyOf(r)
	}
	return x
}

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
		x.ending.done = done
	}
	return nil
}

// Option changes a setting of a [Service].
type Option func(*settings)

// settings are what the options of a Service add up to; never changed once it serves.
type settings struct {
	maxBody      int64
	readIdle     time.Duration
	readTotal    time.Duration
	writeTimeout time.Duration
	slowness     time.Duration
	flushBytes   int
	flushDelay   time.Duration
	heartbeat    time.Duration
	maxFrame     int
	pool         *codec.Pool
	logger       *slog.Logger
	keyOf        func(*http.Request) Key
	limiter      Limiter
	breaker      Breaker
	budget       *Budget
	snapshots    *Snapshots
	snapshotKey  func(*http.Request) string
	checker      Checker
	resumeKey    []byte
	version      func(context.Context, *http.Request) (string, error)
	safeForm     func(v any, err error) any
}

func defaults() settings {
	return settings{
		maxBody:      1 << 20,
		readIdle:     10 * time.Second,
		readTotal:    time.Minute,
		writeTimeout: 10 * time.Second,
		heartbeat:    15 * time.Second,
		slowness:     codec.SlowMark,
		maxFrame:     4 << 20,
		pool:         &sharedPool,
	}
}

// sharedPool serves all services that are not given a pool of their own.
var sharedPool codec.Pool

// WithMaxBody limits request bodies to n bytes, on the wire as well as after
// decompression; 1 MiB unless set. Larger ones are answered with 413.
func WithMaxBody(n int64) Option { return func(s *settings) { s.maxBody = n } }

// WithReadTimeout limits how long a body may stand still (10 s unless set) and how long it may take
// as a whole (1 min), so that a client that sends byte by byte cannot hold a connection. 408 is the
// answer. One timer checks all bodies, so a limit may be exceeded by up to a tenth of the shorter
// one, and never by more than a second. Before an answer that needs no body (406, 415, 429, 503 …)
// net/http reads the rest of the body, for at most the shorter of both limits. A server whose
// [http.Server.ReadTimeout] is no longer than total is left to do it by itself.
func WithReadTimeout(idle, total time.Duration) Option {
	return func(s *settings) { s.readIdle, s.readTotal = idle, total }
}

// WithWriteTimeout limits how long each write of a chunk or of stream frames may
// wait for the client; 10 s unless set. The connection is then aborted.
func WithWriteTimeout(d time.Duration) Option { return func(s *settings) { s.writeTimeout = d } }

// WithSlow logs, at level Warn and once a second at most, encodings that take longer than d; 5 ms
// unless set, 0 for never.
func WithSlow(d time.Duration) Option { return func(s *settings) { s.slowness = d } }

// WithFlush has streams send what has gathered once it amounts to n bytes or has waited for delay;
// 0 is for as long as it takes. The first element is sent at once. Unless set every element is.
func WithFlush(n int, delay time.Duration) Option {
	return func(s *settings) { s.flushBytes, s.flushDelay = n, delay }
}

// WithHeartbeat has streams show a sign of life when nothing was sent for d, so that neither
// proxies nor clients take an iterator that waits for a connection that is lost; 15 s unless set, 0
// for never. There is none before the first element: until then the status is open.
func WithHeartbeat(d time.Duration) Option { return func(s *settings) { s.heartbeat = d } }

// WithMaxFrame limits one element of a stream, encoded, to n bytes; 4 MiB unless set.
func WithMaxFrame(n int) Option { return func(s *settings) { s.maxFrame = n } }

// WithPool takes buffers from p, whose statistics are then those of the service.
func WithPool(p *codec.Pool) Option { return func(s *settings) { s.pool = p } }

// WithLogger logs to l instead of slog.Default, as it is at that time: panics, errors of status 500
// and above, slow encodings.
func WithLogger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }

// WithKey says to whom a request belongs. Limiter, breaker, budget, snapshots and
// resume tokens keep apart what has different keys. Unless set all requests have the zero Key.
func WithKey(f func(*http.Request) Key) Option { return func(s *settings) { s.keyOf = f } }

// WithLimiter asks l before each request; 429 with Retry-After is the answer of a refusal.
func WithLimiter(l Limiter) Option { return func(s *settings) { s.limiter = l } }

// WithBreaker asks b before each request and tells it the outcome; while it is open, a
// snapshot is the answer if there is one (see [WithSnapshots]), else 503 with Retry-After.
func WithBreaker(b Breaker) Option { return func(s *settings) { s.breaker = b } }

// WithBudget limits how long an answer may take to be encoded.
func WithBudget(b *Budget) Option { return func(s *settings) { s.budget = b } }

// WithSnapshots keeps the last whole answer of status 200 of each key that keyOf returns, without
// header fields that the function has set, to give it again while the breaker is open or encoding
// takes longer than its budget. An empty string keeps none. A nil keyOf keeps answers of GET and
// HEAD by scheme, host and target where the request carries neither Authorization,
// Proxy-Authorization nor Cookie, and the connection no certificate of the client's: whoever may
// see an answer must be part of the key.
func WithSnapshots(c *Snapshots, keyOf func(*http.Request) string) Option {
	if keyOf == nil {
		keyOf = publicURL
	}
	return func(s *settings) { s.snapshots, s.snapshotKey = c, keyOf }
}

// WithChecker has c look at every answer before its first byte and at every element of a
// stream before it is framed. A violation is a problem of status 406, in a stream that has
// begun a failed end.
func WithChecker(c Checker) Option { return func(s *settings) { s.checker = c } }

// WithResume makes streams resumable: version names the content that the request would be
// answered from (a revision, an ETag), and key, at least 32 random bytes that all servers of the
// content share, signs the tokens that bind positions to it.
func WithResume(key []byte, version func(context.Context, *http.Request) (string, error)) Option {
	if len(key) < 32 {
		panic("nano: WithResume: the key has fewer than 32 bytes: tokens could be forged; draw it with crypto/rand")
	}
	return func(s *settings) { s.resumeKey, s.version = key, version }
}

// WithSafeForm gives a value that cannot be encoded a second chance: f returns a form of
// v without what err complains of. It concerns that one answer or element of a stream. The last
// of several such options holds.
func WithSafeForm[T any](f func(v T, err error) T) Option {
	return func(s *settings) {
		s.safeForm = func(v any, err error) any {
			switch v := v.(type) {
			case T:
				return f(v, err)
			case *T:
				return f(*v, err)
			}
			return nil
		}
	}
}
