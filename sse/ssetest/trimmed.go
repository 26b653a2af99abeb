package ssetest

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// trimmedResumes lets n clients reconnect to places all over a log whose beginning is trimmed.
// Their connections are cut several times. The broker says whether records after a client's place
// were trimmed. If so, the client must get a reset and the new events, otherwise all events after
// its place.
func trimmedResumes(s *suite, n int) {
	const history = 20
	site := openSite(s, history)
	var places []string
	for range 12 * history {
		site.publish()
	}
	written := site.published()
	for _, w := range written {
		places = append(places, w.id)
	}
	last, err := site.brokers[0].Last(s.ctx())
	s.must(err)
	for i := range site.hubs { // the log may have been trimmed before the hubs had read it
		s.until("a hub to come to the log's end", func() bool { return site.end(i) == last.String() })
	}

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var present atomic.Int64 // clients that have reached the log's end
	var reading sync.WaitGroup
	all := make([]*follower, n)
	wants := make([][]sight, n)
	resets := 0
	r := rand.New(rand.NewPCG(20261121, 7))
	for i := range all {
		at := r.IntN(len(places) - 1)
		wants[i] = written[at+1:]
		if s.trimmed(site.brokers[0], places[at]) {
			wants[i] = nil
			resets++
		}
		budget := atomic.Int64{}
		budget.Store(5) // cuts of this client's connections
		all[i] = &follower{site: site, r: rand.New(rand.NewPCG(20261121, uint64(i))), at: places[at], upTo: 1500, away: func(*rand.Rand) {},
			cut: func() bool { return budget.Add(-1) >= 0 }}
		enough := max(len(wants[i]), 1)
		reading.Go(func() {
			all[i].follow(ctx, func(seen int) {
				if seen == enough {
					present.Add(1)
				}
			})
		})
	}
	if resets == 0 || resets == n {
		s.Errorf("%d of %d places are trimmed: the test is to try both", resets, n)
	}
	if !patience.Wait(2*s.c.Patience, func() bool { return present.Load() == int64(n) }) {
		stop()
	}
	site.publishLast()
	late := time.AfterFunc(2*s.c.patience(), stop)
	defer late.Stop()
	reading.Wait()
	if ctx.Err() != nil {
		s.Errorf("clients still wait after %v and more", 2*s.c.Patience)
	}
	end := site.published()[len(written):]
	for i, f := range all {
		want := wants[i]
		if want == nil && len(f.seen) > 0 && f.reset(last) {
			want = f.seen[:1]
		}
		if diff := compare(f.seen, append(want[:len(want):len(want)], end...)); diff != "" {
			s.Errorf("a client behind %s of %s: %s", f.at, last, diff)
		}
	}
	s.Logf("%d clients came back, %d to trimmed places", n, resets)
}

// trimmed reports whether the broker says that records after the ID at were trimmed.
func (s *suite) trimmed(b sse.Broker, at string) bool {
	s.Helper()
	id, ok := sse.ParseID(at)
	if !ok {
		s.Fatalf("%q is no ID", at)
	}
	_, err := b.Read(s.ctx(), nil, topics[:2], id, plenty)
	if !errors.Is(err, sse.ErrTrimmed) {
		s.must(err)
	}
	return err != nil
}

// reset reports whether the first event is a reset to the log's end with reason ResetTrimmed.
func (f *follower) reset(end sse.ID) bool {
	var why struct{ Reason sse.ResetReason }
	e := f.seen[0]
	return e.kind == sse.ResetEvent && e.id == end.String() && json.NewDecoder(strings.NewReader(e.text)).Decode(&why) == nil &&
		why.Reason == sse.ResetTrimmed
}

// until waits for a condition that must become true.
func (s *suite) until(what string, f func() bool) {
	s.Helper()
	patience.Until(s, 3*s.c.Patience, what, f)
}
