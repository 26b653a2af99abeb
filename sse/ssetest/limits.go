package ssetest

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/sse"
)

// trimmed checks that Read never leaves trimmed records out silently, and that the kept ones can be
// read.
func trimmed(s *suite) {
	const history = 20
	b := s.open(history)
	from := s.start(b)
	all := s.fill(b, 12*history, "a")
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"a"}, from, plenty)), sse.ErrTrimmed)
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"none", "a"}, all[0], plenty)), sse.ErrTrimmed)
	s.same(s.readAll(b, all[len(all)-1-history], plenty, "a"), all[len(all)-history:])
	// Wherever reading begins, it returns all records or the error.
	whole := 0
	for i, id := range all {
		got, err := b.Read(s.ctx(), nil, []string{"a"}, id, plenty)
		if errors.Is(err, sse.ErrTrimmed) {
			if whole > 0 {
				s.Fatalf("history after record %d is trimmed, that after an earlier one is not", i)
			}
			continue
		}
		s.must(err)
		s.same(got, all[i+1:])
		whole++
	}
	if whole < history {
		s.Fatalf("only %d of %d records kept", whole, history)
	}
}

func trimmedTail(s *suite) {
	const history = 20
	b := s.open(history)
	from := s.start(b)
	all := s.fill(b, 12*history, "a")
	t, err := b.Tail(s.ctx(), from)
	if err == nil { // the error may come with the first read instead
		defer t.Close()
		_, err = t.Next(s.ctx(), nil)
	}
	s.is(err, sse.ErrTrimmed)
	s.same(s.take(s.tail(b, all[len(all)-6]), 5), all[len(all)-5:])
}

// slowReader checks that a tail which nobody reads blocks nobody, and does not lose records
// silently.
func slowReader(s *suite) {
	b := s.open(plenty)
	slow, quick := s.tail(b, sse.ID{}), s.tail(b, sse.ID{})
	want := s.fill(b, plenty, "a")
	s.same(s.take(quick, plenty), want)
	var got []sse.Record
	for len(got) < plenty {
		var err error
		if got, err = slow.Next(s.ctx(), got); errors.Is(err, sse.ErrTrimmed) {
			break
		}
		s.must(err)
	}
	s.same(got, want[:len(got)])
}

func future(s *suite) {
	b := s.open(plenty)
	last := s.append(b, "a", "x")
	later := sse.ID{Epoch: last.Epoch, Seq: last.Seq + 1_000_000}
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"a"}, later, 10)), sse.ErrFuture)
	s.is(errorOf(b.Tail(s.ctx(), later)), sse.ErrFuture)
}

func otherEpoch(s *suite) {
	b := s.open(plenty)
	last := s.append(b, "a", "x")
	last.Epoch++
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"a"}, last, 10)), sse.ErrEpoch)
	s.is(errorOf(b.Tail(s.ctx(), last)), sse.ErrEpoch)
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"a"}, sse.ID{}, 10)), sse.ErrEpoch)
}

// cancel checks that a cancelled wait loses no records.
func cancel(s *suite) {
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	ctx, stop := context.WithCancel(context.Background())
	done := nextOf(ctx, t)
	stop()
	s.is(s.within(done), context.Canceled)
	want := s.fill(b, 10, "a")
	s.same(s.take(t, 10), want)
}

// nextOf calls t.Next in another goroutine. The channel gets its error.
func nextOf(ctx context.Context, t sse.Tail) <-chan error {
	done := make(chan error)
	go func() { done <- errorOf(t.Next(ctx, nil)) }()
	return done
}

// within waits for a result that must come, and returns it.
func (s *suite) within(done <-chan error) error {
	s.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(s.c.patience()):
		s.Fatal("still waiting")
		return nil
	}
}

func cancelled(s *suite) {
	b := s.open(plenty)
	last := s.append(b, "a", "x")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	s.is(errorOf(b.Append(ctx, "a", sse.Message{})), context.Canceled)
	s.is(errorOf(b.Read(ctx, nil, []string{"a"}, last, 10)), context.Canceled)
	t := s.tail(b, sse.ID{})
	s.is(errorOf(t.Next(ctx, nil)), context.Canceled)
}

