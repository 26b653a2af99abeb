package nano

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Service is a registry and the settings of exchanges. It never changes, and may be used by any
// number of goroutines and handlers.
type Service struct {
	reg   *codec.Registry
	slow  *pacer // limits the log of slow encodings
	watch *watch // limits the time of bodies that are being read
	settings
	counts counts
}

// NewService returns a Service. Handlers that share it also share what its options hold, such as a
// breaker.
func NewService(reg *codec.Registry, opts ...Option) *Service {
	s := &Service{reg: reg, slow: newPacer(), settings: defaults()}
	for _, o := range opts {
		o(&s.settings)
	}
	s.watch = newWatch(s.readIdle, s.readTotal)
	return s
}

// Begin starts an exchange. It reads and writes nothing yet. The caller ends the exchange with
// [Exchange.End]. ([Run] and [RunStream] call both themselves.)
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

// Key says to whom a request belongs, so that limits and failures of one tenant, or of one version
// of the interface, do not concern the others. Keep it short, and do not make it a label of a
// metric.
type Key struct {
	Tenant  string
	Version string // of the interface: "v2"
}

// Limiter limits the rate of requests of each tenant (adapters/guardx).
type Limiter interface {
	// Allow counts one request of k and reports whether it is admitted. If not, retry is how long
	// the client should wait.
	Allow(k Key) (retry time.Duration, ok bool)
}

// Breaker refuses requests while recent requests have failed too often (adapters/guardx).
type Breaker interface {
	// Allow reports whether one request of k is admitted. If so, done is called once with its
	// outcome: nil, an error that is the server's fault, or [context.Canceled] if the client went
	// away, which says nothing about the server. If not, retry is how long the client should wait.
	Allow(k Key) (done func(error), retry time.Duration, ok bool)
}

// Admit asks limiter and breaker. If one of them refuses, the error is a [Problem] with
// Retry-After, of status 429 from the limiter and 503 from the breaker.
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

// settings are the values that options set. They do not change once the Service is made.
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

// sharedPool is used by all services without [WithPool].
var sharedPool codec.Pool

// WithMaxBody limits request bodies to n bytes, both as they are sent and after decompression. The
// default is 1 MiB. Larger bodies are answered with 413.
func WithMaxBody(n int64) Option { return func(s *settings) { s.maxBody = n } }

// WithReadTimeout limits how long a body may go without a byte, 10 s by default, and how long it
// may take in all, 1 min by default. So a client that sends byte by byte cannot hold a connection.
// The answer is 408. One timer checks all bodies, so a limit may be exceeded by up to a tenth of
// the shorter one, and never by more than a second.
//
// If an answer needs no body (406, 415, 429, 503 …), net/http still reads the rest of the body, for
// at most the shorter of both limits. If [http.Server.ReadTimeout] is set and no longer than total,
// the server limits bodies by itself and nano does not.
func WithReadTimeout(idle, total time.Duration) Option {
	return func(s *settings) { s.readIdle, s.readTotal = idle, total }
}

// WithWriteTimeout limits how long each write, of a part of an answer or of frames, may wait for
// the client. The default is 10 s. After that the connection is cut.
func WithWriteTimeout(d time.Duration) Option { return func(s *settings) { s.writeTimeout = d } }

// WithSlow logs encodings that take longer than d, at level Warn and at most once a second. The
// default is 5 ms; 0 logs none.
func WithSlow(d time.Duration) Option { return func(s *settings) { s.slowness = d } }

// WithFlush makes streams gather elements. They are sent once they amount to n bytes, or once the
// first of them has waited for delay. If delay is 0, they wait until they amount to n bytes. The
// first element of a stream is sent at once. Without WithFlush every element is sent at once.
func WithFlush(n int, delay time.Duration) Option {
	return func(s *settings) { s.flushBytes, s.flushDelay = n, delay }
}

// WithHeartbeat makes streams send a sign of life when they have sent nothing for d. So proxies and
// clients do not take a slow iterator for a lost connection. The default is 15 s; 0 sends none. No
// sign of life is sent before the first element, since the status is not decided until then.
func WithHeartbeat(d time.Duration) Option { return func(s *settings) { s.heartbeat = d } }

// WithMaxFrame limits an encoded element of a stream to n bytes. The default is 4 MiB.
func WithMaxFrame(n int) Option { return func(s *settings) { s.maxFrame = n } }

// WithPool takes buffers from p. Its statistics then count the buffers of this service.
func WithPool(p *codec.Pool) Option { return func(s *settings) { s.pool = p } }

// WithLogger logs to l: panics, errors of status 500 and above, and slow encodings. Without it,
// they are logged to what slog.Default returns at that moment.
func WithLogger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }

// WithKey makes f return to whom a request belongs. Limiter, breaker, budget, snapshots and resume
// tokens treat requests of different keys separately. Without WithKey all requests have the zero
// Key.
func WithKey(f func(*http.Request) Key) Option { return func(s *settings) { s.keyOf = f } }

// WithLimiter asks l before each request. If l refuses, the answer is 429 with Retry-After.
func WithLimiter(l Limiter) Option { return func(s *settings) { s.limiter = l } }

// WithBreaker asks b before each request and tells it the outcome. If b refuses, the answer is a
// snapshot if there is one (see [WithSnapshots]), else 503 with Retry-After.
func WithBreaker(b Breaker) Option { return func(s *settings) { s.breaker = b } }

// WithBudget limits how long an answer may take to be encoded.
func WithBudget(b *Budget) Option { return func(s *settings) { s.budget = b } }

// WithSnapshots keeps in c the last whole answer of status 200 for each key that keyOf returns,
// without header fields that the function has set. The service sends it again while the breaker is
// open, and if encoding takes longer than the budget. An answer with the key "" is not kept.
//
// Everything that decides who may see an answer must be part of its key. A nil keyOf keeps answers
// of GET and HEAD by scheme, host and target, if the request has neither Authorization,
// Proxy-Authorization nor Cookie, and the connection has no client certificate.
func WithSnapshots(c *Snapshots, keyOf func(*http.Request) string) Option {
	if keyOf == nil {
		keyOf = publicURL
	}
	return func(s *settings) { s.snapshots, s.snapshotKey = c, keyOf }
}

// WithChecker has c check every answer before its first byte is sent, and every element of a stream
// before it is framed. An answer that breaks the contract is replaced by a [Problem] of status 406.
// A stream that has begun ends as failed.
func WithChecker(c Checker) Option { return func(s *settings) { s.checker = c } }

// WithResume makes streams resumable. version names the version of the content from which the
// request is answered: a revision, an ETag. key signs the tokens that bind positions to that
// version. key must have at least 32 random bytes, and all servers of the content share it.
func WithResume(key []byte, version func(context.Context, *http.Request) (string, error)) Option {
	if len(key) < 32 {
		panic("nano: WithResume: the key has fewer than 32 bytes: tokens could be forged; draw it with crypto/rand")
	}
	return func(s *settings) { s.resumeKey, s.version = key, version }
}

// WithSafeForm makes a second attempt if a value v cannot be encoded: f returns v without the part
// that err complains of, and that form is encoded. f is called only for that one answer or element
// of a stream. If there are several such options, the last one counts.
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
