// Package load measures gRPC calls of all kinds over loopback: by size, number of streams,
// flow-control window, round trip and compression. It is what zmy load grpc runs.
//
// Loopback alone shows nothing of windows, since a round trip takes no time there; the round
// trip is put in by a wrapper around the connections.
package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/gzip" // the compressor of that name
)

// Kind is a kind of calls.
type Kind uint8

// The kinds.
const (
	Unary Kind = iota
	ServerStream
	BidiStream
)

// String is the kind in lower case.
func (k Kind) String() string { return [...]string{"unary", "server", "bidi"}[k] }

// Config is one cell of the matrix. The zero value but for Messages is a unary call of no bytes.
type Config struct {
	Kind     Kind
	Size     int           // bytes of a message; half of them compress
	Streams  int           // at a time, each of one goroutine; 0 is 1
	Conns    int           // connections that the streams are spread over; 0 is 1
	Window   int32         // bytes of a stream's window and, times the streams, of the connection's; 0 leaves them to gRPC's estimate (BDP)
	RTT      time.Duration // round trip that is added to that of loopback
	Gzip     bool
	Messages int // in all
}

// Result is what a run has measured. For unary calls and streams both ways a latency is that from
// sending a message to its answer, of which a stream has up to 64 under way; for streams of
// responses it is the time between two of them.
type Result struct {
	Config
	Took     time.Duration
	Sent     int64 // bytes of messages from server to client, uncompressed
	P50, P99 time.Duration
	CPU      time.Duration // of the process, which is both ends; 0 where the system does not tell
}

// MBps is megabytes (10⁶ bytes) of messages a second, from server to client.
func (r Result) MBps() float64 { return float64(r.Sent) / 1e6 / r.Took.Seconds() }

// CPUPerMessage is processor time of both ends for a message.
func (r Result) CPUPerMessage() time.Duration { return r.CPU / time.Duration(max(r.Messages, 1)) }

// maxMessage is what servers and clients receive; the matrix goes to 1 MB.
const maxMessage = 64 << 20

// Run measures one cell.
func Run(ctx context.Context, c Config) (Result, error) {
	c.Streams, c.Conns = max(c.Streams, 1), max(c.Conns, 1)
	if c.Messages < 1 || c.Size < 0 || c.Size > maxMessage/2 {
		return Result{}, fmt.Errorf("load: %d messages of %d bytes; want at least one, of at most %d bytes", c.Messages, c.Size, maxMessage/2)
	}
	if encoding.GetCodecV2(codecName) == nil {
		return Result{}, errors.New("load: the codec is not registered; call load.Register where the program starts")
	}
	target, stop, err := serve(c)
	if err != nil {
		return Result{}, err
	}
	defer stop()
	conns, closeAll, err := connect(c, target)
	if err != nil {
		return Result{}, err
	}
	defer closeAll()
	for _, cc := range conns { // handshakes are not measured
		if err := cc.Invoke(ctx, echoMethod, new(message), new(message)); err != nil {
			return Result{}, err
		}
	}
	return measure(ctx, c, conns)
}

func measure(ctx context.Context, c Config, conns []*grpc.ClientConn) (Result, error) {
	var (
		wg    sync.WaitGroup
		errs  = make([]error, c.Streams)
		times = make([]*hdrhistogram.Histogram, c.Streams)
	)
	cpu, start := processTime(), time.Now()
	for i := range c.Streams {
		times[i] = hdrhistogram.New(1, int64(time.Minute), 3)
		w := &worker{c: c, cc: conns[i%len(conns)], times: times[i], body: body(c.Size),
			n: c.Messages*(i+1)/c.Streams - c.Messages*i/c.Streams}
		wg.Go(func() { errs[i] = w.run(ctx) })
	}
	wg.Wait()
	r := Result{Config: c, Took: time.Since(start), CPU: processTime() - cpu, Sent: int64(c.Messages) * int64(c.Size)}
	all := hdrhistogram.New(1, int64(time.Minute), 3)
	for _, t := range times {
		all.Merge(t)
	}
	r.P50, r.P99 = time.Duration(all.ValueAtQuantile(50)), time.Duration(all.ValueAtQuantile(99))
	return r, errors.Join(errs...)
}

// serve starts a server for the cell on loopback.
func serve(c Config) (target string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	opts := []grpc.ServerOption{grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage)}
	if c.Window > 0 {
		opts = append(opts, grpc.InitialWindowSize(c.Window), grpc.InitialConnWindowSize(c.connWindow()))
	}
	srv := grpc.NewServer(opts...)
	srv.RegisterService(&desc, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(listener{l, c.RTT / 2}) // nil after Stop
	}()
	return l.Addr().String(), func() { srv.Stop(); <-done }, nil
}

func (c Config) connWindow() int32 {
	return int32(min(int64(c.Window)*int64(c.Streams), 1<<30))
}

func connect(c Config, target string) (conns []*grpc.ClientConn, closeAll func(), err error) {
	calls := []grpc.CallOption{grpc.ForceCodecV2(codec{}), grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)}
	if c.Gzip {
		calls = append(calls, grpc.UseCompressor("gzip"))
	}
	opts := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(calls...),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, err
			}
			return delay(conn, c.RTT/2), nil
		})}
	if c.Window > 0 {
		opts = append(opts, grpc.WithInitialWindowSize(c.Window), grpc.WithInitialConnWindowSize(c.connWindow()))
	}
	closeAll = func() {
		for _, cc := range conns {
			_ = cc.Close() // closed only here
		}
	}
	for range c.Conns {
		cc, err := grpc.NewClient("passthrough:///"+target, opts...)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		conns = append(conns, cc)
	}
	return conns, closeAll, nil
}
