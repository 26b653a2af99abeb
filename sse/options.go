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

// WithQueue limits what may wait for one connection: to 32 events and 256 KiB by default. As much
// again may be on its way to the client. An empty queue accepts an event of any size.
func WithQueue(events, bytes int) Option {
	return func(o *options) { o.slots, o.queueBytes = max(events, 1), max(bytes, 1) }
}

// WithSlowPolicy sets what happens to slow connections: [Disconnect] by default.
func WithSlowPolicy(p SlowPolicy) Option { return func(o *options) { o.slow = p } }

// WithFlush sets when written events are flushed to the client: at once by default.
func WithFlush(p FlushPolicy) Option { return func(o *options) { o.flush = p } }

// WithWriteTimeout sets how long a write may wait for the client, 10 s by default. An event of more
// than 16 KiB is written in pieces of 16 KiB, and the time holds for each piece.
func WithWriteTimeout(d time.Duration) Option { return func(o *options) { o.writeTimeout = d } }

// WithHeartbeat sets after how long without a write a connection is sent a heartbeat, 15 s by
// default. The heartbeat may come up to a third of that time later. 0 or less turns heartbeats off.
func WithHeartbeat(d time.Duration) Option { return func(o *options) { o.heartbeat = d } }

// WithRetry sets how long clients wait before they reconnect, 3 s by default. Each client is told a
// random time between two thirds and four thirds of d, so that they do not all reconnect at once.
func WithRetry(d time.Duration) Option { return func(o *options) { o.retry = d } }

// WithMaxConnections limits the number of connections. Further clients get an empty stream, which
// tells them to come back after a random time between retry and twice retry. If retry is 0, it is
// 30 s. The answer is a stream because browsers never reconnect after any other answer.
func WithMaxConnections(n int, retry time.Duration) Option {
	return func(o *options) {
		o.maxConns = n
		if retry > 0 {
			o.busyRetry = retry
		}
	}
}

// WithMaxTopics sets how many topics one request may name, 64 by default. A request with more is
// answered with status 400.
func WithMaxTopics(n int) Option { return func(o *options) { o.maxTopics = n } }

// WithDrain sets the time over which Shutdown spreads the ends of connections, 5 s by default.
func WithDrain(d time.Duration) Option { return func(o *options) { o.drain = d } }

// WithMaxEvent sets how many bytes of data a message may have, 1 MiB by default.
func WithMaxEvent(bytes int) Option { return func(o *options) { o.maxEvent = bytes } }

// WithRecent limits the recent events of all topics that the hub keeps for clients that soon
// reconnect: to 1,024 events and 16 MiB by default. Older events are read from the broker, for at
// most replays connections at once (16 if replays is 0).
func WithRecent(events, bytes, replays int) Option {
	return func(o *options) {
		o.ringFrames, o.ringByte = max(events, 1), max(bytes, 1)
		if replays > 0 {
			o.replays = replays
		}
	}
}

// WithAuthorize sets a function that is called for every topic of a request before anything is
// sent. An error refuses the request with status 403. If the error has a method StatusCode() int
// that returns 400 to 599, the request is refused with that status. The error's text is not sent.
func WithAuthorize(f func(r *http.Request, topic string) error) Option {
	return func(o *options) { o.authorize = f }
}

// WithMetrics sets functions that the hub calls for what happens in it.
func WithMetrics(m Metrics) Option { return func(o *options) { o.metrics = m } }

// WithLogger sets the logger for problems that no caller can be told of: a broker that fails or has
// lost its log, and records in the log that are not valid events. The default is [slog.Default].
func WithLogger(l *slog.Logger) Option { return func(o *options) { o.log = l } }
