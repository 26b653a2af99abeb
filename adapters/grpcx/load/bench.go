package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// Target is a running server.
type Target struct {
	Addr   string       // host:port
	Shared bool         // the server runs in this process
	Stop   func() error // stops the server; nil if somebody else runs it
}

// Bench measures cells.
type Bench struct {
	Start func(ctx context.Context, window, connWindow int) (*Target, error) // starts a server, one for each cell
	For   time.Duration                                                      // time for each cell, after a quarter of it to warm up
}

// InProcess starts a server in this process, on loopback.
func InProcess(_ context.Context, window, connWindow int) (*Target, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s, err := NewServer(l, window, connWindow)
	if err != nil {
		l.Close()
		return nil, err
	}
	return &Target{Addr: l.Addr().String(), Shared: true, Stop: s.Stop}, nil
}

// Takes returns about how long a cell takes, including its preparation.
func (b *Bench) Takes(c Cell) time.Duration {
	return b.For + b.For/warmUp + 100*time.Millisecond + 10*c.RTT
}

// warmUp says how long a cell warms up before anything counts: the cell's time divided by warmUp.
const warmUp = 4

// Run measures a cell. It counts messages and calls that go wrong in the result. It returns an
// error if nothing could be measured or ctx has ended.
func (b *Bench) Run(ctx context.Context, c Cell) (*Result, error) {
	f, err := formOf(c.Codec)
	if err != nil {
		return nil, err
	}
	if err := Point(c).Check(); err != nil {
		return nil, err
	}
	from, err := f.sources(c.Size, c.Blob)
	if err != nil {
		return nil, err
	}
	p, err := b.open(ctx, c.Window, c.connWindow())
	if err != nil {
		return nil, err
	}
	defer p.close()
	cc, err := p.dial(dialing{window: c.Window, connWindow: c.connWindow(), rtt: c.RTT, gzip: c.Gzip, subtype: f.subtype()})
	if err != nil {
		return nil, err
	}
	defer cc.Close()
	if err := f.probe(ctx, cc); err != nil {
		return nil, fmt.Errorf("%s: %w", p.target.Addr, err)
	}
	r := &Result{Cell: c, Wire: from.wire, Shared: p.target.Shared}
	if r.Ping, err = ping(ctx, cc); err != nil {
		return nil, fmt.Errorf("%s: ping: %w", p.target.Addr, err)
	}
	phase(ctx, newWorkers(c, f, cc, from), b.For/warmUp)
	workers := newWorkers(c, f, cc, from)
	p.collect(ctx)
	r.Seconds, r.Client, r.Server = p.measured(ctx, func() { phase(ctx, workers, b.For) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.sum(workers)
	return r, nil
}

// phase runs all streams for a time.
func phase(ctx context.Context, workers []*worker, span time.Duration) {
	var wg sync.WaitGroup
	end := time.Now().Add(span)
	for _, w := range workers {
		w.end = end
		wg.Go(func() { w.run(ctx) })
	}
	wg.Wait()
}

func (r *Result) sum(workers []*worker) {
	r.Errors = map[string]int{}
	all := newTimes()
	for _, w := range workers {
		all.Add(w.times)
		r.Messages += w.n
		r.Rate += w.rate()
		for what, n := range w.errors {
			r.Errors[what] += n
		}
	}
	r.Latency = NewLatency(all)
}

// peer is a server and a control connection to it, which has no added round trip.
type peer struct {
	target  *Target
	control *grpc.ClientConn
}

func (b *Bench) open(ctx context.Context, window, connWindow int) (*peer, error) {
	if err := Register(); err != nil {
		return nil, err
	}
	t, err := b.Start(ctx, window, connWindow)
	if err != nil {
		return nil, err
	}
	p := &peer{target: t}
	if p.control, err = p.dial(dialing{subtype: new(rawCodec).Name()}); err == nil {
		_, err = p.ask(ctx, pingMethod)
		if status.Code(err) == codes.Unimplemented {
			err = fmt.Errorf("%s is a server of gRPC, and not one that this can measure; start `zmy load grpc -serve HOST:PORT` there",
				t.Addr)
		} else if err != nil {
			err = fmt.Errorf("%s: %w", t.Addr, err)
		}
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *peer) close() {
	if p.control != nil {
		p.control.Close()
	}
	if p.target.Stop != nil {
		_ = p.target.Stop() // an error of stopping does not concern the measurement
	}
}

// usage asks the server's process what it has used so far. It returns nil if that is this process,
// or if there is no answer.
func (p *peer) usage(ctx context.Context) *Usage {
	if p.target.Shared {
		return nil
	}
	b, err := p.ask(ctx, usageMethod)
	u := new(Usage)
	if err != nil || json.Unmarshal(b, u) != nil {
		return nil // the server has died: errors of the cell say so
	}
	return u
}

// measured calls f. It returns how long that took and what both ends have used meanwhile.
func (p *peer) measured(ctx context.Context, f func()) (seconds float64, client Usage, server *Usage) {
	client, server = ThisProcess(), p.usage(ctx)
	start := time.Now()
	f()
	seconds = time.Since(start).Seconds()
	client = ThisProcess().Since(client)
	after := p.usage(ctx)
	if after == nil || server == nil {
		return seconds, client, nil
	}
	used := after.Since(*server)
	return seconds, client, &used
}

// ask calls a method of the control service.
func (p *peer) ask(ctx context.Context, method string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, overtime)
	defer cancel()
	var reply raw
	err := p.control.Invoke(ctx, method, new(raw), &reply)
	return reply.b, err
}

// collect runs the garbage collectors at both ends, so that no cell pays for an earlier one's
// garbage.
func (p *peer) collect(ctx context.Context) {
	runtime.GC()
	if !p.target.Shared {
		_, _ = p.ask(ctx, garbageMethod) // if the server has died, the next call finds out
	}
}

// dialing says how to make a connection.
type dialing struct {
	window, connWindow int
	rtt                time.Duration
	gzip               bool
	subtype            string
}

func (p *peer) dial(d dialing) (*grpc.ClientConn, error) {
	calls := []grpc.CallOption{grpc.CallContentSubtype(d.subtype), grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)}
	if d.gzip {
		calls = append(calls, grpc.UseCompressor("gzip"))
	}
	opts := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(calls...), grpc.WithDisableServiceConfig(),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, err
			}
			return delay(conn, d.rtt), nil
		})}
	if d.window > 0 {
		opts = append(opts, grpc.WithStaticStreamWindowSize(int32(d.window)),
			grpc.WithStaticConnWindowSize(int32(max(d.window, d.connWindow))))
	}
	return grpc.NewClient("passthrough:///"+p.target.Addr, opts...)
}

