// Package ssetest tests that a broker keeps the promises of [sse.Broker].
package ssetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// Config says how the brokers under test are made.
type Config struct {
	// Open returns a broker on a new, empty log that no other test uses. The broker keeps at least
	// history records of each topic, and fewer than 10 times as many.
	Open func(t *testing.T, history int) sse.Broker

	// Another returns a second broker on b's log, as another process would open it. It is nil if a
	// log cannot have two brokers.
	Another func(t *testing.T, b sse.Broker) sse.Broker

	// Replace puts an empty log of another epoch in place of b's log, as after the loss of a
	// server's disk. Afterwards b and the brokers that Another makes work on the new log. It is nil
	// if that is not possible.
	Replace func(t *testing.T, b sse.Broker)

	// Restart closes b and opens its log again, as the next process does. It is nil if the log ends
	// with its process, or if Another is set.
	Restart func(t *testing.T, b sse.Broker) sse.Broker

	// Patience is how long an idle machine may take for something that must happen, 20 s by
	// default. It is multiplied by how much slower this machine is found to be. Only a test that
	// fails waits that long.
	Patience time.Duration
}

// patience returns Patience for this machine under its present load.
func (c Config) patience() time.Duration { return patience.For(c.Patience) }

// Run runs all checks, each on a log of its own.
func Run(t *testing.T, c Config) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"order", order}, {"content", content}, {"read", read}, {"read topics", readTopics}, {"own appends are seen", readOwn},
		{"concurrent appends", concurrent}, {"two tails", twoTails}, {"tail from the past", tailFromPast},
		{"read and tail meet", meet}, {"trimmed", trimmed}, {"trimmed tail", trimmedTail}, {"slow reader", slowReader},
		{"future", future}, {"other epoch", otherEpoch},
		{"cancel", cancel}, {"cancelled calls", cancelled}, {"close", closing}, {"close a tail", closeTail},
		{"another process", another}, {"replaced log", replaced},
		{"topics of any name", names}, {"large message", large},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newSuite(t, c)) })
	}
}

// suite is one running check.
type suite struct {
	*testing.T
	c Config
}

func newSuite(t *testing.T, c Config) *suite {
	c.Patience = cmp.Or(c.Patience, 20*time.Second)
	return &suite{T: t, c: c}
}

const plenty = 1000

func (s *suite) open(history int) sse.Broker {
	s.Helper()
	b := s.c.Open(s.T, history)
	s.Cleanup(func() { b.Close() })
	return b
}

// ctx returns a context that ends after the patience of the test, for things that must happen.
func (s *suite) ctx() context.Context {
	ctx, stop := context.WithTimeout(context.Background(), s.c.patience())
	s.Cleanup(stop)
	return ctx
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *suite) is(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Fatalf("error %v, want %v", err, want)
	}
}

// errorOf returns the error of a call whose result does not matter.
func errorOf[T any](_ T, err error) error { return err }

func (s *suite) append(b sse.Broker, topic, text string) sse.ID {
	s.Helper()
	id, err := b.Append(s.ctx(), topic, sse.Message{Data: []byte(text)})
	s.must(err)
	return id
}

// fill appends n records "0", "1", … to the topics in turn, and returns their IDs.
func (s *suite) fill(b sse.Broker, n int, topics ...string) []sse.ID {
	s.Helper()
	var out []sse.ID
	for i := range n {
		out = append(out, s.append(b, topics[i%len(topics)], strconv.Itoa(i)))
	}
	return out
}

func (s *suite) tail(b sse.Broker, after sse.ID) sse.Tail {
	s.Helper()
	t, err := b.Tail(s.ctx(), after)
	s.must(err)
	s.Cleanup(func() { t.Close() })
	return t
}

// start returns the place before the first record.
func (s *suite) start(b sse.Broker) sse.ID {
	s.Helper()
	last, err := b.Last(s.ctx())
	s.must(err)
	return sse.ID{Epoch: last.Epoch}
}

// take reads n records from a tail. It fails if it gets more.
func (s *suite) take(t sse.Tail, n int) []sse.Record {
	s.Helper()
	var got []sse.Record
	for len(got) < n {
		var err error
		if got, err = t.Next(s.ctx(), got); err != nil {
			s.Fatalf("after %d of %d records: %v", len(got), n, err)
		}
	}
	if len(got) > n {
		s.Fatalf("%d records, want %d: %s", len(got), n, texts(got))
	}
	s.ordered(got)
	return got
}

