package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

const moment = 20 * time.Millisecond

// TestRun makes a few messages of each kind in each codec and of many cells: that all arrive, not
// how fast.
func TestRun(t *testing.T) {
	b := &Bench{Start: InProcess, For: moment}
	var cells []Cell
	for _, k := range Kinds {
		for _, codec := range Codecs() {
			cells = append(cells, Cell{Kind: k, Codec: codec, Size: 1_000, Streams: 2})
		}
		cells = append(cells,
			Cell{Kind: k, Codec: "zmy", Blob: true, Size: 128_000, Streams: 8, Window: 64 << 10},
			Cell{Kind: k, Codec: "flatbuffers", Size: 100, Streams: 1, Window: 16 << 20},
			Cell{Kind: k, Codec: "protobuf", Blob: true, Size: 64_000, Streams: 2, Gzip: true},
			Cell{Kind: k, Codec: "fxjson", Blob: true, Size: 1_000_000, Streams: 1, RTT: 300 * time.Microsecond},
			Cell{Kind: k, Codec: "raw", Size: 128_000, Streams: 2, RTT: 10 * time.Millisecond, Window: 256 << 10},
		)
	}
	var objects, bytes uint64
	for _, c := range cells {
		t.Run(c.String(), func(t *testing.T) {
			r, err := b.Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if r.Messages < int64(c.Streams) || r.Failed() != 0 || r.Rate <= 0 || r.MBps() <= 0 ||
				r.Wire == 0 || r.Latency.Max <= 0 && r.Messages > int64(c.Streams) {
				t.Errorf("%+v", r)
			}
			if r.Ping < c.RTT || c.Kind == Unary && r.Latency.Max < c.RTT {
				t.Errorf("a round trip of %v takes %v, a call at most %v", c.RTT, r.Ping, r.Latency.Max)
			}
			objects, bytes = objects+r.Client.Objects, bytes+r.Client.Bytes
			if !r.Shared || r.Server != nil {
				t.Errorf("%+v, server %+v", r.Client, r.Server)
			}
		})
	}
	// The sum of all cells: the runtime counts small objects by the span, so a cell of few messages may
	// have none yet.
	if objects == 0 || bytes == 0 {
		t.Errorf("%d objects, %d bytes allocated by all cells", objects, bytes)
	}
}

// TestRunRefuses what cannot be meant.
func TestRunRefuses(t *testing.T) {
	b := &Bench{Start: InProcess, For: moment}
	good := Cell{Codec: "zmy", Size: 1_000, Streams: 1}
	for want, change := range map[string]func(*Cell){
		"no codec": func(c *Cell) { c.Codec = "xml" },
		"-size":    func(c *Cell) { c.Size = 1 },
		"-streams": func(c *Cell) { c.Streams = 0 },
		"-window":  func(c *Cell) { c.Window = 1 },
		"-rtt":     func(c *Cell) { c.RTT = -1 },
	} {
		c := good
		change(&c)
		if _, err := b.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", c, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Run(ctx, good); !Stopped(err) {
		t.Errorf("a cancelled run: %v", err)
	}
	b.Start = func(context.Context, int, int) (*Target, error) { return nil, io.ErrNoProgress }
	if _, err := b.Run(t.Context(), good); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("no server: %v", err)
	}
}

// TestStopped ends a measurement while a cell is measured.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := &Bench{For: time.Hour, Start: func(ctx context.Context, w, cw int) (*Target, error) {
		time.AfterFunc(50*time.Millisecond, cancel)
		return InProcess(ctx, w, cw)
	}}
	if _, err := b.Run(ctx, Cell{Kind: BidiStream, Codec: "zmy", Size: 1_000, Streams: 4}); !Stopped(err) {
		t.Errorf("%v", err)
	}
}

// faulty is a server whose methods are as a test says.
func faulty(t *testing.T, register func(*grpc.Server), opts ...grpc.ServerOption) func(context.Context, int, int) (*Target, error) {
	return func(context.Context, int, int) (*Target, error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		srv := grpc.NewServer(opts...)
		register(srv)
		done := make(chan error, 1)
		go func() { done <- srv.Serve(l) }()
		return &Target{Addr: l.Addr().String(), Stop: func() error { srv.Stop(); return <-done }}, nil
	}
}

