// Package redisx is a broker of package sse on one stream of Redis (or Valkey) 7 or newer, shared
// by any number of processes.
//
//	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
//	broker, err := redisx.Open(ctx, client)
//	hub, err := sse.Open(ctx, broker)
//
// All topics are one stream. Its entries have the IDs 1-0, 2-0, 3-0 …, which are the sequence
// numbers of [sse.ID]. A process blocks in one XREAD, however many connections its hub serves.
// Reading the history of a topic from some place on reads all later entries, whatever their topics.
// If that is too much, give topics that are read together a broker of their own (WithPrefix).
//
// # Deadlines
//
// A call ends with its context only if the client's option ContextTimeoutEnabled is set. Otherwise
// it may take as long as the client's own timeouts and attempts, some 12 s by default. Append is
// sent only once: if its answer is lost, Append fails, and the message may have been stored.
//
// # Entries of others
//
// The stream and its counter, {zmy-sse}:log and {zmy-sse}:seq, belong to the broker. An entry that
// another program adds is not an event. Between the broker's entries it is skipped. If it lies
// after all of them, where XADD puts it by default, the broker cannot add an entry after it. So a
// new epoch begins, the history and that entry are deleted, and clients are reset, once.
//
// # What survives
//
// The log survives as far as Redis keeps it. Without persistence, a restart of Redis begins a new
// epoch, and clients are reset.
//
//	appendfsync always     everything that Append has returned, also when redis-server is killed
//	                       or the machine loses power
//	appendfsync everysec   the same when redis-server is killed, unless a sync was slow: Redis then
//	                       answers for up to two seconds before it writes. A machine that loses
//	                       power can lose the last two seconds
//	replicas               are written to asynchronously: a fail-over loses what they had not been
//	                       sent
//
// If the log's end is lost, the log continues in the same epoch and assigns the lost numbers again.
// Connections that have seen lost records are reset. So are clients that come back before the log
// has grown beyond their last event. A client that comes back later misses the new records that
// have the numbers of lost records which it has seen. With appendfsync always and without replicas
// this cannot happen.
package redisx

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zmylab/zmy/sse"
)

// Broker is an [sse.Broker] on a stream of Redis.
type Broker struct {
	redis   redis.UniversalClient
	o       options
	log     string          // key of the stream
	counter string          // key of a hash with the epoch and the last sequence number
	life    context.Context // ends with Close
	end     context.CancelFunc
}

var _ sse.Broker = (*Broker)(nil)

// Option is an option of [Open].
type Option func(*options)

type options struct {
	prefix  string
	records int64
}

// WithPrefix sets the prefix of the keys, zmy-sse by default. Hubs that share events use the same
// prefix.
func WithPrefix(prefix string) Option { return func(o *options) { o.prefix = prefix } }

// WithHistory sets how many records of all topics together are kept, 1,048,576 by default. Redis
// trims whole blocks, so it may keep some more.
func WithHistory(records int64) Option { return func(o *options) { o.records = records } }

// Open returns a broker that uses client. The client remains the caller's: Close does not close it.
func Open(ctx context.Context, client redis.UniversalClient, opts ...Option) (*Broker, error) {
	o := options{prefix: "zmy-sse", records: 1 << 20}
	for _, f := range opts {
		f(&o)
	}
	if o.records < 1 || o.prefix == "" || strings.ContainsAny(o.prefix, "{}") {
		return nil, fmt.Errorf("redisx: open: prefix %q, %d records: want a prefix without braces, and at least one record",
			o.prefix, o.records)
	}
	// The braces put both keys into one slot of a cluster.
	b := &Broker{redis: client, o: o, log: "{" + o.prefix + "}:log", counter: "{" + o.prefix + "}:seq"}
	b.life, b.end = context.WithCancel(context.Background())
	if _, err := b.current(ctx); err != nil {
		b.end()
		return nil, fmt.Errorf("redisx: open: %w", err)
	}
	return b, nil
}

// Close ends the broker's tails and calls.
func (b *Broker) Close() error {
	b.end()
	return nil
}

