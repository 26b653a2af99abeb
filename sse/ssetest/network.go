package ssetest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/faultnet"
	"github.com/zmylab/zmy/sse"
)

// Network says how a broker is reached over a network: its server is another process, or at least
// the other end of a connection.
type Network struct {
	// Addr is the server's host and port.
	Addr string
	// Open returns a broker on a new, empty log of the server. The broker must connect to addr
	// only, which is a proxy that plays a bad network.
	Open func(t *testing.T, addr string) sse.Broker
	// Patience is that of [Config].
	Patience time.Duration
}

// faults are the ways in which networks fail. Each is lifted before the next begins. reset says
// that the connections are ended when the fault is lifted.
var faults = []struct {
	name   string
	faults faultnet.Faults
	reset  bool
}{
	{"latency", faultnet.Faults{Latency: 10 * time.Millisecond}, false},
	{"slices", faultnet.Faults{Slice: 3}, false},
	{"cuts", faultnet.Faults{Cut: 3000}, false},
	{"late ends", faultnet.Faults{SlowClose: 200 * time.Millisecond, Cut: 5000}, false},
	{"silence", faultnet.Faults{Stall: true}, false},
	{"silence, then an end", faultnet.Faults{Stall: true}, true},
}

// deadline limits each call while the network is bad.
const deadline = 300 * time.Millisecond

// Faults lets clients follow a hub while the network is bad, in one way after the other: first
// between the hub and its broker, then between the clients and the hub. No call may outlast its
// deadline. Every event must reach every client once, whole and in order. An event whose publishing
// failed must be in the log once or not at all.
func Faults(t *testing.T, n Network) {
	s := newSuite(t, Config{Patience: n.Patience})
	toBroker := s.proxy(n.Addr)
	s.c.Open = func(t *testing.T, _ int) sse.Broker { return n.Open(t, toBroker.Addr()) }
	w := &weather{site: openSite(s, 0), failed: map[string]bool{}}
	toHub := s.proxy(w.server.Listener.Addr().String())
	w.url = "http://" + toHub.Addr()

	begin, err := w.brokers[0].Last(s.ctx())
	s.must(err)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var reading sync.WaitGroup
	for i := range 4 {
		r := rand.New(rand.NewPCG(20261121, uint64(i)))
		f := &follower{site: w.site, r: r, at: begin.String(), upTo: 8000, cut: func() bool { return i > 0 && !w.clear.Load() },
			away: func(*rand.Rand) {}}
		w.clients = append(w.clients, f)
		reading.Go(func() { f.follow(ctx, func(n int) { f.reached.Store(int64(n)) }) })
	}
	for _, side := range []struct {
		name string
		*faultnet.Proxy
	}{{"broker", toBroker}, {"clients", toHub}} {
		for _, f := range faults {
			s.Logf("%s: %s", side.name, f.name)
			side.Set(f.faults)
			for range 3 {
				w.try(deadline)
			}
			if side.Proxy == toBroker && f.faults.Stall && !f.reset {
				w.calls()
			}
			side.Set(faultnet.Faults{})
			if f.reset {
				side.Reset()
			}
			w.recover(side.name + ": " + f.name)
		}
	}
	w.clear.Store(true)
	w.publishLast()
	reading.Wait()
	w.verify(begin)
	s.closesInSilence(n, toBroker)
}

func (s *suite) proxy(addr string) *faultnet.Proxy {
	s.Helper()
	p, err := faultnet.New(addr)
	s.must(err)
	s.Cleanup(p.Close)
	return p
}

// weather is a site in which publishing may fail.
type weather struct {
	*site
	clients []*follower
	clear   atomic.Bool
	failed  map[string]bool // texts of events whose publishing failed
}

// try publishes an event. It may fail, but must return in time. try reports whether it succeeded.
func (w *weather) try(within time.Duration) bool {
	w.Helper()
	n := w.number()
	text := fmt.Sprint(n, strings.Repeat("\ndata: é", n%20))
	err := w.timed("publish", within, func(ctx context.Context) error {
		_, err := w.append(ctx, topics[n%2], "", text)
		return err
	})
	if err != nil {
		w.failed[text] = true
	}
	return err == nil
}

