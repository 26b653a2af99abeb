package load

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
)

const (
	shares  = 64 // number of counters of a group, over which its connections are spread, so that they rarely wait for a lock
	dialers = 64 // limit of connections that are being opened at the same time, so that the server's backlog is not measured
	look    = 10 * time.Millisecond
	settle  = 50 * time.Millisecond // wait after the last event, to notice duplicates
)

// group is the connections to one target, and their counters.
type group struct {
	SSEGroup
	o      *SSE
	t      *Target
	run    string
	url    *url.URL
	seen   *seen
	counts [shares]counts
	all    []*follower
	dial   chan struct{}
	next   int // number of the next event
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// counts are the counters of one share of the connections.
type counts struct {
	mu     sync.Mutex
	opened Histogram // since the group was opened
	open   int       // connections that have been open since the group was opened
	pointCounts
}

// pointCounts are counters since the point began.
type pointCounts struct {
	latency, first Histogram
	delivered      int64
	came           [3]int64 // by arrival
	damaged        int64
	resets, gaps   int64
	told           int64 // events that a reset or gap announced as missing
	sent           int64
	last           time.Time // time of the last delivery
	reconnects     int
	errors         map[string]int
}

// openGroup opens the connections to a target, as many as possible. It opens and closes one first,
// to find errors that would affect all of them.
func openGroup(ctx context.Context, o *SSE, t *Target) (*group, error) {
	if err := t.check(ctx, o.Codecs); err != nil {
		return nil, err
	}
	g := &group{o: o, t: t, run: strings.ToLower(rand.Text()), seen: newSeen(), dial: make(chan struct{}, dialers)}
	g.Flush, g.Wanted, g.Opened = t.State.Flush, o.Conns, new(Histogram)
	u, err := url.Parse(t.URL + feed.EventsPath + "?run=" + g.run)
	if err != nil {
		return nil, err
	}
	g.url = u
	first, err := connect(ctx, u, "", o.Timeout)
	if err != nil {
		return nil, fmt.Errorf("the first connection: %w", err)
	}
	first.conn.Close()
	g.Alone, err = g.usage(ctx, true)
	if err != nil {
		return nil, err
	}
	ctx, g.cancel = context.WithCancel(ctx)
	err = g.open(ctx)
	return g, err
}

// open starts all connections and waits until they are open. It gives up if no further connection
// opens within the timeout.
func (g *group) open(ctx context.Context) error {
	for i := range g.Wanted {
		f := &follower{g: g, t: &g.counts[i%shares], retry: 100 * time.Millisecond}
		var own context.Context
		own, f.cancel = context.WithCancel(ctx)
		g.all = append(g.all, f)
		g.done.Go(func() { f.follow(own) })
	}
	g.await(ctx, func(t *counts) int64 { return int64(t.open) }, int64(g.Wanted))
	if err := ctx.Err(); err != nil {
		return err
	}
	var open []*follower
	for _, f := range g.all {
		f.t.mu.Lock()
		if f.opened {
			open = append(open, f)
		} else {
			f.cancel()
		}
		f.t.mu.Unlock()
	}
	g.all = open
	sum := g.sum()
	g.Open, g.Errors = len(open), sum.errors
	g.Opened.Add(&sum.opened)
	if g.Open == 0 {
		return fmt.Errorf("no connection to %s has opened within %s (%s)", g.t.URL, g.o.Timeout, failures(g.Errors))
	}
	var err error
	g.With, err = g.usage(ctx, true)
	g.o.say("%d connections, flush %s", g.Open, g.Flush)
	return err
}

// await waits until the sum of count over all shares is want. It returns early if the sum has not
// grown for the timeout, or if ctx ends.
func (g *group) await(ctx context.Context, count func(*counts) int64, want int64) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	best, since := int64(-1), time.Now()
	for ctx.Err() == nil {
		have := int64(0)
		for i := range g.counts {
			t := &g.counts[i]
			t.mu.Lock()
			have += count(t)
			t.mu.Unlock()
		}
		switch {
		case have >= want:
			return
		case have > best:
			best, since = have, time.Now()
		case time.Since(since) > g.o.Timeout:
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// close ends all connections and waits until they have ended.
func (g *group) close() {
	g.cancel()
	g.done.Wait()
}

// sum returns the sum of all shares.
func (g *group) sum() *counts {
	s := &counts{pointCounts: pointCounts{errors: map[string]int{}}}
	for i := range g.counts {
		t := &g.counts[i]
		t.mu.Lock()
		s.add(t)
		t.mu.Unlock()
	}
	return s
}

func (t *counts) add(o *counts) {
	t.opened.Add(&o.opened)
	t.latency.Add(&o.latency)
	t.first.Add(&o.first)
	t.open += o.open
	t.delivered += o.delivered
	for i, n := range o.came {
		t.came[i] += n
	}
	t.damaged += o.damaged
	t.resets += o.resets
	t.gaps += o.gaps
	t.told += o.told
	t.sent += o.sent
	t.reconnects += o.reconnects
	if o.last.After(t.last) {
		t.last = o.last
	}
	for what, n := range o.errors {
		t.errors[what] += n
	}
}

// usage returns the usage of the server's process. If collect is set, the server collects garbage
// first. If the usage is unknown, it returns zero and sets g.Why.
func (g *group) usage(ctx context.Context, collect bool) (Usage, error) {
	if collect {
		if err := call(ctx, "POST", g.t.URL+feed.StatePath, nil, &feed.State{}); err != nil {
			return Usage{}, err
		}
	}
	if g.t.Usage == nil {
		g.Why = "it was not asked for"
		return Usage{}, nil
	}
	u, err := g.t.Usage(ctx)
	if err != nil && ctx.Err() == nil {
		g.Why = err.Error()
		return Usage{}, nil
	}
	return u, ctx.Err()
}

// point requests the events of a point and waits for their deliveries, or until no more come.
func (g *group) point(ctx context.Context, p *SSEPoint) error {
	g.start()
	r := g.o.request(g.run, p)
	r.From = g.next
	before, err := g.usage(ctx, true)
	if err != nil {
		return err
	}
	own, _ := cpuTime(os.Getpid())
	begin := time.Now()
	var report feed.Report
	if err := call(ctx, "POST", g.t.URL+feed.EventsPath, r, &report); err != nil {
		p.Partial, p.Late = true, new(Histogram)
		g.fill(p, r.From, begin, 0)
		if ctx.Err() == nil {
			err = errors.Join(err, g.ended())
		}
		return err
	}
	g.next += report.Published
	want := int64(report.Published) * int64(len(g.all))
	g.await(ctx, func(t *counts) int64 { return t.delivered }, want)
	if p.Late, p.Published, p.Bytes = report.Late, report.Published, report.Bytes; p.Late == nil {
		p.Late = new(Histogram)
	}
	select {
	case <-time.After(settle):
	case <-ctx.Done():
		p.Partial = true
		g.fill(p, r.From, begin, 0)
		return ctx.Err()
	}
	g.fill(p, r.From, begin, g.next)
	if now, ok := cpuTime(os.Getpid()); ok {
		p.Client = now - own
	}
	if p.Server, err = g.usage(ctx, false); err != nil {
		return err
	}
	p.Server.CPU -= before.CPU
	collected, err := g.usage(ctx, true) // last, since collecting garbage takes processor time
	p.Collected = collected.RSS
	return err
}

// ended returns an error with the reasons why connections have ended, or nil. They may explain
// another error.
func (g *group) ended() error {
	if sum := g.sum(); sum.reconnects > 0 {
		return fmt.Errorf("%d of %d connections have ended (%s)", sum.reconnects, g.Open, failures(sum.errors))
	}
	return nil
}

// start resets all counters of points.
func (g *group) start() {
	g.seen.clear()
	for i := range g.counts {
		t := &g.counts[i]
		t.mu.Lock()
		t.pointCounts = pointCounts{}
		t.mu.Unlock()
	}
	for _, f := range g.all {
		f.t.mu.Lock()
		f.seq.start(g.next)
		f.told = false
		f.t.mu.Unlock()
	}
}

// fill copies the counters to the point. Numbers before end that have not come are lost. If end is
// 0, only gaps before the largest number of each connection are lost.
func (g *group) fill(p *SSEPoint, from int, begin time.Time, end int) {
	sum := g.sum()
	p.Latency, p.First, p.Decode = &sum.latency, &sum.first, g.seen.decoding()
	p.Delivered, p.Disordered, p.Duplicated = sum.delivered, sum.came[outOfOrder], sum.came[duplicate]
	p.Damaged, p.Resets, p.Gaps, p.Sent, p.Reconnects, p.Errors = sum.damaged, sum.resets, sum.gaps, sum.sent, sum.reconnects, sum.errors
	p.Told = sum.told
	p.Seconds = max(sum.last.Sub(begin), 0).Seconds()
	for _, f := range g.all {
		f.t.mu.Lock()
		if end > 0 {
			p.Lost += int64(f.seq.lost(end))
			if f.told {
				p.Told += int64(max(end-f.seq.next, 0))
			}
		} else {
			p.Lost += int64(f.seq.lost(f.seq.next))
			p.Published = max(p.Published, f.seq.next-from)
		}
		f.t.mu.Unlock()
	}
	p.Told = min(p.Told, p.Lost) // some announced events may have come later
}
