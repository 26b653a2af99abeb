package ssetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/sse"
)

// NOTE: this test follows events from the broker to clients that are cut off again and again. It has
// no fixed pace: a client that is away publishes events itself, and feed publishes more as soon as a
// client has nearly all. So connections reach their cuts on a machine of any speed.

const (
	followers = 8
	recent    = 4 // events that a hub keeps: few, so that some clients need the broker to continue
)

// Resumes lets clients follow a hub, or two hubs with one log if the broker supports that. Their
// connections are cut n times in all, after any byte, and each client reconnects with its last
// event ID. Some reconnect after more events were published than a hub keeps. Some reconnect to
// another process, or to the process that has replaced theirs and opened the log again. Every
// client must have seen every event of its topics once and in order. Then clients reconnect to a
// log that was trimmed. They must get all events after their last one, or a reset.
func Resumes(t *testing.T, c Config, n int) {
	t.Run("resumes", func(t *testing.T) { resumes(newSuite(t, c), n) })
	t.Run("trimmed resumes", func(t *testing.T) { trimmedResumes(newSuite(t, c), max(n/10, followers)) })
}

func resumes(s *suite, n int) {
	site := openSite(s, 1<<20)
	begin, err := site.brokers[0].Last(s.ctx())
	s.must(err)
	w := &waves{site: site, want: int64(n), restarts: max(int64(n)/12, 1), step: make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	hung := time.AfterFunc(3*s.c.patience(), stop)
	defer hung.Stop()
	w.moved = func() { hung.Reset(3 * s.c.patience()) }

	all := make([]*follower, followers)
	var reading sync.WaitGroup
	for i := range all {
		all[i] = &follower{site: site, r: rand.New(rand.NewPCG(20261121, uint64(i))), at: begin.String(),
			upTo: 1000 << (i % 4), cut: func() bool { return !w.over() }, away: w.away}
		reading.Go(func() { all[i].follow(ctx, w.saw) })
	}
	w.feed(ctx, all)
	last := site.publishLast()
	reading.Wait()
	if ctx.Err() != nil {
		s.Errorf("nothing has moved for %v and more: %d of %d resumes, the last event is %s; the hub said: %v",
			3*s.c.Patience, site.resumed.Load(), n, last, site.refused.Load())
	}
	want := site.published()
	for i, f := range all {
		if diff := compare(f.seen, want); diff != "" {
			s.Errorf("client %d: %s", i, diff)
		}
	}
	if fromHub, fromBroker := site.replayed[0].Load(), site.replayed[1].Load(); n >= 100 && (fromHub == 0 || fromBroker == 0) {
		s.Errorf("%d events were sent again from the hub, %d from the broker: the test is to try both", fromHub, fromBroker)
	}
	if r := site.resets.Load(); r > 0 {
		s.Errorf("%d resets, and nothing was trimmed", r)
	}
	s.Logf("%d resumes, %d restarts, %d events to each of %d clients, sent again: %d from the hub, %d from the broker",
		site.resumed.Load(), w.restarted.Load(), len(want), followers, site.replayed[0].Load(), site.replayed[1].Load())
}

// waves is what happens to a site while clients come and go.
type waves struct {
	*site
	want      int64 // the number of resumes after which the test ends
	restarts  int64 // number of resumes for each restart
	restarted atomic.Int64
	ahead     atomic.Int64  // events seen by the client that has seen most
	step      chan struct{} // gets an element when ahead grows
	moved     func()
}

func (w *waves) over() bool { return w.resumed.Load() >= w.want }

// away is what a client does between two connections: it publishes events and may restart a
// process.
func (w *waves) away(r *rand.Rand) {
	if !w.over() {
		w.moved()
	}
	if done := w.restarted.Load(); w.resumed.Load() >= (done+1)*w.restarts && w.restarted.CompareAndSwap(done, done+1) {
		w.restart(r.IntN(len(w.hubs)))
	}
	n := r.IntN(recent) / (recent - 1)
	if r.IntN(32) == 0 {
		n = 3*recent + r.IntN(recent)
	}
	for range n {
		if !w.over() {
			w.publish()
		}
	}
}

// saw records that a client has seen n events.
func (w *waves) saw(n int) {
	w.moved()
	for {
		most := w.ahead.Load()
		if int64(n) <= most {
			return
		}
		if w.ahead.CompareAndSwap(most, int64(n)) {
			break
		}
	}
	select {
	case w.step <- struct{}{}:
	default:
	}
}

// feed keeps the log a few events ahead of the client that has seen most, until there were enough
// resumes.
func (w *waves) feed(ctx context.Context, all []*follower) {
	for !w.over() && ctx.Err() == nil {
		for int64(w.count()) < w.ahead.Load()+3 {
			w.publish()
		}
		select {
		case <-w.step:
		case <-time.After(10 * time.Millisecond): // then check over() again
		case <-ctx.Done():
		}
	}
}

// follower is a client, with the events that it has seen.
type follower struct {
	*site
	r       *rand.Rand
	at      string // the last event ID with which it begins
	upTo    int    // greatest number of bytes after which a connection is cut
	cut     func() bool
	connect func(ctx context.Context, network, addr string) (net.Conn, error) // replaces dial; nil to cut connections
	away    func(*rand.Rand)
	seen    []sight
	reached atomic.Int64 // len(seen), for other goroutines
}

// sight is an event as it was published or seen.
type sight struct{ id, kind, text string }

// follow collects events until it has seen the last one.
func (f *follower) follow(ctx context.Context, saw func(int)) {
	transport := &http.Transport{DialContext: f.dial}
	defer transport.CloseIdleConnections()
	client := sse.Client{URL: f.url, LastEventID: f.at, HTTP: &http.Client{Transport: transport},
		Retry: time.Nanosecond, MaxRetry: time.Millisecond, Idle: -1,
		OnRetry: func(error, time.Duration) { f.away(f.r) }}
	for e, err := range client.Events(ctx) {
		if err != nil {
			if ctx.Err() == nil {
				f.Error(err)
			}
			return
		}
		f.seen = append(f.seen, sight{e.ID, e.Type, string(e.Data)})
		if saw(len(f.seen)); e.Type == lastType {
			return
		}
	}
}

func (f *follower) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if f.connect != nil {
		return f.connect(ctx, network, addr)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	if err != nil || !f.cut() {
		return conn, err
	}
	return &cutConn{Conn: conn, left: f.r.IntN(f.upTo), reset: f.r.IntN(2) == 0}, nil
}

// cutConn is a connection that breaks once left, the number of bytes still to be read, is 0.
type cutConn struct {
	net.Conn
	left  int
	reset bool // breaks with a TCP reset instead of an orderly end
}

func (c *cutConn) Read(b []byte) (int, error) {
	if c.left == 0 {
		if tcp, ok := c.Conn.(*net.TCPConn); ok && c.reset {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

// compare describes which events of want are missing in got, which are in got twice, and where the
// two lists first differ. It returns "" if they are equal.
func compare(got, want []sight) string {
	if slices.Equal(got, want) {
		return ""
	}
	times := map[sight]int{}
	for _, s := range got {
		times[s]++
	}
	var lost, twice []string
	for _, s := range want {
		switch n := times[s]; {
		case n == 0:
			lost = append(lost, s.id)
		case n > 1:
			twice = append(twice, s.id)
		}
		delete(times, s)
	}
	first := 0
	for first < min(len(got), len(want)) && got[first] == want[first] {
		first++
	}
	return fmt.Sprintf("%d events, want %d: %d lost (%.60s), %d twice (%.60s), %d that were not published; event %d is the first "+
		"that differs",
		len(got), len(want), len(lost), strings.Join(lost, " "), len(twice), strings.Join(twice, " "), len(times), first)
}