// timed calls f, which must return when its context ends.
func (w *weather) timed(what string, within time.Duration, f func(context.Context) error) error {
	ctx, stop := context.WithTimeout(context.Background(), within)
	defer stop()
	begin := time.Now()
	err := f(ctx)
	if took := time.Since(begin); took > within+w.c.patience() {
		w.Errorf("%s has taken %v, with a deadline of %v", what, took, within)
	}
	return err
}

// calls calls every method of the broker while no data gets through. It also publishes more than
// the buffers on the way can hold.
func (w *weather) calls() {
	b := w.brokers[0]
	at, _ := sse.ParseID(w.clients[0].at)
	var all sync.WaitGroup
	for what, f := range map[string]func(context.Context) error{
		"last": func(ctx context.Context) error { _, err := b.Last(ctx); return err },
		"read": func(ctx context.Context) error { _, err := b.Read(ctx, nil, topics, at, plenty); return err },
		"tail": func(ctx context.Context) error {
			t, err := b.Tail(ctx, sse.ID{})
			if err == nil {
				err = t.Close()
			}
			return err
		},
	} {
		all.Go(func() {
			if err := w.timed(what, deadline, f); err == nil {
				w.Errorf("%s has succeeded while nothing comes through", what)
			}
		})
	}
	large := sse.Message{Data: make([]byte, 500<<10)}
	for range 24 {
		all.Go(func() {
			_ = w.timed("publish", deadline, func(ctx context.Context) error { // it may be in the log or not
				_, err := w.hubs[0].Publish(ctx, topics[2], large)
				return err
			})
		})
	}
	all.Wait()
}

// recover waits until an event can be published again and has reached all clients.
func (w *weather) recover(from string) {
	w.Helper()
	within := deadline // an event that is published while the connection is being made again may get no answer
	w.until("an event can be published after "+from, func() bool {
		within = min(2*within, w.c.patience())
		return w.try(within)
	})
	w.until("clients see it after "+from, func() bool {
		return !slices.ContainsFunc(w.clients, func(f *follower) bool { return f.reached.Load() < int64(w.count()) })
	})
}

// verify checks that every client has seen the events of the log, and that these are the published
// ones.
func (w *weather) verify(begin sse.ID) {
	w.Helper()
	var log []sight
	for _, r := range w.readAll(w.brokers[0], begin, 1<<20, topics[:2]...) {
		log = append(log, sight{r.ID.String(), cmp.Or(r.Type, "message"), string(r.Data)})
	}
	for i, f := range w.clients {
		if diff := compare(f.seen, log); diff != "" {
			w.Errorf("client %d, against the log: %s", i, diff)
		}
	}
	kept := w.accounted(log, w.published(), w.failed)
	if r := w.resets.Load(); r > 0 {
		w.Errorf("%d resets, and nothing was trimmed", r)
	}
	w.Logf("%d events, %d of which failed and are there, %d failed and are not", len(log), kept, len(w.failed))
}

// accounted checks that the log has the acknowledged events and no others except open ones, each
// once. open has the texts of events that may or may not have been published. accounted removes
// from open the events that the log has, and returns their number.
func (s *suite) accounted(log, acknowledged []sight, open map[string]bool) int {
	s.Helper()
	rest := slices.DeleteFunc(slices.Clone(log), func(e sight) bool {
		kept := open[e.text]
		delete(open, e.text) // a second one is one too many
		return kept
	})
	if diff := compare(rest, acknowledged); diff != "" {
		s.Errorf("the log, without what may have failed, against what was acknowledged: %s", diff)
	}
	return len(log) - len(rest)
}

// closesInSilence checks that a broker can be closed while its server does not answer.
func (s *suite) closesInSilence(n Network, to *faultnet.Proxy) {
	s.Helper()
	b := n.Open(s.T, to.Addr())
	t := s.tail(b, sse.ID{})
	to.Set(faultnet.Faults{Stall: true})
	done := nextOf(s.ctx(), t)
	closed := make(chan error)
	go func() { closed <- b.Close() }()
	s.is(s.within(closed), nil)
	s.is(s.within(done), sse.ErrClosed)
	to.Set(faultnet.Faults{})
}
