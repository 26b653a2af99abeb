package grpcx

import (
	"bytes"
	"context"
	"flag"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	grpcgzip "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/faultnet"
	"github.com/zmylab/zmy/internal/patience"
)

var soak = flag.Duration("soak", 0, "how long TestSoak runs; 0 skips it")

// TestSoak (make soak) has clients of all kinds of calls at a server at once, over a network that
// holds and one that is slow, torn, silent or cut by turns, beside clients that vanish, speak no
// HTTP/2, name codecs that there are not or send garbage. What ends without an error must be whole;
// afterwards no goroutine is left and memory is what it was.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("run with -soak 10m")
	}
	s := newSoaked(t)
	idle := runtime.NumGoroutine()
	s.run(t, 5*time.Second) // warm up: pools, connections, code
	before := s.heap(t, idle)
	s.run(t, *soak)
	after := s.heap(t, idle)
	t.Logf("%d calls and %d streams were whole, %d failed, %d disturbances; heap %d KiB before, %d KiB after",
		s.calls.Load(), s.streams.Load(), s.failed.Load(), s.disturbed.Load(), before>>10, after>>10)
	if after > before+before/10+4<<20 { // 4 MiB: buffers that gRPC loses with calls that were taken back
		t.Errorf("the heap has grown from %d to %d bytes", before, after)
	}
	if s.calls.Load() == 0 || s.streams.Load() == 0 || s.failed.Load() == 0 || s.disturbed.Load() == 0 {
		t.Error("some kind of client did nothing")
	}
}

// The codecs of the soak, over the pools of a service; soakUnknown is one that the server's gate
// does not let in, and soakGarbage writes garbage under the name of another.
var (
	soakCodecs  = []encoding.CodecV2{Codec(codec.ZMY{}, WithName("soak-zmy")), Codec(codec.FXJSON{}, WithName("soak-json"))}
	soakUnknown = Codec(codec.ZMY{}, WithName("soak-unknown"))
	soakGarbage = Codec(garbage{}, WithName("soak-zmy"))
)

type garbage struct{ codec.ZMY }

func (garbage) Marshal(v any) ([]byte, error) { return garbage{}.AppendMarshal(nil, v) }

func (garbage) AppendMarshal(b []byte, _ any) ([]byte, error) {
	for range 1 + rand.IntN(200) {
		b = append(b, byte(rand.Uint32())|1) // never zero bytes alone, which may be an order
	}
	return b, nil
}

type soaked struct {
	addr    string
	network *faultnet.Proxy
	client  *Telemetry

	calls, streams, failed, disturbed atomic.Int64
}

func newSoaked(t *testing.T) *soaked {
	if err := Register(append(soakCodecs, soakUnknown)...); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer(grpc.InTapHandle(Gate(soakCodecs[0].Name(), soakCodecs[1].Name())))
	NewTelemetry(WithMetrics(new(Metrics))).Registrar(srv).RegisterService(&shopDesc, new(shop))
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	network, err := faultnet.New(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(network.Close)
	return &soaked{addr: l.Addr().String(), network: network, client: NewTelemetry(WithMetrics(new(Metrics)))}
}

// run has the clients at work for d, over connections of their own, and waits for all of them.
func (s *soaked) run(t *testing.T, d time.Duration) {
	good, bad := s.dial(t, s.addr), s.dial(t, s.network.Addr())
	defer func() { _ = good.Close() }()
	defer func() { _ = bad.Close() }()
	ctx, cancel := context.WithCancel(t.Context()) // without a deadline, which servers would hold calls to
	defer cancel()
	time.AfterFunc(d, cancel)
	var wg sync.WaitGroup
	for _, client := range []func(context.Context, *testing.T){
		func(ctx context.Context, t *testing.T) { s.any(ctx, t, good, true) },
		func(ctx context.Context, t *testing.T) { s.any(ctx, t, good, true) },
		func(ctx context.Context, t *testing.T) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			s.any(ctx, t, bad, false)
		},
		func(ctx context.Context, t *testing.T) { // vanishes
			ctx, cancel := context.WithTimeout(ctx, rand.N(5*time.Millisecond))
			defer cancel()
			s.any(ctx, t, good, false)
			s.disturbed.Add(1)
		},
		func(ctx context.Context, t *testing.T) { s.refused(ctx, t, good) },
		s.noise, s.weather,
	} {
		wg.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				client(ctx, t)
			}
		})
	}
	wg.Wait()
}