// ordered fails unless sequence numbers increase within one epoch.
func (s *suite) ordered(records []sse.Record) {
	s.Helper()
	for i := 1; i < len(records); i++ {
		a, b := records[i-1].ID, records[i].ID
		if a.Epoch != b.Epoch || a.Seq >= b.Seq {
			s.Fatalf("record %d has ID %s, the one before %s", i, b, a)
		}
	}
}

func (s *suite) readAll(b sse.Broker, after sse.ID, limit int, topics ...string) []sse.Record {
	s.Helper()
	got, err := b.Read(s.ctx(), nil, topics, after, limit)
	s.must(err)
	s.ordered(got)
	return got
}

func texts(records []sse.Record) string {
	var out []string
	for _, r := range records {
		out = append(out, string(r.Data))
	}
	return fmt.Sprint(out)
}

func ids(records []sse.Record) (out []sse.ID) {
	for _, r := range records {
		out = append(out, r.ID)
	}
	return out
}

func (s *suite) same(got []sse.Record, want []sse.ID) {
	s.Helper()
	if !slices.Equal(ids(got), want) {
		s.Fatalf("records %v, want %v", ids(got), want)
	}
}

func order(s *suite) {
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	if last, err := b.Last(s.ctx()); err != nil || last.Seq != 0 || last != t.After() || last.Epoch == 0 {
		s.Fatalf("an empty log has its last record at %v (%v), a tail begins at %v; want Seq 0 and an epoch", last, err, t.After())
	}
	want := s.fill(b, 300, "a", "b", "c")
	got := s.take(t, 300)
	s.same(got, want)
	for i, r := range got {
		if r.Topic != string("abc"[i%3]) || string(r.Data) != strconv.Itoa(i) {
			s.Fatalf("record %d: %q of topic %q", i, r.Data, r.Topic)
		}
	}
	if last, err := b.Last(s.ctx()); err != nil || last != want[299] {
		s.Fatalf("the last record is at %v (%v), want %v", last, err, want[299])
	}
}

// content checks that published messages come back unchanged, by Read and by a tail.
func content(s *suite) {
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	messages := []sse.Message{
		{Data: []byte("text")},
		{Type: "order.created", Data: []byte("two\nlines\r\n")},
		{Type: "ünïcode 事件", Key: "key with: spaces\nand more", Data: []byte("x")},
		{Data: all, Binary: true},
		{Type: "empty"},
		{Key: "k", Binary: true, Data: []byte{0}},
	}
	before := time.Now()
	for _, m := range messages {
		s.must(errorOf(b.Append(s.ctx(), "content", m)))
	}
	tailed := s.take(t, len(messages))
	for way, got := range map[string][]sse.Record{"tail": tailed, "read": s.readAll(b, t.After(), 100, "content")} {
		if len(got) != len(messages) {
			s.Fatalf("%s: %d records", way, len(got))
		}
		for i, r := range got {
			m := messages[i]
			if r.Type != m.Type || r.Key != m.Key || r.Binary != m.Binary || string(r.Data) != string(m.Data) {
				s.Errorf("%s: %+v, want %+v", way, r.Message, m)
			}
			// a broker may store milliseconds
			if d := r.Time.Sub(before); d < -time.Millisecond || d > s.c.patience() {
				s.Errorf("%s: published at %v, which is %v behind the start", way, r.Time, d)
			}
		}
	}
}

func read(s *suite) {
	b := s.open(plenty)
	from := s.start(b)
	want := s.fill(b, 50, "a")
	s.same(s.readAll(b, from, 1000, "a"), want)
	s.same(s.readAll(b, from, 50, "a"), want)
	s.same(s.readAll(b, from, 7, "a"), want[:7])
	s.same(s.readAll(b, want[6], 7, "a"), want[7:14])
	s.same(s.readAll(b, want[48], 7, "a"), want[49:])
	s.same(s.readAll(b, want[49], 7, "a"), nil)
	s.same(s.readAll(b, from, 7, "never used"), nil)
	kept := []sse.Record{{Topic: "kept"}}
	got, err := b.Read(s.ctx(), kept, []string{"a"}, want[47], 10)
	s.must(err)
	if len(got) != 3 || got[0].Topic != "kept" {
		s.Fatalf("read behind one record that was there gives %d", len(got))
	}
}