func closing(s *suite) {
	b := s.open(plenty)
	last := s.append(b, "a", "x")
	t := s.tail(b, sse.ID{})
	done := nextOf(s.ctx(), t)
	s.must(b.Close())
	s.is(s.within(done), sse.ErrClosed)
	s.is(errorOf(b.Append(s.ctx(), "a", sse.Message{})), sse.ErrClosed)
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"a"}, last, 10)), sse.ErrClosed)
	s.is(errorOf(b.Last(s.ctx())), sse.ErrClosed)
	s.is(errorOf(b.Tail(s.ctx(), sse.ID{})), sse.ErrClosed)
	s.must(b.Close())
	s.must(t.Close())
}

func closeTail(s *suite) {
	b := s.open(plenty)
	t, other := s.tail(b, sse.ID{}), s.tail(b, sse.ID{})
	done := nextOf(s.ctx(), t)
	s.must(t.Close())
	s.is(s.within(done), sse.ErrClosed)
	s.must(t.Close())
	last := s.append(b, "a", "x")
	s.same(s.take(other, 1), []sse.ID{last})
}

// another checks that two processes see one log.
func another(s *suite) {
	if s.c.Another == nil {
		s.Skip("a log of this kind belongs to one process")
	}
	one := s.open(plenty)
	two := s.c.Another(s.T, one)
	s.Cleanup(func() { two.Close() })
	t1, t2 := s.tail(one, sse.ID{}), s.tail(two, sse.ID{})
	var want []sse.ID
	for i := range 50 {
		want = append(want, s.append([]sse.Broker{one, two}[i%2], "a", strconv.Itoa(i)))
	}
	s.same(s.take(t1, 50), want)
	s.same(s.take(t2, 50), want)
	s.same(s.readAll(two, t1.After(), plenty, "a"), want)
	s.must(two.Close())
	last := s.append(one, "a", "y")
	s.same(s.take(t1, 1), []sse.ID{last})
}

// replaced checks that places in a replaced log are rejected, and that a tail of it ends.
func replaced(s *suite) {
	if s.c.Replace == nil {
		s.Skip("a log of this kind cannot be replaced while it is open")
	}
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	old := s.fill(b, 5, "a")
	s.same(s.take(t, 5), old)
	s.c.Replace(s.T, b)
	now := s.append(b, "a", "new")
	if now.Epoch == old[4].Epoch {
		s.Fatalf("the epoch is still %x", now.Epoch)
	}
	s.is(errorOf(t.Next(s.ctx(), nil)), sse.ErrEpoch)
	s.is(errorOf(b.Read(s.ctx(), nil, []string{"a"}, old[4], 10)), sse.ErrEpoch)
	s.is(errorOf(b.Tail(s.ctx(), old[4])), sse.ErrEpoch)
	s.same(s.readAll(b, sse.ID{Epoch: now.Epoch}, 10, "a"), []sse.ID{now})
}

// names checks that topics are told apart, whatever their names.
func names(s *suite) {
	b := s.open(plenty)
	from := s.start(b)
	topics := []string{"a", "A", "a.b", "a.*", "a.>", ">", "*", ".", "a b", "a/b", "%20", "a%20b", "ä",
		"日本", "$SYS", "-", "_", ":", "{a}", strings.Repeat("x", sse.MaxTopic)}
	for _, topic := range topics {
		s.must(sse.CheckTopic(topic))
		s.append(b, topic, topic)
	}
	for _, topic := range topics {
		got := s.readAll(b, from, plenty, topic)
		if len(got) != 1 || string(got[0].Data) != topic || got[0].Topic != topic {
			s.Errorf("topic %q has %d records: %s", topic, len(got), texts(got))
		}
	}
}

func large(s *suite) {
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	s.append(b, "a", strings.Repeat("x", 512<<10))
	if got := s.take(t, 1); len(got[0].Data) != 512<<10 {
		s.Errorf("%d bytes", len(got[0].Data))
	}
}
