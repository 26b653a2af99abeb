package sse

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Memory is a [Broker] in this process. Its log is lost when the process ends; a new Memory has
// another epoch.
type Memory struct {
	opts MemoryOptions

	mu      sync.Mutex
	last    ID
	topics  map[string]*topicLog
	age     []place // the places of all records kept and of some trimmed ones, oldest first
	records int     // kept
	bytes   int     // kept
	trimmed uint64  // Seq of the newest trimmed record of any topic
	gone    uint64  // Seq of the newest trimmed record of topics that have no records left
	tails   map[*memoryTail]struct{}
	closed  bool
}

// MemoryOptions limit what a Memory keeps. A zero field means the default.
type MemoryOptions struct {
	// History is how many records are kept for each topic, 1,024 by default.
	History int
	// MaxBytes limits the memory of all records together, 64 MiB by default. The oldest records are
	// trimmed first. The newest record is always kept.
	MaxBytes int
	// Lag is how many records a tail may be behind, 65,536 by default. A tail that falls further
	// behind ends with ErrTrimmed.
	Lag int
}

// topicLog is the history of a topic. It is never empty.
type topicLog struct {
	name    string
	records []Record // in order of Seq; trimmed at its front
	trimmed uint64   // Seq of the newest record that was, or may have been, trimmed
}

type place struct {
	topic *topicLog
	seq   uint64
}

// NewMemory returns an empty log with a new epoch.
func NewMemory(o MemoryOptions) *Memory {
	o.History = cmp.Or(max(o.History, 0), 1024)
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 64<<20)
	o.Lag = cmp.Or(max(o.Lag, 0), 1<<16)
	return &Memory{opts: o, last: ID{Epoch: newEpoch()}, topics: map[string]*topicLog{}, tails: map[*memoryTail]struct{}{}}
}

// newEpoch draws the epoch at random, because a clock that was set back could repeat an epoch.
func newEpoch() uint64 { return 1 + rand.Uint64N(1<<48) }

func (b *Memory) fail(what string, err error) error {
	return fmt.Errorf("sse: memory broker: %s: %w", what, err)
}