func readTopics(s *suite) {
	b := s.open(plenty)
	from := s.start(b)
	all := s.fill(b, 60, "a", "b", "c")
	var want []sse.ID
	for i, id := range all {
		if i%3 != 1 {
			want = append(want, id)
		}
	}
	s.same(s.readAll(b, from, 1000, "a", "c"), want)
	s.same(s.readAll(b, from, 1000, "c", "a", "c", "none"), want)
	s.same(s.readAll(b, from, 11, "a", "c"), want[:11])
	var got []sse.Record // by pages
	for at := from; ; at = got[len(got)-1].ID {
		page := s.readAll(b, at, 9, "a", "c")
		got = append(got, page...)
		if len(page) < 9 {
			break
		}
	}
	s.same(got, want)
}

func readOwn(s *suite) {
	b := s.open(plenty)
	after := s.start(b)
	for i := range 100 {
		id := s.append(b, "a", strconv.Itoa(i))
		s.same(s.readAll(b, after, 10, "a"), []sse.ID{id})
		after = id
	}
}

// concurrent checks that the records of each appender stay in order, that all IDs are distinct, and
// that the tail returns exactly the IDs of the Append calls.
func concurrent(s *suite) {
	const appenders, each = 8, 60
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	var mu sync.Mutex
	byID := map[sse.ID]string{}
	var wg sync.WaitGroup
	for g := range appenders {
		wg.Go(func() {
			for i := range each {
				text := fmt.Sprintf("%d/%03d", g, i)
				id, err := b.Append(s.ctx(), "topic "+strconv.Itoa(g%3), sse.Message{Data: []byte(text)})
				if err != nil {
					s.Error(err)
					return
				}
				mu.Lock()
				byID[id] = text
				mu.Unlock()
			}
		})
	}
	got := s.take(t, appenders*each)
	wg.Wait()
	latest := map[byte]string{}
	for _, r := range got {
		text := string(r.Data)
		if byID[r.ID] != text {
			s.Fatalf("record %s is %q, its append returned that ID for %q", r.ID, text, byID[r.ID])
		}
		if latest[text[0]] >= text {
			s.Fatalf("%q comes after %q", text, latest[text[0]])
		}
		latest[text[0]] = text
	}
	s.same(s.readAll(b, t.After(), appenders*each+1, "topic 0", "topic 1", "topic 2"), ids(got))
}

func twoTails(s *suite) {
	b := s.open(plenty)
	first := s.tail(b, sse.ID{})
	one := s.fill(b, 20, "a")
	second := s.tail(b, sse.ID{})
	if second.After() != one[19] {
		s.Fatalf("a tail begins at %v, the last record is %v", second.After(), one[19])
	}
	two := s.fill(b, 20, "a")
	s.same(s.take(first, 40), append(slices.Clone(one), two...))
	s.same(s.take(second, 20), two)
}

func tailFromPast(s *suite) {
	b := s.open(plenty)
	from := s.start(b)
	want := s.fill(b, 40, "a", "b")
	s.same(s.take(s.tail(b, from), 40), want)
	t := s.tail(b, want[9])
	if t.After() != want[9] {
		s.Fatalf("a tail behind %v says that it began at %v", want[9], t.After())
	}
	more := s.fill(b, 10, "b", "c")
	s.same(s.take(t, 40), append(slices.Clone(want[10:]), more...))
}

// meet checks that a record can be read as soon as a tail has returned it.
func meet(s *suite) {
	b := s.open(plenty)
	t := s.tail(b, sse.ID{})
	go func() {
		for i := range 200 {
			if _, err := b.Append(s.ctx(), "a", sse.Message{Data: []byte(strconv.Itoa(i))}); err != nil {
				s.Error(err)
				return
			}
		}
	}()
	var seen []sse.Record
	for len(seen) < 200 {
		var err error
		seen, err = t.Next(s.ctx(), seen)
		s.must(err)
		if got := s.readAll(b, t.After(), 1000, "a"); len(got) < len(seen) {
			s.Fatalf("the tail has returned %d records, read finds %d", len(seen), len(got))
		}
	}
	s.ordered(seen)
}
