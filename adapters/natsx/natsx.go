// Package natsx is a broker of package sse on NATS JetStream, a server or a cluster:
//
//	broker, err := natsx.Open(ctx, "nats://n1,nats://n2,nats://n3", natsx.WithReplicas(3))
//	hub, err := sse.Open(ctx, broker)
//
// All topics are one stream, whose sequence numbers are those of [sse.ID]. A process has one
// consumer of the stream, however many connections its hub serves. Package embedded has a server
// within the process, for a service of one process.
//
// # What survives
//
// The replicas of the stream and sync_interval, which the servers' operators set, decide that. With R
// replicas, (R-1)/2 of the stream's servers may be lost. A server syncs every two minutes by default: if
// more servers lose power at the same time, what they had not synced can be lost.
//
// If the whole log was lost or deleted, it is made anew with another epoch. If only its end was
// lost, the log continues and assigns the lost numbers again. Connections that have seen lost
// records are reset. So are clients that come back before the log has grown beyond their last
// event. An append that fails may have stored the record nevertheless; nothing here is exactly
// once.
package natsx

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/sse"
)

// Broker is an [sse.Broker] on JetStream.
type Broker struct {
	o     options
	conn  *nats.Conn
	js    jetstream.JetStream
	life  context.Context // ends with Close
	end   context.CancelFunc
	epoch atomic.Uint64 // epoch of the stream when it was last seen
}

var _ sse.Broker = (*Broker)(nil)

// Option is an option of [Open].
type Option func(*options)

type options struct {
	stream   string
	records  int64
	bytes    int64
	age      time.Duration
	replicas int
	memory   bool
	nats     []nats.Option
}

// WithStream sets the name of the stream, ZMY_SSE by default. Hubs that share events use the same
// stream.
func WithStream(name string) Option { return func(o *options) { o.stream = name } }

// WithHistory limits what the stream keeps of all topics together: records, bytes and age. 0 means
// no limit. The defaults are 1,048,576 records, 1 GiB and 24 hours. A stream that exists already
// keeps its own limits.
func WithHistory(records, bytes int64, age time.Duration) Option {
	return func(o *options) { o.records, o.bytes, o.age = records, bytes, age }
}

// WithReplicas sets how many servers of a cluster keep the stream, 1 by default. With 3 it survives
// the loss of one server.
func WithReplicas(n int) Option { return func(o *options) { o.replicas = n } }

// WithMemory makes the servers keep the stream in memory instead of on disk, if the stream does not
// exist yet.
func WithMemory() Option { return func(o *options) { o.memory = true } }

// WithNATS adds options of the connection, such as credentials and TLS. They override natsx's own
// options: to reconnect for ever, to ping every 10 s (nats.PingInterval), and to give a connection
// up when a write to it takes longer than 5 s (nats.FlusherTimeout).
func WithNATS(opts ...nats.Option) Option {
	return func(o *options) { o.nats = append(o.nats, opts...) }
}

// Open connects to the servers of url, and finds the stream or makes it. If a cluster has no leader
// yet, Open waits up to 15 s, or until ctx ends.
func Open(ctx context.Context, url string, opts ...Option) (*Broker, error) {
	if url == "" {
		return nil, errors.New("natsx: open: no URL of a server; package natsx/embedded has one within the process")
	}
	o := options{stream: "ZMY_SSE", records: 1 << 20, bytes: 1 << 30, age: 24 * time.Hour, replicas: 1}
	for _, f := range opts {
		f(&o)
	}
	b := &Broker{o: o}
	b.life, b.end = context.WithCancel(context.Background())
	connect := append([]nats.Option{nats.Name("zmy sse"), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(false),
		nats.PingInterval(pingEvery), nats.FlusherTimeout(writeWithin)}, o.nats...)
	var err error
	if b.conn, err = nats.Connect(url, connect...); err == nil {
		if b.js, err = jetstream.New(b.conn); err == nil {
			err = b.begin(ctx)
		}
	} else {
		err = fmt.Errorf("%w; the URL has to be that of a NATS server that runs (nats-server -js starts one at %s)", err, nats.DefaultURL)
	}
	if errors.Is(err, nats.ErrNoResponders) {
		err = fmt.Errorf("%w: the server has no JetStream; start it with that (nats-server -js)", err)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("natsx: open %s: %w", url, err)
	}
	return b, nil
}

// begin finds or makes the stream. A cluster that has just started, or is electing a leader,
// refuses for a while or does not answer, so begin tries again.
func (b *Broker) begin(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, openWithin)
	defer stop()
	for {
		one, end := context.WithTimeout(ctx, openWithin/5)
		_, err := b.current(one)
		end()
		if err == nil || !notYet(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(again):
		}
	}
}

// notYet reports whether another attempt may succeed: the servers have not answered, or they are
// unavailable (status 503) for another reason than that JetStream is not enabled.
func notYet(err error) bool {
	var api *jetstream.APIError
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return false
	case errors.As(err, &api):
		return api.Code == 503
	}
	return errors.Is(err, context.DeadlineExceeded)
}