// TestUnimplemented: a server of gRPC that is no server of ours, and one that does not have the
// codec, are told apart, and nothing is measured.
func TestUnimplemented(t *testing.T) {
	for want, register := range map[string]func(*grpc.Server){
		"start `zmy load grpc -serve HOST:PORT` there": func(*grpc.Server) {},
		"codec zmy is not served there":                func(s *grpc.Server) { s.RegisterService(control(), nil) },
	} {
		b := &Bench{Start: faulty(t, register), For: moment}
		if _, err := b.Run(t.Context(), Cell{Codec: "zmy", Size: 1_000, Streams: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	b := &Bench{Start: func(context.Context, int, int) (*Target, error) { return &Target{Addr: l.Addr().String()}, nil }, For: moment}
	if _, err := b.Run(t.Context(), Cell{Codec: "zmy", Size: 1_000, Streams: 1}); status.Code(errors.Unwrap(err)) != codes.Unavailable {
		t.Errorf("nobody listens: %v", err)
	}
}

// measured is a stream whose messages a test may spoil.
type measured struct {
	grpc.ServerStream
	n    *atomic.Int64
	send func(n int64, m any) (any, error)
}

func (s measured) SendMsg(m any) error {
	m, err := s.send(s.n.Add(1), m)
	if err != nil {
		return err
	}
	return s.ServerStream.SendMsg(m)
}

// TestFailures: what becomes of calls and streams is counted by what it was, and what arrived is
// counted as well.
func TestFailures(t *testing.T) {
	const each = 5 // every fifth message goes wrong
	wrong := msg.New(1, 1_000, false)
	wrong.Items[0].Qty++
	for _, c := range []struct {
		name string
		send func(n int64, m any) (any, error)
		want string
	}{
		{"dies", func(n int64, m any) (any, error) {
			if n%each == 0 {
				return nil, status.Error(codes.ResourceExhausted, "enough")
			}
			return m, nil
		}, "ResourceExhausted"},
		{"changes", func(n int64, m any) (any, error) {
			if n%each == 0 {
				return wrong, nil
			}
			return m, nil
		}, "changed message"},
	} {
		for _, kind := range []Kind{Unary, ServerStream, BidiStream} {
			t.Run(fmt.Sprintf("%s/%v", c.name, kind), func(t *testing.T) {
				var n, bad atomic.Int64
				send := func(i int64, m any) (any, error) {
					if i%each == 0 {
						bad.Add(1)
					}
					return c.send(i, m)
				}
				stream := grpc.StreamInterceptor(func(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, h grpc.StreamHandler) error {
					return h(srv, measured{ServerStream: s, n: &n, send: send})
				})
				b := &Bench{For: moment, Start: faulty(t, func(s *grpc.Server) {
					f, _ := formOf("zmy")
					d := f.desc()
					inner := d.Methods[0].Handler
					d.Methods[0].Handler = func(srv any, ctx context.Context, dec func(any) error,
						i grpc.UnaryServerInterceptor) (any, error) {
						m, err := inner(srv, ctx, dec, i)
						if err != nil || m.(*msg.Message).Size == minSize {
							return m, err // the probe
						}
						return send(n.Add(1), m)
					}
					s.RegisterService(control(), nil)
					s.RegisterService(d, nil)
				}, stream)}
				r, err := b.Run(t.Context(), Cell{Kind: kind, Codec: "zmy", Size: 1_000, Streams: 1})
				if err != nil {
					t.Fatal(err)
				}
				// A message that has changed ends a stream whose next ones are already on their
				// way: there the two do not go by fives.
				least := int64(each-1) * int64(r.Failed()-1)
				if c.name == "changes" && kind != Unary {
					least = 1
				}
				if r.Errors[c.want] == 0 || r.Errors[c.want] != r.Failed() || int64(r.Failed()) > bad.Load() || r.Messages < max(least, 1) {
					t.Errorf("%d messages, %v; the server has spoilt %d", r.Messages, r.Errors, bad.Load())
				}
			})
		}
	}
}

// fuse ends a server when so many messages have come or gone.
type fuse struct {
	left atomic.Int64
	blow func()
}

func (f *fuse) HandleRPC(_ context.Context, s stats.RPCStats) {
	switch s.(type) {
	case *stats.InPayload, *stats.OutPayload:
		if f.left.Add(-1) == 0 {
			go f.blow()
		}
	}
}

func (*fuse) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (*fuse) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*fuse) HandleConn(context.Context, stats.ConnStats)                       {}

// TestDies: the server vanishes in the middle of streams. They end long before their time, and what
// had come counts.
func TestDies(t *testing.T) {
	f, err := formOf("protobuf")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			burning := &fuse{}
			burning.left.Store(300)
			start := faulty(t, func(s *grpc.Server) {
				burning.blow = s.Stop
				s.RegisterService(control(), nil)
				s.RegisterService(f.desc(), nil)
			}, grpc.StatsHandler(burning))
			b := &Bench{Start: start}
			p, err := b.open(t.Context(), 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			cc, err := p.dial(dialing{subtype: f.subtype()})
			if err != nil {
				t.Fatal(err)
			}
			defer cc.Close()
			c := Cell{Kind: kind, Codec: f.name, Size: 1_000, Streams: 3}
			from, err := f.sources(c.Size, c.Blob)
			if err != nil {
				t.Fatal(err)
			}
			var r Result
			workers := newWorkers(c, f, cc, from)
			phase(t.Context(), workers, time.Hour)
			r.sum(workers)
			if r.Errors["Unavailable"] < c.Streams || r.Failed() > c.Streams*(hopeless+1) || (kind != ClientStream) != (r.Messages > 0) {
				t.Errorf("%d messages, %v", r.Messages, r.Errors)
			}
		})
	}
}