// Append adds m to the log of topic.
func (b *Memory) Append(ctx context.Context, topic string, m Message) (ID, error) {
	if err := ctx.Err(); err != nil {
		return ID{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ID{}, b.fail("append to "+topic, ErrClosed)
	}
	b.last.Seq++
	rec := Record{ID: b.last, Topic: topic, Time: time.Now(), Message: m}
	b.keep(rec)
	for t := range b.tails {
		t.push(rec)
	}
	return rec.ID, nil
}

// keep adds rec to its topic's history and trims until the limits hold.
func (b *Memory) keep(rec Record) {
	t := b.topics[rec.Topic]
	if t == nil {
		t = &topicLog{name: rec.Topic, trimmed: b.gone}
		b.topics[rec.Topic] = t
	}
	t.records = append(t.records, rec)
	b.records++
	b.bytes += rec.size()
	if len(t.records) > b.opts.History {
		b.trim(t)
	}
	b.age = append(b.age, place{t, rec.ID.Seq})
	for b.bytes > b.opts.MaxBytes && b.records > 1 {
		oldest := b.age[0]
		b.age = b.age[1:]
		if oldest.kept() {
			b.trim(oldest.topic)
		}
	}
	// History trims records whose places stay in age. Sweeping them out only now and then costs
	// little for each record.
	if len(b.age) > 2*b.records+1024 {
		b.age = slices.DeleteFunc(b.age, func(p place) bool { return !p.kept() })
	}
}

// size returns the bytes of memory that a record takes, including an estimate for its Go values.
func (r *Record) size() int { return len(r.Data) + len(r.Topic) + len(r.Type) + len(r.Key) + 160 }

func (p place) kept() bool { return p.seq > p.topic.trimmed }

// trim removes the oldest record of t.
func (b *Memory) trim(t *topicLog) {
	oldest := &t.records[0]
	t.trimmed = oldest.ID.Seq
	b.trimmed = max(b.trimmed, t.trimmed)
	b.records--
	b.bytes -= oldest.size()
	*oldest = Record{}
	if t.records = t.records[1:]; len(t.records) == 0 {
		delete(b.topics, t.name)
		b.gone = max(b.gone, t.trimmed)
	}
}

// Last returns the ID of the newest record.
func (b *Memory) Last(ctx context.Context) (ID, error) {
	if err := ctx.Err(); err != nil {
		return ID{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ID{}, b.fail("last", ErrClosed)
	}
	return b.last, nil
}

// Read appends to dst the records of the topics whose ID is greater than after, at most limit of
// them.
func (b *Memory) Read(ctx context.Context, dst []Record, topics []string, after ID, limit int) ([]Record, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.check(after); err != nil {
		return dst, b.fail("read after "+after.String(), err)
	}
	out := dst
	for _, topic := range dedup(topics) {
		t := b.topics[topic]
		trimmed := b.gone
		if t != nil {
			trimmed = t.trimmed
		}
		if after.Seq < trimmed {
			return dst, b.fail(fmt.Sprintf("read %q after %s", topic, after), ErrTrimmed)
		}
		if t != nil {
			behind := t.behind(after.Seq)
			out = append(out, behind[:min(limit, len(behind))]...)
		}
	}
	found := out[len(dst):]
	sortBySeq(found)
	return out[:len(dst)+min(limit, len(found))], nil
}

// check returns an error unless after is a place in this log.
func (b *Memory) check(after ID) error {
	switch {
	case b.closed:
		return ErrClosed
	case after.Epoch != b.last.Epoch:
		return ErrEpoch
	case after.Seq > b.last.Seq:
		return ErrFuture
	}
	return nil
}

// behind returns the records with a Seq greater than seq.
func (t *topicLog) behind(seq uint64) []Record {
	i, found := slices.BinarySearchFunc(t.records, seq, func(r Record, seq uint64) int { return cmp.Compare(r.ID.Seq, seq) })
	if found {
		i++
	}
	return t.records[i:]
}

func sortBySeq(records []Record) {
	slices.SortFunc(records, func(a, b Record) int { return cmp.Compare(a.ID.Seq, b.ID.Seq) })
}

// Tail returns a tail of the records whose ID is greater than after. If after is the zero ID, the
// tail begins at the log's end.
func (b *Memory) Tail(ctx context.Context, after ID) (Tail, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if after == (ID{}) {
		after = b.last
	}
	err := b.check(after)
	if err == nil && after.Seq < b.trimmed {
		err = ErrTrimmed
	}
	if err != nil {
		return nil, b.fail("tail after "+after.String(), err)
	}
	t := &memoryTail{broker: b, after: after, wake: make(chan struct{}, 1)}
	for _, topic := range b.topics {
		t.pending = append(t.pending, topic.behind(after.Seq)...)
	}
	sortBySeq(t.pending)
	signal(t.wake)
	b.tails[t] = struct{}{}
	return t, nil
}

// Close closes the log and ends all its tails.
func (b *Memory) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for t := range b.tails {
		t.end(ErrClosed)
	}
	return nil
}

// memoryTail queues the records that its broker appends. The broker's lock guards it.
type memoryTail struct {
	broker  *Memory
	after   ID
	wake    chan struct{} // has an element when there may be something for Next
	pending []Record
	err     error // why the tail has ended, nil while it has not
}

func (t *memoryTail) push(rec Record) {
	if len(t.pending) >= t.broker.opts.Lag {
		t.end(ErrTrimmed)
		return
	}
	t.pending = append(t.pending, rec)
	signal(t.wake)
}

// end ends the tail. It drops the pending records, since the records that follow them are missing.
func (t *memoryTail) end(err error) {
	delete(t.broker.tails, t)
	t.err, t.pending = err, nil
	signal(t.wake)
}

func (t *memoryTail) After() ID { return t.after }

func (t *memoryTail) Next(ctx context.Context, dst []Record) ([]Record, error) {
	for {
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		if out, ok, err := t.take(dst); ok {
			return out, err
		}
		select {
		case <-t.wake:
		case <-ctx.Done():
		}
	}
}

// take moves the pending records to dst. ok is false if Next must wait.
func (t *memoryTail) take(dst []Record) (out []Record, ok bool, err error) {
	t.broker.mu.Lock()
	defer t.broker.mu.Unlock()
	if t.err != nil {
		return dst, true, t.broker.fail("tail", t.err)
	}
	if len(t.pending) == 0 {
		return dst, false, nil
	}
	dst = append(dst, t.pending...)
	clear(t.pending)
	t.pending = t.pending[:0]
	if cap(t.pending) > 4096 {
		t.pending = nil
	}
	return dst, true, nil
}

func (t *memoryTail) Close() error {
	t.broker.mu.Lock()
	defer t.broker.mu.Unlock()
	if t.err == nil {
		t.end(ErrClosed)
	}
	return nil
}
