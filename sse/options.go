package sse

import (
	"log/slog"
	"net/http"
	"time"
)

// Option sets up a hub.
type Option func(*options)

type options struct {
	slots, queueBytes    int
	slow                 SlowPolicy
	flush                FlushPolicy
	writeTimeout         time.Duration
	heartbeat            time.Duration
	retry, busyRetry     time.Duration
	drain                time.Duration
	maxConns, maxTopics  int
	maxEvent             int
	ringFrames, ringByte int
	replays              int
	authorize            func(*http.Request, string) error
	metrics              Metrics
	log                  *slog.Logger
}

func defaults() options {
	return options{
		slots: 32, queueBytes: 256 << 10, writeTimeout: 10 * time.Second, heartbeat: 15 * time.Second,
		retry: 3 * time.Second, busyRetry: 30 * time.Second, drain: 5 * time.Second, maxEvent: DefaultMaxEvent, maxTopics: 64,
		ringFrames: 1024, ringByte: 16 << 20, replays: 16, log: slog.Default(),
	}
}

// WithQueue sets how many events, and bytes of them, may wait for one connection: 32 and 256 KiB by
// default. As much again may be on its way. One event is taken whatever its size.
func WithQueue(events, bytes int) Option {
	return func(o *options) { o.slots, o.queueBytes = max(events, 1), max(bytes, 1) }
}

// WithSlowPolicy sets what becomes of slow connections: [Disconnect] by default.
func WithSlowPolicy(p SlowPolicy) Option { return func(o *options) { o.slow = p } }

// WithFlush sets when what was written is sent: at once by default.
func WithFlush(p FlushPolicy) Option { return func(o *options) { o.flush = p } }

// WithWriteTimeout sets how long a client may leave a write waiting, 10 s by default; of an event
// beyond 16 KiB, each 16 KiB.
func WithWriteTimeout(d time.Duration) Option { return func(o *options) { o.writeTimeout = d } }

// WithHeartbeat sets for how long nothing may be written before a heartbeat is, 15 s by
// default. It is written before a third more has passed. 0 or less turns heartbeats off.
func WithHeartbeat(d time.Duration) Option { return func(o *options) { o.heartbeat = d } }

// WithRetry sets after what time clients connect anew, 3 s by default; each is told another time
// between two thirds and four thirds of it.
func WithRetry(d time.Duration) Option { return func(o *options) { o.retry = d } }

// WithMaxConnections limits the number of connections. Clients beyond it are sent an empty stream
// and told to come back after the given time or up to twice that (30 s if it is 0). Browsers give
// up for good on any other answer.
func WithMaxConnections(n int, retry time.Duration) Option {
	return func(o *options) {
		o.maxConns = n
		if retry > 0 {
			o.busyRetry = retry
		}
	}
}

// WithMaxTopics sets how many topics one request may name, 64 by default; one with more is answered
// with status 400.
func WithMaxTopics(n int) Option { return func(o *options) { o.maxTopics = n } }

// WithDrain sets over what time Shutdown spreads the ends of connections, 5 s by default.
func WithDrain(d time.Duration) Option { return func(o *options) { o.drain = d } }

// WithMaxEvent sets how many bytes of data a message may have, 1 MiB by default.
func WithMaxEvent(bytes int) Option { return func(o *options) { o.maxEvent = bytes } }

// WithRecent sets how many events of all topics, and bytes of them, the hub keeps for those who
// come back soon: 1,024 and 16 MiB by default. Older events are read from the broker, by at most
// replays connections at once (16 if it is 0).
func WithRecent(events, bytes, replays int) Option {
	return func(o *options) {
		o.ringFrames, o.ringByte = max(events, 1), max(bytes, 1)
		if replays > 0 {
			o.replays = replays
		}
	}
}

// WithAuthorize sets a function that is asked for every topic of a request before
// anything is sent. An error refuses the request with status 403, or with
// the one that a method StatusCode() int of the error returns. Its text is not sent.
func WithAuthorize(f func(r *http.Request, topic string) error) Option {
	return func(o *options) { o.authorize = f }
}

// WithMetrics sets functions that are called as things happen.
func WithMetrics(m Metrics) Option { return func(o *options) { o.metrics = m } }

// WithLogger sets where a hub writes what no caller can be told: a broker that fails or has lost
// its log, records of others that are no events. The default is [slog.Default].
func WithLogger(l *slog.Logger) Option { return func(o *options) { o.log = l } }