// TestLatency: percentiles of what was merged, and none beyond which fewer than 100 times lie.
func TestLatency(t *testing.T) {
	h := newTimes()
	for i := range 10_000 {
		h.Record(int64(i+1) * 1000)
	}
	one := NewLatency(h)
	if near := func(got, want time.Duration) bool { return got > want*99/100 && got < want*101/100 }; one.N != 10_000 || one.P999 != 0 ||
		!near(one.P50, 5*time.Millisecond) || !near(one.P90, 9*time.Millisecond) || !near(one.P99, 9900*time.Microsecond) ||
		one.Max != 10*time.Millisecond {
		t.Errorf("%+v", one)
	}
	all := NewLatency(Merge(one, NewLatency(newTimes()), one, Latency{}))
	if all.N != 20_000 || all.P99 != one.P99 || all.P999 != 0 {
		t.Errorf("%+v", all)
	}
	if l := NewLatency(newTimes()); l.P50 != 0 || l.Max != 0 {
		t.Errorf("%+v of nothing", l)
	}
}

// TestMissing: a stream that ends well before all of it has come is no success.
func TestMissing(t *testing.T) {
	short := func(f *form) *grpc.ServiceDesc {
		d := f.desc()
		for i := range d.Streams {
			d.Streams[i].Handler = func(_ any, s grpc.ServerStream) error {
				m := f.target()
				if err := s.RecvMsg(m); err != nil {
					return err
				}
				if d.Streams[i].ServerStreams {
					return s.SendMsg(f.message(0, 1_000, false))
				}
				for s.RecvMsg(f.target()) == nil {
				}
				return s.SendMsg(counted(1))
			}
		}
		return d
	}
	b := &Bench{For: moment, Start: faulty(t, func(s *grpc.Server) {
		f, _ := formOf("zmy")
		s.RegisterService(control(), nil)
		s.RegisterService(short(f), nil)
	})}
	for _, kind := range []Kind{ServerStream, ClientStream, BidiStream} {
		r, err := b.Run(t.Context(), Cell{Kind: kind, Codec: "zmy", Size: 1_000, Streams: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Errors["missing messages"] == 0 || r.Errors["missing messages"] != r.Failed() {
			t.Errorf("%v: %d messages, %v", kind, r.Messages, r.Errors)
		}
	}
}
