package load

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
	"github.com/zmylab/zmy/internal/openloop"
)

// Crowd is a test with many connections. Unary calls are made over them at random times, each when
// it is due, whether the calls before it were answered or not: an open loop.
type Crowd struct {
	Codec string        `json:"codec"`
	Blob  bool          `json:"blob"`
	Size  int           `json:"size"`
	Conns int           `json:"conns"`
	QPS   float64       `json:"qps"` // calls a second over all connections; each call uses a random one
	For   time.Duration `json:"for_ns"`
	Seed  uint64        `json:"seed"`
}

// CrowdResult is the measurement of a Crowd.
type CrowdResult struct {
	Crowd
	Sent     int            `json:"sent"`
	Answered int            `json:"answered"`
	Seconds  float64        `json:"seconds"`  // until the last answer
	Wire     int            `json:"wire"`     // mean bytes of a message
	Response Latency        `json:"response"` // from when a call was due to its answer
	Late     Latency        `json:"late"`     // from when a call was due to when it was made
	Errors   map[string]int `json:"errors,omitempty"`
	Client   Usage          `json:"client"`
	Server   *Usage         `json:"server,omitempty"`
	Shared   bool           `json:"shared,omitempty"`
	// ClientRSS is the resident memory in bytes for each connection but the first, measured when
	// the connections are idle after one call each. If both ends are one process, it includes the
	// server's. It is 0 if the system does not tell.
	ClientRSS float64 `json:"client_rss,omitempty"`
	ServerRSS float64 `json:"server_rss,omitempty"`
}

// Failed returns the number of calls without a good answer.
func (r *CrowdResult) Failed() int { return r.Sent - r.Answered }

// Valid reports whether there were answers, and calls were made when they were due.
func (r *CrowdResult) Valid() bool {
	return r.Answered > 0 && openloop.Punctual(Merge(r.Late), Merge(r.Response), 0.5)
}

// Crowd measures c.
func (b *Bench) Crowd(ctx context.Context, c Crowd) (*CrowdResult, error) {
	f, err := formOf(c.Codec)
	switch {
	case err != nil:
		return nil, err
	case c.Conns < 1 || c.QPS <= 0 || c.For <= 0:
		return nil, fmt.Errorf("%d connections, %g calls a second for %v: want more than none", c.Conns, c.QPS, c.For)
	}
	from, err := f.sources(c.Size, c.Blob)
	if err != nil {
		return nil, err
	}
	p, err := b.open(ctx, 0, 0)
	if err != nil {
		return nil, err
	}
	defer p.close()
	r := &CrowdResult{Crowd: c, Wire: from.wire, Shared: p.target.Shared}
	all := make([]*grpc.ClientConn, 0, c.Conns)
	defer func() { closeAll(all) }()
	debug.FreeOSMemory() // memory left from an earlier crowd would hide what this one takes
	connect := func(n int) error {
		more, err := p.connect(ctx, f, n)
		all = append(all, more...)
		return err
	}
	if err := connect(1); err != nil {
		return nil, err
	}
	settled := func() (client Usage, server *Usage) {
		p.collect(ctx)
		return ThisProcess(), p.usage(ctx)
	}
	client, server := settled()
	if err := connect(c.Conns - 1); err != nil {
		return nil, fmt.Errorf("connection %d of %d: %w", len(all)+1, c.Conns, err)
	}
	r.memory(client, server, settled)
	newLoop(c, f, from, all).send(ctx, c.For/warmUp, c.Seed+1)
	g := newLoop(c, f, from, all)
	p.collect(ctx)
	var late *openloop.Histogram
	r.Seconds, r.Client, r.Server = p.measured(ctx, func() { late = g.send(ctx, c.For, c.Seed) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.Sent, r.Answered, r.Response, r.Late = int(late.N()), g.answered, NewLatency(g.response), NewLatency(late)
	r.Errors = g.errors
	return r, nil
}

// memory computes by how much both processes, or the one that they share, have grown for each
// connection.
func (r *CrowdResult) memory(client Usage, server *Usage, settled func() (Usage, *Usage)) {
	more := float64(r.Conns - 1)
	after, serverAfter := settled()
	if more == 0 || client.RSS == 0 {
		return
	}
	r.ClientRSS = max(0, float64(after.RSS-client.RSS)/more)
	if server != nil && serverAfter != nil {
		r.ServerRSS = max(0, float64(serverAfter.RSS-server.RSS)/more)
	}
}

// connect makes n connections and one call over each. It returns the connections that it has made,
// and the first error.
func (p *peer) connect(ctx context.Context, f *form, n int) ([]*grpc.ClientConn, error) {
	const together = 32 // more at once would overflow the server's queue of new connections
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		conns []*grpc.ClientConn
		first error
		room  = make(chan struct{}, together)
	)
	for range n {
		room <- struct{}{}
		wg.Go(func() {
			defer func() { <-room }()
			cc, err := p.dial(dialing{subtype: f.subtype()})
			if err == nil {
				if err = f.probe(ctx, cc); err != nil {
					cc.Close()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				if first == nil {
					first = err
				}
				return
			}
			conns = append(conns, cc)
		})
	}
	wg.Wait()
	return conns, first
}

func closeAll(conns []*grpc.ClientConn) {
	var wg sync.WaitGroup
	for _, cc := range conns {
		wg.Go(func() { _ = cc.Close() }) // fails only if closed twice
	}
	wg.Wait()
}

// loop is an open loop of calls.
type loop struct {
	c     Crowd
	f     *form
	to    string // the full name of the method
	from  *source
	conns []*grpc.ClientConn

	mu       sync.Mutex
	response *openloop.Histogram
	answered int
	errors   map[string]int
}

func newLoop(c Crowd, f *form, from *source, conns []*grpc.ClientConn) *loop {
	return &loop{c: c, f: f, to: f.method(Unary), from: from, conns: conns, response: newTimes(), errors: map[string]int{}}
}

// send makes calls for a time, waits for their answers, and returns how late calls were made.
func (l *loop) send(ctx context.Context, span time.Duration, seed uint64) (late *openloop.Histogram) {
	calls, cancel := context.WithTimeout(ctx, span+overtime)
	defer cancel()
	// The generator does not spin: that would count as the client's processor time.
	g := &openloop.Generator{Schedule: openloop.Schedule{Rate: l.c.QPS, For: span, Seed: seed}, Spin: openloop.Never, Spare: true}
	g.Late.Reserve()
	g.Each(ctx, func(q *openloop.Call) {
		err := l.call(calls, l.conns[q.Draw(seed, len(l.conns))], q.N%msg.Variants)
		took := q.Now() - q.At
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil {
			l.errors[class(err)]++
			return
		}
		l.answered++
		l.response.Record(int64(took))
	})
	return &g.Late
}

// call makes one call.
func (l *loop) call(ctx context.Context, cc *grpc.ClientConn, variant int) error {
	target := l.f.target()
	defer l.f.release(target)
	if err := cc.Invoke(ctx, l.to, l.from.sent[variant], target); err != nil {
		return err
	}
	h, err := l.f.check(target)
	if err == nil && int(h.Variant) != variant {
		err = errChanged
	}
	return err
}
