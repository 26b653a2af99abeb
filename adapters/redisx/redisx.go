// Package redisx is a broker of package sse on one stream of Redis (or Valkey) 7 or newer, shared
// by any number of processes.
//
//	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
//	broker, err := redisx.Open(ctx, client)
//	hub, err := sse.Open(ctx, broker)
//
// All topics are one stream, whose entries have the IDs 1-0, 2-0, 3-0 …: the sequence numbers of
// [sse.ID]. A process blocks in one XREAD however many connections its hub serves. Reading the
// history of a topic looks at the entries of all topics behind that place: where that is too much,
// give topics that are read together a broker of their own (WithPrefix).
//
// # Deadlines
//
// A call ends with its context only if the client's option ContextTimeoutEnabled is set; else it
// may take as long as the client's own timeouts and attempts, some 12 s by default. Append is sent
// once: where its answer is lost it fails, and the message may have been kept.
//
// # Entries of others
//
// The stream and its counter, {zmy-sse}:log and {zmy-sse}:seq, are the broker's own. An entry that
// something else adds is no event: between ours it is skipped. Beyond them, where XADD puts it by
// itself, none of our numbers can follow it: a new epoch begins, the history and that entry are
// deleted, and clients are reset, once.
//
// # What survives
//
// What Redis keeps. Without persistence a restart begins a new epoch, and clients are reset.
//
//	appendfsync always     what Append has returned, also when redis-server is killed or the machine loses power
//	appendfsync everysec   the same when redis-server is killed, unless a sync was slow: it then answers for up to two
//	                       seconds before it writes. A machine that loses power can lose the last two seconds
//	replicas               are written to asynchronously: a fail-over loses what they had not been sent
//
// Where the end is lost the log goes on within its epoch, and numbers are given out a second time.
// Connections that have seen what is lost are reset, and so are clients that come back before the
// log has grown over their place; one that comes back later misses what came under the numbers that
// it knows. With appendfsync always, and without replicas, that cannot be.
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
	counter string          // key of a hash: epoch, and the last sequence number
	life    context.Context // ends with Close
	end     context.CancelFunc
}

var _ sse.Broker = (*Broker)(nil)

// Option sets up a broker.
type Option func(*options)

type options struct {
	prefix  string
	records int64
}

// WithPrefix begins the names of the keys, zmy-sse by default. Hubs that share events share it.
func WithPrefix(prefix string) Option { return func(o *options) { o.prefix = prefix } }

// WithHistory sets how many records are kept, of all topics together; 1,048,576 by default. Redis
// trims whole blocks, so that some more are.
func WithHistory(records int64) Option { return func(o *options) { o.records = records } }

// Open returns a broker on a client, which stays the caller's and is not closed with it.
func Open(ctx context.Context, client redis.UniversalClient, opts ...Option) (*Broker, error) {
	o := options{prefix: "zmy-sse", records: 1 << 20}
	for _, f := range opts {
		f(&o)
	}
	if o.records < 1 || o.prefix == "" || strings.ContainsAny(o.prefix, "{}") {
		return nil, fmt.Errorf("redisx: open: prefix %q, %d records: want a prefix without braces, and at least one record",
			o.prefix, o.records)
	}
	b := &Broker{redis: client, o: o, log: "{" + o.prefix + "}:log", counter: "{" + o.prefix + "}:seq"} // one slot of a cluster
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

// fail is an error of a call, told apart from one that Close has caused.
func (b *Broker) fail(what string, err error) error {
	if b.life.Err() != nil {
		err = sse.ErrClosed
	}
	return fmt.Errorf("redisx: %s: %w", what, err)
}

// within is ctx, ended by Close too.
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
	fieldTime   = "time" // when it was published, in ns since 1970
	fieldData   = "data"
)

// standing is where a script begins: it says where the log stands, in epoch and seq, and begins one
// where there is none. KEYS: log, counter. ARGV[1]: an epoch for a log that is new. A counter
// without a log (evicted, or deleted by hand) is a log that is gone.
const standing = `
local epoch, seq = unpack(redis.call('HMGET', KEYS[2], 'epoch', 'seq'))
local function begin()
  epoch, seq = ARGV[1], '0'
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[2], 'epoch', epoch, 'seq', seq)
end
if not epoch or not seq or (seq ~= '0' and redis.call('EXISTS', KEYS[1]) == 0) then begin() end
`

// addSource gives out the next number and adds an entry under it, in one step. ARGV behind the
// first: the number of records to keep, the entry's fields. Where something else has added an entry
// beyond the counter Redis takes none of our IDs any more, so that a log begins anew. The counter
// counts only what was added.
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

// look says where the log stands, and begins one where there is none, or where something else has
// added an entry beyond the counter. ARGV behind the first: the ID of an entry. It returns epoch,
// the ID of the first entry, when that entry was published, and last number; the ID is empty where
// nothing is kept, the time where there is no such entry.
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

// once runs a script that must not be run twice. A client of Redis sends a command again whose
// answer was lost, unless the command says that it must not; the script may have run by then.
func (b *Broker) once(ctx context.Context, script *redis.Script, args ...any) ([]string, error) {
	call := func(how, what string) ([]string, error) {
		cmd := onceCmd{redis.NewCmd(ctx, append([]any{how, what, 2, b.log, b.counter}, args...)...)}
		cmd.SetFirstKeyPos(3)
		_ = b.redis.Process(ctx, cmd) // the command has the error too
		return cmd.StringSlice()
	}
	got, err := call("evalsha", script.Hash())
	if redis.HasErrorPrefix(err, "NOSCRIPT") { // it has not run
		return call("eval", addSource)
	}
	return got, err
}

// onceCmd is a command that is not sent again.
type onceCmd struct{ *redis.Cmd }

func (onceCmd) NoRetry() bool { return true }

// cause is the context's error where that is why a call failed.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// place reads epoch and number.
func place(got []string) (sse.ID, error) {
	if len(got) < 2 {
		return sse.ID{}, fmt.Errorf("a script answered %q", got)
	}
	epoch, err1 := strconv.ParseUint(got[0], 16, 64)
	seq, err2 := strconv.ParseUint(got[len(got)-1], 10, 64)
	return sse.ID{Epoch: epoch, Seq: seq}, errors.Join(err1, err2)
}

// log is the stream as it stood at one moment.
type log struct {
	last    sse.ID
	first   uint64
	written string // when the entry that was asked for was published; empty if it is not there
}

func (b *Broker) current(ctx context.Context) (log, error) { return b.look(ctx, 0) }

// look also says when the entry of a number was published.
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
			l.first++ // it stands behind one of ours that is no longer kept
		}
	}
	return l, nil
}

// number reads the ID of an entry, which is ours if it reads "17-0".
func number(id string) (seq uint64, ours bool, err error) {
	text, rest, _ := strings.Cut(id, "-")
	seq, err = strconv.ParseUint(text, 10, 64)
	return seq, rest == "0", err
}

// check compares a place with the log.
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

// Last returns the place of the newest record.
func (b *Broker) Last(ctx context.Context) (sse.ID, error) {
	in, done := b.within(ctx)
	defer done()
	l, err := b.current(in)
	if err != nil {
		return sse.ID{}, b.fail("last", cause(ctx, err))
	}
	return l.last, nil
}

// record reads an entry; ours is false if something else has added it.
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
