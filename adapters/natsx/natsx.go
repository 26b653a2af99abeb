// Package natsx is a broker of package sse on NATS JetStream: embedded in the process until one
// machine is outgrown, then a cluster, by a URL.
//
//	broker, err := natsx.Open(ctx, "")                             // embedded, in memory
//	broker, err := natsx.Open(ctx, "", natsx.WithDir("events"))    // embedded, on disk
//	broker, err := natsx.Open(ctx, "nats://n1,nats://n2,nats://n3", natsx.WithReplicas(3))
//	hub, err := sse.Open(ctx, broker)
//
// All topics are one stream, whose sequence numbers are those of [sse.ID]. A process has one
// consumer of it however many connections its hub serves.
//
// # What survives
//
//	embedded, in memory   nothing: the next process has another epoch, and clients are reset
//	embedded, WithDir     what Append has returned, also when the process is killed or the machine loses
//	                      power, as far as the disk keeps what was synced: each append is one sync
//	a server or cluster   what its operators have set up. With replicas R of the stream, (R-1)/2 of its servers may be
//	                      lost. A server syncs every two minutes by default (sync_interval): more servers that
//	                      lose power at the same time can lose what they had not synced
//
// A log that was lost as a whole, or was deleted, is made anew under another epoch. One that has
// lost its end goes on, and gives numbers out a second time: connections that have seen what is
// lost are reset, and so are clients that come back before the log has grown over their place. An
// append that fails may have been kept all the same; nothing here is exactly once.
package natsx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/sse"
)

// Broker is an [sse.Broker] on JetStream.
type Broker struct {
	o       options
	server  *server.Server // of its own, or nil
	scratch string         // its folder where nothing is kept
	conn    *nats.Conn
	js      jetstream.JetStream
	life    context.Context // ends with Close
	end     context.CancelFunc

	mu    sync.Mutex
	epoch uint64 // of the stream as it was last seen
}

var _ sse.Broker = (*Broker)(nil)

// Option sets up a broker.
type Option func(*options)

type options struct {
	stream   string
	records  int64
	bytes    int64
	age      time.Duration
	replicas int
	dir      string
	nats     []nats.Option
}

// WithStream names the stream, ZMY_SSE by default. Hubs that share events share a stream.
func WithStream(name string) Option { return func(o *options) { o.stream = name } }

// WithHistory sets what the stream keeps, of all topics together: records, bytes and age, each no
// limit if it is 0. By default 1,048,576 records, 1 GiB and 24 hours. A stream that exists keeps
// its own limits.
func WithHistory(records, bytes int64, age time.Duration) Option {
	return func(o *options) { o.records, o.bytes, o.age = records, bytes, age }
}

// WithReplicas sets on how many servers of a cluster the stream is kept, 1 by default: 3 outlives
// the loss of one.
func WithReplicas(n int) Option { return func(o *options) { o.replicas = n } }

// WithDir has the embedded server keep the stream in a folder, synced at each append. One process
// at a time may use it.
func WithDir(dir string) Option { return func(o *options) { o.dir = dir } }

// WithNATS adds options of the connection: credentials, TLS. They come behind natsx's own, which
// are to reconnect for ever, to ping every 10 s (nats.PingInterval), and to give a connection up
// that does not take a write for 5 s (nats.FlusherTimeout).
func WithNATS(opts ...nats.Option) Option {
	return func(o *options) { o.nats = append(o.nats, opts...) }
}

// Open connects to the servers of url, or starts a server within this process if that is empty, and
// finds or makes the stream. For a cluster that has no leader yet it waits up to 15 s, or until ctx
// ends.
func Open(ctx context.Context, url string, opts ...Option) (*Broker, error) {
	o := options{stream: "ZMY_SSE", records: 1 << 20, bytes: 1 << 30, age: 24 * time.Hour, replicas: 1}
	for _, f := range opts {
		f(&o)
	}
	b := &Broker{o: o}
	b.life, b.end = context.WithCancel(context.Background())
	connect := append([]nats.Option{nats.Name("zmy sse"), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(false),
		nats.PingInterval(pingEvery), nats.FlusherTimeout(writeWithin)}, o.nats...)
	if url == "" {
		var err error
		if b.server, b.scratch, err = embed(ctx, o.dir); err != nil {
			b.Close()
			return nil, err
		}
		connect = append(connect, nats.InProcessServer(b.server))
	} else if o.dir != "" {
		return nil, errors.New("natsx: WithDir is for the embedded server; a server of its own knows where it keeps streams")
	}
	var err error
	if b.conn, err = nats.Connect(url, connect...); err == nil {
		if b.js, err = jetstream.New(b.conn); err == nil {
			err = b.begin(ctx)
		}
	}
	if errors.Is(err, nats.ErrNoResponders) {
		err = fmt.Errorf("%w: the server has no JetStream; start it with that (nats-server -js)", err)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("natsx: open %s: %w", where(url), err)
	}
	return b, nil
}

// begin looks for the stream, or makes it, as soon as the servers can: a cluster that has just
// started, or elects a leader, refuses for a while or does not answer.
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

// notYet reports whether servers may think better of it: they have not answered, or are unavailable
// (status 503) for another reason than that they were started without JetStream.
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
	// appendWithin is how long Append waits for the servers where its context has no deadline:
	// longer than they take to elect a leader.
	appendWithin = 10 * time.Second
	// pingEvery is how often a connection on which nothing comes is tried; the third ping without
	// an answer gives it up.
	pingEvery = 10 * time.Second
	// writeWithin is how long a write to the server may take. The client holds its lock meanwhile,
	// so that all calls wait for it whatever their contexts say: by default for a minute.
	writeWithin = 5 * time.Second
)