func (s *soaked) dial(t *testing.T, addr string) *grpc.ClientConn {
	cc, err := grpc.NewClient("passthrough:///"+addr,
		append(s.client.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	return cc
}

// any makes a call of any kind. It must not fail if the network is sure to hold, and what does not
// fail must be whole.
func (s *soaked) any(ctx context.Context, t *testing.T, cc *grpc.ClientConn, sure bool) {
	o, n := order(1+rand.IntN(100)), 1+rand.IntN(20)
	o.ID = strings.Repeat("x", rand.IntN(2000))
	opts := []grpc.CallOption{subtype(soakCodecs[rand.IntN(len(soakCodecs))])}
	if rand.IntN(4) == 0 {
		opts = append(opts, grpc.UseCompressor(grpcgzip.Name))
	}
	count, kind, want := &s.streams, "", 0
	var got []*orderlite.Order
	var err error
	switch rand.IntN(4) {
	case 0:
		var one *orderlite.Order
		one, err = stub.Call[orderlite.Order, orderlite.Order](ctx, cc, echoMethod, o, opts)
		got, want, kind, count = []*orderlite.Order{one}, 1, "unary", &s.calls
	case 1:
		got, err = gather(stub.CallServerStream[orderlite.Order, orderlite.Order](ctx, cc, listMethod, o, opts))
		want, kind = 3, "server stream"
	case 2:
		var sum *orderlite.Order
		sum, err = stub.CallClientStream[orderlite.Order, orderlite.Order](ctx, cc, sumMethod, repeat(n, o), opts)
		if err == nil && len(sum.Items) != n*len(o.Items) {
			t.Errorf("client stream: %d items of %d", len(sum.Items), n*len(o.Items))
		}
		kind = "client stream"
	case 3:
		got, err = gather(stub.CallBidiStream[orderlite.Order, orderlite.Order](ctx, cc, talkMethod, repeat(n, o), opts))
		want, kind = n, "both ways"
	}
	switch {
	case err != nil && sure && ctx.Err() == nil:
		t.Errorf("%s: %v", kind, err)
	case err != nil:
		s.failed.Add(1)
	case len(got) != want:
		t.Errorf("%s: %d messages of %d, and no error", kind, len(got), want)
	default:
		count.Add(1)
	}
	for i, v := range got {
		if v != nil && !bytes.Equal(canonical(t, v), canonical(t, o)) {
			t.Errorf("%s: message %d is another one: %+v", kind, i, v)
		}
	}
}

// gather reads a sequence up to its error or its end.
func gather(seq iter.Seq2[*orderlite.Order, error]) (out []*orderlite.Order, err error) {
	for v, err := range seq {
		if err == io.EOF {
			break
		}
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

// canonical is the one way in which ZMY writes a value.
func canonical(t *testing.T, o *orderlite.Order) []byte {
	b, err := codec.ZMY{}.Marshal(o)
	if err != nil {
		t.Error(err)
	}
	return b
}

// refused sends what must be refused, with the status that it deserves.
func (s *soaked) refused(ctx context.Context, t *testing.T, cc *grpc.ClientConn) {
	o, want, opt := order(1), codes.Unimplemented, subtype(soakUnknown)
	switch rand.IntN(50) {
	case 0:
		o.ID, want, opt = strings.Repeat("x", 5<<20), codes.ResourceExhausted, subtype(soakCodecs[1])
	default:
		if rand.IntN(2) == 0 {
			want, opt = codes.Internal, grpc.ForceCodecV2(soakGarbage)
		}
	}
	if err := cc.Invoke(ctx, echoMethod, o, new(orderlite.Order), opt); status.Code(err) != want && ctx.Err() == nil {
		t.Errorf("%v, want %v", err, want)
	}
	s.disturbed.Add(1)
}

// noise connects and sends what is no HTTP/2, or nothing.
func (s *soaked) noise(ctx context.Context, _ *testing.T) {
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	b := make([]byte, rand.IntN(200))
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	if rand.IntN(2) == 0 {
		b = append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), b...)
	}
	_, _ = conn.Write(b)
	rest(ctx, rand.N(20*time.Millisecond))
	s.disturbed.Add(1)
}

// weather changes the bad network, for a moment.
func (s *soaked) weather(ctx context.Context, _ *testing.T) {
	s.network.Set([]faultnet.Faults{{Latency: 5 * time.Millisecond}, {Slice: 1 + rand.IntN(500)}, {Cut: 1 + rand.IntN(200_000)},
		{Cut: 1 + rand.IntN(200_000), SlowClose: 100 * time.Millisecond}, {Stall: true}}[rand.IntN(5)])
	rest(ctx, rand.N(500*time.Millisecond))
	if rand.IntN(2) == 0 {
		s.network.Reset()
	}
	s.network.Set(faultnet.Faults{})
	s.disturbed.Add(1)
	rest(ctx, rand.N(300*time.Millisecond))
}

// rest waits for d, or until the work is over.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// heap is what is live once nobody is connected any more.
func (s *soaked) heap(t *testing.T, goroutines int) uint64 {
	if !patience.Wait(time.Minute, func() bool { return runtime.NumGoroutine() <= goroutines }) {
		b := make([]byte, 1<<20)
		t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), goroutines, b[:runtime.Stack(b, true)])
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep for one collection
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