// probe makes one small call and returns its error. A cell whose probe fails is not measured.
func (f *form) probe(ctx context.Context, cc *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(ctx, overtime)
	defer cancel()
	from, err := f.sources(minSize, true)
	if err != nil {
		return err
	}
	target := f.target()
	defer f.release(target)
	if err := cc.Invoke(ctx, f.method(Unary), from.sent[0], target); err != nil {
		if status.Code(err) == codes.Unimplemented {
			return fmt.Errorf("codec %s is not served there: %w", f.name, err)
		}
		return err
	}
	if _, err := f.check(target); err != nil {
		return fmt.Errorf("codec %s: %w", f.name, err)
	}
	return nil
}

// ping returns the median time of calls without content over the connection that is measured.
func ping(ctx context.Context, cc *grpc.ClientConn) (time.Duration, error) {
	const most, span = 21, 200 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, overtime)
	defer cancel()
	var took []time.Duration
	for begin := time.Now(); len(took) < 3 || len(took) < most && time.Since(begin) < span; {
		start := time.Now()
		if err := cc.Invoke(ctx, pingMethod, new(raw), new(raw), grpc.CallContentSubtype(new(rawCodec).Name())); err != nil {
			return 0, err
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// Stopped reports whether err says that a measurement was ended from outside.
func Stopped(err error) bool {
	return errors.Is(err, context.Canceled) || status.Code(err) == codes.Canceled
}
