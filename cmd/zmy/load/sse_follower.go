package load

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/sse"
)

// follower is one connection, including its reconnects.
type follower struct {
	g      *group
	t      *counts
	seq    sequence // under t.mu
	opened bool     // under t.mu: it has been open
	told   bool     // under t.mu: a reset or gap has announced that events before the next one are missing
	retry  time.Duration
	lastID string
	cancel context.CancelFunc
}

// follow keeps the connection open until ctx ends.
func (f *follower) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := f.stream(ctx)
		if ctx.Err() != nil {
			return
		}
		f.t.mu.Lock()
		if f.t.errors == nil {
			f.t.errors = map[string]int{}
		}
		f.t.errors[sseClass(err)]++
		f.t.mu.Unlock()
		select {
		case <-time.After(f.retry):
		case <-ctx.Done():
		}
	}
}

// stream connects once and reads events until there is an error, which it returns.
func (f *follower) stream(ctx context.Context) error {
	select {
	case f.g.dial <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	release := sync.OnceFunc(func() { <-f.g.dial })
	defer release()
	begin := time.Now()
	st, err := connect(ctx, f.g.url, f.lastID, f.g.o.Timeout)
	if err != nil {
		return err
	}
	defer st.conn.Close()
	defer context.AfterFunc(ctx, func() { st.conn.Close() })()
	st.begun = func() {
		release()
		f.isOpen(st.at.Sub(begin))
	}
	for {
		e, first, err := st.next()
		f.lastID = st.events.LastID()
		if err != nil {
			if d, ok := st.events.Retry(); ok {
				f.retry = min(d, f.g.o.Timeout/2)
			}
			return err
		}
		f.take(e, first, time.Now())
	}
}

func (f *follower) isOpen(after time.Duration) {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if f.opened {
		f.t.reconnects++
		return
	}
	f.opened = true
	f.t.open++
	f.t.opened.Record(int64(after))
}

// take counts an event. first and whole are the times when its first byte and its last byte were
// read.
func (f *follower) take(e sse.Event, first, whole time.Time) {
	var known fact
	ours := e.Type != sse.ResetEvent && e.Type != sse.GapEvent
	if ours {
		known = f.g.seen.look(e)
	}
	t := f.t
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case e.Type == sse.ResetEvent:
		t.resets++
		f.told = true
		return
	case e.Type == sse.GapEvent:
		t.gaps++
		f.told = true
		return
	case !known.good:
		t.damaged++
		return
	}
	if f.told && known.number >= f.seq.next {
		t.told += int64(known.number - f.seq.next)
		f.told = false
	}
	how := f.seq.add(known.number)
	t.came[how]++
	if how == duplicate {
		return
	}
	t.delivered++
	t.sent += int64(len(e.Data))
	t.last = whole
	t.latency.Record(whole.UnixNano() - known.due)
	begin := first.UnixNano()
	if begin < known.due { // the first byte belonged to a heartbeat before the event
		begin = whole.UnixNano()
	}
	t.first.Record(begin - known.due)
}

// arrival says in what order an event came.
type arrival uint8

const (
	inOrder arrival = iota
	outOfOrder
	duplicate
)

// sequence records which event numbers have come on a connection. It is exact, and takes only a few
// bytes as long as nothing is missing.
type sequence struct {
	next    int    // the largest number that has come, plus 1
	missing []span // missing numbers below next, in order
}

// span is the numbers n with from ≤ n < to.
type span struct{ from, to int }

// start resets the sequence. The next number is from.
func (q *sequence) start(from int) { *q = sequence{next: from} }

// add records the number n and returns in what order it came.
func (q *sequence) add(n int) arrival {
	if n >= q.next {
		if n > q.next {
			q.missing = append(q.missing, span{q.next, n})
		}
		q.next = n + 1
		return inOrder
	}
	i, found := slices.BinarySearchFunc(q.missing, n, func(s span, n int) int {
		switch {
		case s.to <= n:
			return -1
		case s.from > n:
			return 1
		}
		return 0
	})
	if !found {
		return duplicate
	}
	s := q.missing[i]
	switch rest := (span{n + 1, s.to}); {
	case n == s.from && rest.from == s.to:
		q.missing = slices.Delete(q.missing, i, i+1)
	case n == s.from:
		q.missing[i] = rest
	case rest.from == s.to:
		q.missing[i].to = n
	default:
		q.missing[i].to = n
		q.missing = slices.Insert(q.missing, i+1, rest)
	}
	return outOfOrder
}

// lost returns how many numbers before end have not come.
func (q *sequence) lost(end int) (n int) {
	for _, s := range q.missing {
		n += max(min(s.to, end)-s.from, 0)
	}
	return n + max(end-q.next, 0)
}

// seen has the events of a point by ID. The first connection that receives an event decodes it for
// all connections. Real clients are thousands of programs that each decode every event. If this one
// program did all their work, that would distort the measurement.
type seen struct {
	seed  maphash.Seed
	mu    sync.RWMutex
	facts map[string]fact
	took  Histogram
}

// fact is what is known about an event.
type fact struct {
	hash   uint64 // hash of the event's data
	number int
	due    int64 // ns since 1970
	good   bool
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), facts: map[string]fact{}} }

// look returns the fact for an event. Its good is false if the event cannot be decoded, or if its
// data differs from what other connections got under the same ID.
func (s *seen) look(e sse.Event) fact {
	hash := maphash.Bytes(s.seed, e.Data)
	s.mu.RLock()
	f, known := s.facts[e.ID]
	s.mu.RUnlock()
	if !known {
		f = s.decode(e, hash)
	}
	f.good = f.good && f.hash == hash
	return f
}

func (s *seen) decode(e sse.Event, hash uint64) fact {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, known := s.facts[e.ID]; known {
		return f
	}
	begin := time.Now()
	due, n, err := feed.Read(e)
	s.took.Record(int64(time.Since(begin)))
	f := fact{hash: hash, number: n, due: due, good: err == nil && e.ID != ""}
	s.facts[e.ID] = f
	return f
}

func (s *seen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.facts)
	s.took = Histogram{}
}

// decoding returns the times that decoding took.
func (s *seen) decoding() *Histogram {
	s.mu.RLock()
	defer s.mu.RUnlock()
	h := new(Histogram)
	h.Add(&s.took)
	return h
}