// fail wraps the error of a call. After Close the error is ErrClosed.
func (b *Broker) fail(what string, err error) error {
	if b.life.Err() != nil {
		err = sse.ErrClosed
	}
	return fmt.Errorf("redisx: %s: %w", what, err)
}

// within returns a context that ends with ctx or with Close.
func (b *Broker) within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(b.life, cancel)
	if b.life.Err() != nil {
		cancel()
	}
	return ctx, func() { stop(); cancel() }
}

// Fields of an entry.
const (
	fieldTopic  = "topic"
	fieldType   = "type"
	fieldKey    = "key"
	fieldBinary = "binary"
	fieldTime   = "time" // time of publishing, in ns since 1970
	fieldData   = "data"
)

// standing is the first part of each script. It reads epoch and seq from the counter, and begins a
// new log if there is none. KEYS: log, counter. ARGV[1]: the epoch for a new log. If the counter
// exists but the log does not (it was evicted, or deleted by hand), the log counts as lost.
const standing = `
local epoch, seq = unpack(redis.call('HMGET', KEYS[2], 'epoch', 'seq'))
local function begin()
  epoch, seq = ARGV[1], '0'
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[2], 'epoch', epoch, 'seq', seq)
end
if not epoch or not seq or (seq ~= '0' and redis.call('EXISTS', KEYS[1]) == 0) then begin() end
`

// addSource is a script that takes the next number and adds an entry under it, in one step. ARGV[2]
// is the number of records to keep; the entry's fields follow. If another program has added an
// entry beyond the counter, Redis does not accept the broker's IDs any more, so the script begins a
// new log. The counter changes only if the entry was added.
const addSource = standing + `
local function add()
  seq = string.format('%.0f', seq + 1)
  return redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], seq .. '-0', unpack(ARGV, 3))
end
local got = add()
local function failed(what) return type(got) == 'table' and string.find(got.err, what, 1, true) end
if failed('equal or smaller') or failed('exhausted') then
  begin()
  got = add()
end
if failed('') then return got end
redis.call('HSET', KEYS[2], 'seq', seq)
return {epoch, seq}
`

var add = redis.NewScript(addSource)

// look is a script that reads the state of the log. It begins a new log if there is none, or if
// another program has added an entry beyond the counter. ARGV[2] is the ID of an entry. It returns
// the epoch, the ID of the first entry, the time when the entry of ARGV[2] was published, and the
// last number. The first ID is empty if there are no entries; the time is empty if there is no such
// entry.
var look = redis.NewScript(standing + `
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if top[1] and tonumber(string.match(top[1][1], '^%d+')) > tonumber(seq) then begin() end
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])
local time = ''
if entry[1] then
  local fields = entry[1][2]
  for i = 1, #fields, 2 do
    if fields[i] == 'time' then time = fields[i + 1] end
  end
end
return {epoch, first[1] and first[1][1] or '', time, seq}
`)

func newEpoch() string { return strconv.FormatUint(1+rand.Uint64N(1<<48), 16) }

// Append adds m to the stream.
func (b *Broker) Append(ctx context.Context, topic string, m sse.Message) (sse.ID, error) {
	what := "append to " + strconv.Quote(topic)
	in, done := b.within(ctx)
	defer done()
	binary := ""
	if m.Binary {
		binary = "1"
	}
	got, err := b.once(in, add, newEpoch(), b.o.records,
		fieldTopic, topic, fieldTime, time.Now().UnixNano(), fieldType, m.Type, fieldKey, m.Key, fieldBinary, binary, fieldData, m.Data)
	if err != nil {
		return sse.ID{}, b.fail(what, cause(ctx, err))
	}
	id, err := place(got)
	if err != nil {
		return sse.ID{}, b.fail(what, err)
	}
	return id, nil
}