func where(url string) string {
	if url == "" {
		return "the embedded server"
	}
	return url
}

// embed starts a server that no port leads to. Without a folder it has one of its own for what it
// writes beside streams, scratch, to be removed behind it.
func embed(ctx context.Context, dir string) (s *server.Server, scratch string, err error) {
	store := dir
	if dir == "" {
		if scratch, err = os.MkdirTemp("", "zmy-sse-*"); err != nil {
			return nil, "", fmt.Errorf("natsx: a folder for the embedded server: %w", err)
		}
		store = scratch
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", fmt.Errorf("natsx: a folder for the stream: %w", err)
	}
	s, err = server.NewServer(&server.Options{
		ServerName: "zmy-sse", DontListen: true, NoSigs: true, NoLog: true, JetStream: true,
		StoreDir: store, SyncAlways: dir != "", MaxPayload: 8 << 20,
	})
	if err != nil {
		return nil, scratch, fmt.Errorf("natsx: start a server in %q: %w", store, err)
	}
	s.Start()
	for !s.ReadyForConnections(100 * time.Millisecond) {
		if ctx.Err() == nil && s.Running() {
			continue
		}
		s.Shutdown()
		err := ctx.Err()
		if err == nil {
			err = errors.New("it has stopped")
		}
		return nil, scratch, fmt.Errorf("natsx: start the embedded server: %w; is its folder %q in use by another process?", err, store)
	}
	return s, scratch, nil
}

// Close ends the connection, and the embedded server.
func (b *Broker) Close() error {
	b.end()
	if b.conn != nil {
		b.conn.Close()
	}
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
	if b.scratch != "" {
		return os.RemoveAll(b.scratch)
	}
	return nil
}

// fail is an error of a call, told apart from one that Close has caused.
func (b *Broker) fail(what string, err error) error {
	if b.life.Err() != nil {
		err = sse.ErrClosed
	}
	return fmt.Errorf("natsx: %s: %w", what, err)
}

// log is the stream as it stood at one moment.
type log struct {
	epoch       uint64
	first, last uint64 // sequence numbers; first is last+1 where nothing is kept
	replicas    int
}

// epochKey is where the stream's metadata have its epoch, in hexadecimal. It is part of the
// subjects too, so that nothing is added to, or read from, a stream that has taken the place of
// another one.
const epochKey = "zmy-sse-epoch"

// current asks for the stream and makes it if there is none.
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
	b.mu.Lock()
	b.epoch = epoch
	b.mu.Unlock()
	first := info.State.FirstSeq
	if info.State.Msgs == 0 {
		first = info.State.LastSeq + 1
	}
	return log{epoch, first, info.State.LastSeq, info.Config.Replicas}, nil
}

func (b *Broker) create(ctx context.Context) (jetstream.Stream, error) {
	epoch := newEpoch()
	storage := jetstream.FileStorage
	if b.server != nil && b.o.dir == "" {
		storage = jetstream.MemoryStorage
	}
	s, err := b.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: b.o.stream, Description: "server-sent events", Subjects: []string{b.subject(epoch, ">")},
		Metadata: map[string]string{epochKey: strconv.FormatUint(epoch, 16)},
		Storage:  storage, Replicas: b.o.replicas, Discard: jetstream.DiscardOld,
		MaxMsgs: b.o.records, MaxBytes: b.o.bytes, MaxAge: b.o.age,
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process was quicker
		return b.js.Stream(ctx, b.o.stream)
	}
	return s, err
}

// Last returns the place of the newest record.
func (b *Broker) Last(ctx context.Context) (sse.ID, error) {
	l, err := b.current(ctx)
	if err != nil {
		return sse.ID{}, b.fail("last", err)
	}
	return sse.ID{Epoch: l.epoch, Seq: l.last}, nil
}

// Append adds m to the stream. Where the stream is gone a new one takes its place; while it has no
// leader, and so nobody takes the message, Append tries again. It gives up when ctx ends, after 10
// s if that has no deadline.
func (b *Broker) Append(ctx context.Context, topic string, m sse.Message) (sse.ID, error) {
	if _, ok := ctx.Deadline(); !ok {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, appendWithin)
		defer stop()
	}
	for {
		b.mu.Lock()
		epoch := b.epoch
		b.mu.Unlock()
		ack, err := b.js.PublishMsg(ctx, b.encode(epoch, topic, m), jetstream.WithRetryAttempts(0))
		if err == nil {
			return sse.ID{Epoch: epoch, Seq: ack.Sequence}, nil
		}
		if gone(err) { // nobody has it
			if _, err = b.current(ctx); err == nil || notYet(err) {
				err = b.pause(ctx, epoch, err)
			}
		}
		if err != nil {
			return sse.ID{}, b.fail("append to "+strconv.Quote(topic), err)
		}
	}
}

// pause waits a moment for a leader, unless the stream has become another one. It fails when ctx
// ends; why is what the servers said, or nil.
func (b *Broker) pause(ctx context.Context, epoch uint64, why error) error {
	b.mu.Lock()
	another := b.epoch != epoch
	b.mu.Unlock()
	if another {
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

// gone reports whether nobody answers for a subject: its stream is no more, or has no leader yet.
func gone(err error) bool {
	return errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders)
}

// check compares a place with the log.
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