const (
	// openWithin is how long Open waits for a cluster to have leaders.
	openWithin = 15 * time.Second
	// appendWithin is how long Append waits for the servers if its context has no deadline. It is
	// longer than electing a leader takes.
	appendWithin = 10 * time.Second
	// pingEvery is how often a connection without traffic is pinged. If no ping was answered when
	// the third is due, the connection is given up.
	pingEvery = 10 * time.Second
	// writeWithin is how long a write to the server may take. The client is locked during a write,
	// so that all other calls wait, whatever their contexts say: up to a minute by NATS's default.
	writeWithin = 5 * time.Second
)

// Close closes the connection.
func (b *Broker) Close() error {
	b.end()
	if b.conn != nil {
		b.conn.Close()
	}
	return nil
}

// fail wraps the error of a call. After Close the error is ErrClosed.
func (b *Broker) fail(what string, err error) error {
	if b.life.Err() != nil {
		err = sse.ErrClosed
	}
	return fmt.Errorf("natsx: %s: %w", what, err)
}

// log describes the stream at one moment.
type log struct {
	epoch       uint64
	first, last uint64 // sequence numbers; if there are no records, first is last+1
	replicas    int
}

// epochKey is the key of the epoch, in hexadecimal, in the stream's metadata. The epoch is also
// part of the subjects. So a process that knows only the old epoch neither adds to a new stream nor
// reads from it.
const epochKey = "zmy-sse-epoch"

// current returns the present log. It makes the stream if there is none.
func (b *Broker) current(ctx context.Context) (log, error) {
	s, err := b.js.Stream(ctx, b.o.stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s, err = b.create(ctx)
	}
	if err != nil {
		return log{}, err
	}
	info := s.CachedInfo()
	epoch, err := strconv.ParseUint(info.Config.Metadata[epochKey], 16, 64)
	if err != nil || epoch == 0 {
		return log{}, fmt.Errorf("stream %s was not made by natsx: its metadata lack %s; choose another name with WithStream",
			b.o.stream, epochKey)
	}
	b.epoch.Store(epoch)
	first := info.State.FirstSeq
	if info.State.Msgs == 0 {
		first = info.State.LastSeq + 1
	}
	return log{epoch, first, info.State.LastSeq, info.Config.Replicas}, nil
}

func (b *Broker) create(ctx context.Context) (jetstream.Stream, error) {
	epoch := newEpoch()
	storage := jetstream.FileStorage
	if b.o.memory {
		storage = jetstream.MemoryStorage
	}
	s, err := b.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: b.o.stream, Description: "server-sent events", Subjects: []string{b.subject(epoch, ">")},
		Metadata: map[string]string{epochKey: strconv.FormatUint(epoch, 16)},
		Storage:  storage, Replicas: b.o.replicas, Discard: jetstream.DiscardOld,
		MaxMsgs: b.o.records, MaxBytes: b.o.bytes, MaxAge: b.o.age,
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process has made it first
		return b.js.Stream(ctx, b.o.stream)
	}
	return s, err
}

// Last returns the ID of the newest record.
func (b *Broker) Last(ctx context.Context) (sse.ID, error) {
	l, err := b.current(ctx)
	if err != nil {
		return sse.ID{}, b.fail("last", err)
	}
	return sse.ID{Epoch: l.epoch, Seq: l.last}, nil
}

// Append adds m to the stream. If the stream is gone, it makes a new one. If the stream has no
// leader, so that no server takes the message, it tries again. It gives up when ctx ends, or after
// 10 s if ctx has no deadline.
func (b *Broker) Append(ctx context.Context, topic string, m sse.Message) (sse.ID, error) {
	if _, ok := ctx.Deadline(); !ok {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, appendWithin)
		defer stop()
	}
	for {
		epoch := b.epoch.Load()
		ack, err := b.js.PublishMsg(ctx, b.encode(epoch, topic, m), jetstream.WithRetryAttempts(0))
		if err == nil {
			return sse.ID{Epoch: epoch, Seq: ack.Sequence}, nil
		}
		if gone(err) { // no server has stored it
			if _, err = b.current(ctx); err == nil || notYet(err) {
				err = b.pause(ctx, epoch, err)
			}
		}
		if err != nil {
			return sse.ID{}, b.fail("append to "+strconv.Quote(topic), err)
		}
	}
}

// pause waits a moment for a leader, unless the stream has another epoch by now. It returns an
// error when ctx ends. why is the servers' error, or nil.
func (b *Broker) pause(ctx context.Context, epoch uint64, why error) error {
	if b.epoch.Load() != epoch {
		return nil
	}
	select {
	case <-time.After(again / 2):
		return nil
	case <-ctx.Done():
		if why != nil {
			return fmt.Errorf("%w: %w", ctx.Err(), why)
		}
		return ctx.Err()
	}
}

// gone reports whether no server answers for a subject: its stream is deleted or has no leader yet.
func gone(err error) bool {
	return errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders)
}

// check returns an error unless after is an ID within the log and no record after it was trimmed.
func (l log) check(after sse.ID) error {
	switch {
	case after.Epoch != l.epoch:
		return sse.ErrEpoch
	case after.Seq > l.last:
		return sse.ErrFuture
	case after.Seq+1 < l.first:
		return sse.ErrTrimmed
	}
	return nil
}