// once runs a script that must not run twice. A client of Redis repeats a command whose answer was
// lost, although the script may have run. onceCmd prevents that.
func (b *Broker) once(ctx context.Context, script *redis.Script, args ...any) ([]string, error) {
	call := func(how, what string) ([]string, error) {
		cmd := onceCmd{redis.NewCmd(ctx, append([]any{how, what, 2, b.log, b.counter}, args...)...)}
		cmd.SetFirstKeyPos(3)
		_ = b.redis.Process(ctx, cmd) // cmd returns the same error
		return cmd.StringSlice()
	}
	got, err := call("evalsha", script.Hash())
	if redis.HasErrorPrefix(err, "NOSCRIPT") { // the script has not run
		return call("eval", addSource)
	}
	return got, err
}

// onceCmd is a command that the client does not repeat.
type onceCmd struct{ *redis.Cmd }

func (onceCmd) NoRetry() bool { return true }

// cause returns the context's error if ctx has ended, else err.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// place parses the epoch and the last number of a script's answer.
func place(got []string) (sse.ID, error) {
	if len(got) < 2 {
		return sse.ID{}, fmt.Errorf("a script answered %q", got)
	}
	epoch, err1 := strconv.ParseUint(got[0], 16, 64)
	seq, err2 := strconv.ParseUint(got[len(got)-1], 10, 64)
	return sse.ID{Epoch: epoch, Seq: seq}, errors.Join(err1, err2)
}

// log describes the stream at one moment.
type log struct {
	last    sse.ID
	first   uint64
	written string // when the entry that look was asked for was published; empty if there is no such entry
}

func (b *Broker) current(ctx context.Context) (log, error) { return b.look(ctx, 0) }

// look returns the present log. Its field written says when the entry with number seq was
// published.
func (b *Broker) look(ctx context.Context, seq uint64) (log, error) {
	got, err := look.Run(ctx, b.redis, []string{b.log, b.counter}, newEpoch(), id(seq)).StringSlice()
	if err != nil {
		return log{}, err
	}
	last, err := place(got)
	if err != nil || len(got) != 4 {
		return log{}, errors.Join(err, fmt.Errorf("a script answered %q", got))
	}
	l := log{last, last.Seq + 1, got[2]}
	if got[1] != "" {
		first, ours, err := number(got[1])
		if err != nil {
			return log{}, err
		}
		if l.first = first; !ours {
			l.first++ // another program's entry; it follows the broker's entry of this number, which was trimmed
		}
	}
	return l, nil
}

// number parses the ID of an entry. ours reports whether it has the form of the broker's IDs,
// "17-0".
func number(id string) (seq uint64, ours bool, err error) {
	text, rest, _ := strings.Cut(id, "-")
	seq, err = strconv.ParseUint(text, 10, 64)
	return seq, rest == "0", err
}

// check returns an error unless after is an ID within the log and no record after it was trimmed.
func (l log) check(after sse.ID) error {
	switch {
	case after.Epoch != l.last.Epoch:
		return sse.ErrEpoch
	case after.Seq > l.last.Seq:
		return sse.ErrFuture
	case after.Seq+1 < l.first:
		return sse.ErrTrimmed
	}
	return nil
}

// Last returns the ID of the newest record.
func (b *Broker) Last(ctx context.Context) (sse.ID, error) {
	in, done := b.within(ctx)
	defer done()
	l, err := b.current(in)
	if err != nil {
		return sse.ID{}, b.fail("last", cause(ctx, err))
	}
	return l.last, nil
}

// record converts an entry. ours is false if another program has added it.
func record(epoch uint64, m redis.XMessage) (r sse.Record, ours bool, err error) {
	seq, ours, err := number(m.ID)
	if _, has := m.Values[fieldTopic]; err != nil || !ours || !has {
		return sse.Record{}, false, err
	}
	text := func(field string) string {
		s, _ := m.Values[field].(string)
		return s
	}
	r = sse.Record{ID: sse.ID{Epoch: epoch, Seq: seq}, Topic: text(fieldTopic)}
	r.Type, r.Key, r.Binary, r.Data = text(fieldType), text(fieldKey), text(fieldBinary) == "1", []byte(text(fieldData))
	if ns, err := strconv.ParseInt(text(fieldTime), 10, 64); err == nil {
		r.Time = time.Unix(0, ns)
	}
	return r, true, nil
}
