package grpcx

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	grpcgzip "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/patience"
)

// large is ZMY whose own limits lie beyond gRPC's, so that those of gRPC decide.
var (
	large = codec.ZMY{
		MarshalOptions:   zmy.MarshalOptions{MaxWire: 64 << 20, MaxRaw: 64 << 20},
		UnmarshalOptions: zmy.UnmarshalOptions{MaxWire: 64 << 20},
	}
	largePool  = newCountingPool()
	largeCodec = Codec(large, WithName("large"), WithPool(largePool))
)

// sized is an order whose message has n bytes.
func sized(t *testing.T, n int) *orderlite.Order {
	t.Helper()
	o := &orderlite.Order{ID: strings.Repeat("x", n)}
	for range 10 {
		b, err := large.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) == n {
			return o
		}
		o.ID = o.ID[:len(o.ID)+n-len(b)]
	}
	t.Fatalf("no message of %d bytes", n)
	return nil
}

// TestMessageLimit is gRPC's limit of 4 MiB for what is received: one byte decides.
func TestMessageLimit(t *testing.T) {
	const limit = 4 << 20
	impl := new(shop)
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) }, nil)
	for _, c := range []struct {
		size int
		want codes.Code
	}{{limit, codes.OK}, {limit + 1, codes.ResourceExhausted}} {
		impl.calls.Store(0)
		out := new(orderlite.Order)
		err := cc.Invoke(t.Context(), echoMethod, sized(t, c.size), out, subtype(largeCodec))
		if status.Code(err) != c.want {
			t.Errorf("%d bytes: %v, want %v", c.size, err, c.want)
		}
		if ran := impl.calls.Load() == 1; ran != (c.want == codes.OK) {
			t.Errorf("%d bytes: the handler ran: %t", c.size, ran)
		}
	}
	// The client's limit protects it likewise.
	err := cc.Invoke(t.Context(), echoMethod, sized(t, 2000), new(orderlite.Order), subtype(largeCodec), grpc.MaxCallRecvMsgSize(1999))
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("beyond the client's limit: %v", err)
	}
	largePool.balanced(t)
}

// TestZMYLimit is the codec's own limit, which is lower: it tells on the side that marshals.
func TestZMYLimit(t *testing.T) {
	impl := new(shop)
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) }, nil)
	err := cc.Invoke(t.Context(), echoMethod, sized(t, 128<<10+1), new(orderlite.Order), subtype(zmyCodec))
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "limit") || impl.calls.Load() != 0 {
		t.Errorf("%v, %d calls", err, impl.calls.Load())
	}
	pool.balanced(t)
}

// TestGzipBomb sends a few kilobytes that become 64 MiB: the server stops at its limit, and its
// memory stays near that.
func TestGzipBomb(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 64 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	impl := new(shop)
	conn := rawServer(t, impl)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := conn.call(t, 1, "zmy", "gzip", frame(1, bomb.Len(), bomb.Bytes()))
	runtime.ReadMemStats(&after)
	if got != codes.ResourceExhausted {
		t.Errorf("code %v", got)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("%d bytes of memory for a limit of 4 MiB", took)
	}
	if impl.calls.Load() != 0 {
		t.Error("the handler ran")
	}
}

// TestFrames sends what is no message, in all ways in which it can be wrong.
func TestFrames(t *testing.T) {
	message, err := codec.ZMY{}.Marshal(order(60))
	if err != nil {
		t.Fatal(err)
	}
	impl := new(shop)
	conn := rawServer(t, impl)
	for i, c := range []struct {
		name  string
		body  []byte
		coder string
		want  codes.Code
		runs  bool
	}{
		{"whole", frame(0, len(message), message), "", codes.OK, true},
		{"nothing", nil, "", codes.Internal, false},
		{"half a head", []byte{0, 0}, "", codes.Internal, false},
		{"truncated", frame(0, len(message), message[:len(message)/2]), "", codes.Internal, false},
		{"truncated message in a whole frame", frame(0, len(message)/2, message[:len(message)/2]), "", codes.Internal, false},
		{"more than announced", append(frame(0, len(message), message), 1, 2, 3), "", codes.Internal, false},
		{"two messages", append(frame(0, len(message), message), frame(0, len(message), message)...), "", codes.Internal, false},
		{"announced: 4 GiB", frame(0, 1<<32-1, message), "", codes.ResourceExhausted, false},
		{"damaged", frame(0, len(message), bytes.Repeat([]byte{0xFF}, len(message))), "", codes.Internal, false},
		{"compressed, unannounced", frame(1, len(message), message), "", codes.Internal, false},
		{"not gzip", frame(1, len(message), message), "gzip", codes.Internal, false},
		{"flag 7", frame(7, len(message), message), "", codes.Internal, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			impl.calls.Store(0)
			if got := conn.call(t, uint32(2*i+1), "zmy", c.coder, c.body); got != c.want {
				t.Errorf("code %v, want %v", got, c.want)
			}
			if ran := impl.calls.Load() > 0; ran != c.runs {
				t.Errorf("the handler ran: %t", ran)
			}
		})
	}
	pool.balanced(t)
}

func frame(flag byte, size int, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{flag}, uint32(size)), body...)
}

// TestReset floods a server with calls that are taken back at once. No more handlers run at a time
// than the server allows streams, all end, and it serves on.
func TestReset(t *testing.T) {
	impl := new(blocking)
	const streams = 16
	conn := rawServerOf(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) }, grpc.MaxConcurrentStreams(streams))
	message, err := codec.ZMY{}.Marshal(order(1))
	if err != nil {
		t.Fatal(err)
	}
	const flood = 2000
	for i := range uint32(flood) {
		conn.open(t, 2*i+1, "givenup", "", frame(0, len(message), message))
		conn.reset(t, 2*i+1)
	}
	impl.sound.Store(true)
	if got := conn.call(t, 2*flood+1, "givenup", "", frame(0, len(message), message)); got != codes.OK {
		t.Errorf("after the flood: %v", got)
	}
	if most := impl.most.Load(); most > streams+1 {
		t.Errorf("%d handlers at a time, the limit is %d", most, streams)
	}
}

// TestBalance makes calls of all kinds and endings over pools that count, gRPC's own among them.
func TestBalance(t *testing.T) {
	transport := newCountingPool()
	impl := new(shop)
	t.Run("calls", func(t *testing.T) {
		cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) },
			[]grpc.ServerOption{experimental.BufferPool(transport)}, experimental.WithBufferPool(transport))
		kinds(t, cc)
		talks(t, cc)
		big := order(800) // many frames of HTTP/2
		for _, opts := range [][]grpc.CallOption{nil, {grpc.UseCompressor(grpcgzip.Name)}} {
			opts = append(opts, subtype(zmyCodec))
			if err := cc.Invoke(t.Context(), echoMethod, big, new(orderlite.Order), opts...); err != nil {
				t.Fatal(err)
			}
			var held Held[orderlite.Order]
			if err := cc.Invoke(t.Context(), echoMethod, big, &held, opts...); err != nil {
				t.Fatal(err)
			}
			held.Release()
		}
	}) // both ends are closed
	pool.balanced(t)
	if n := transport.twice.Load(); n != 0 {
		t.Errorf("%d buffers of the transport were given back twice", n)
	}
}

// TestGivenUp cancels calls somewhere on their way. A reply that meets a call that is over is
// dropped by gRPC without giving its buffer back, so that one for each call may go to the
// garbage collector; none comes back twice, and sound calls go on.
func TestGivenUp(t *testing.T) {
	p, c := givenUpPool, givenUpCodec
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, new(shop)) }, nil)
	before := p.outside()
	big := order(800)
	const calls = 20
	for range calls {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Microsecond)
		err := cc.Invoke(ctx, echoMethod, big, new(orderlite.Order), subtype(c))
		if c := status.Code(err); c != codes.OK && c != codes.DeadlineExceeded {
			t.Error(err)
		}
		cancel()
	}
	if err := cc.Invoke(t.Context(), echoMethod, big, new(orderlite.Order), subtype(c)); err != nil {
		t.Error(err)
	}
	patience.Wait(time.Minute, func() bool { return p.outside() <= before+calls }) // some are still on their way back
	if n := p.outside(); n > before+calls {
		t.Errorf("%d buffers are out after %d calls, %d before them", n, calls, before)
	}
	if p.twice.Load() != 0 {
		t.Error("buffers were given back twice")
	}
}

// rawConn speaks HTTP/2 to a server frame by frame.
type rawConn struct {
	c      net.Conn
	f      *http2.Framer
	mu     sync.Mutex // of f, for writing
	header bytes.Buffer
	status chan streamStatus
}

type streamStatus struct {
	stream uint32
	code   codes.Code
}

func rawServer(t *testing.T, impl Shop) *rawConn {
	return rawServerOf(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) })
}

func rawServerOf(t *testing.T, register func(*grpc.Server), opts ...grpc.ServerOption) *rawConn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(opts...)
	register(s)
	done := make(chan error, 2)
	go func() { done <- s.Serve(l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	r := &rawConn{c: c, f: http2.NewFramer(c, c), status: make(chan streamStatus, 1<<16)}
	r.f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	if err := r.f.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	go func() { done <- r.read() }()
	t.Cleanup(func() {
		c.Close()
		s.Stop()
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
	return r
}

// read notes the status of each stream, until the connection is closed.
func (r *rawConn) read() error {
	for {
		f, err := r.f.ReadFrame()
		switch {
		case err == io.EOF || errors.Is(err, net.ErrClosed) || err != nil && strings.Contains(err.Error(), "reset by peer"):
			return nil
		case err != nil:
			return err
		}
		switch f := f.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				r.write(func() error { return r.f.WriteSettingsAck() })
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				data := f.Data
				r.write(func() error { return r.f.WritePing(true, data) })
			}
		case *http2.MetaHeadersFrame:
			for _, h := range f.Fields {
				if h.Name == "grpc-status" {
					var n codes.Code
					for _, d := range h.Value {
						n = 10*n + codes.Code(d-'0')
					}
					r.status <- streamStatus{f.StreamID, n}
				}
			}
		case *http2.RSTStreamFrame: // a stream that ends with less than a frame
			r.status <- streamStatus{f.StreamID, codes.Internal}
		case *http2.GoAwayFrame:
			return errors.New("the server goes away: " + f.ErrCode.String() + " " + string(f.DebugData()))
		}
	}
}

func (r *rawConn) write(w func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return w()
}

// open begins a call and sends its whole body.
func (r *rawConn) open(t *testing.T, stream uint32, subtype, coding string, body []byte) {
	t.Helper()
	err := r.write(func() error {
		r.header.Reset()
		e := hpack.NewEncoder(&r.header)
		e.SetMaxDynamicTableSize(0)
		for _, h := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":path", echoMethod}, {":authority", "test"},
			{"content-type", "application/grpc+" + subtype}, {"te", "trailers"}, {"grpc-encoding", coding}} {
			if h[1] == "" {
				continue
			}
			if err := e.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}); err != nil {
				return err
			}
		}
		if err := r.f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: r.header.Bytes(),
			EndHeaders: true}); err != nil {
			return err
		}
		for len(body) > 16384 {
			if err := r.f.WriteData(stream, false, body[:16384]); err != nil {
				return err
			}
			body = body[16384:]
		}
		return r.f.WriteData(stream, true, body)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rawConn) reset(t *testing.T, stream uint32) {
	t.Helper()
	if err := r.write(func() error { return r.f.WriteRSTStream(stream, http2.ErrCodeCancel) }); err != nil {
		t.Fatal(err)
	}
}

// call makes a call and returns its status.
func (r *rawConn) call(t *testing.T, stream uint32, subtype, coding string, body []byte) codes.Code {
	t.Helper()
	r.open(t, stream, subtype, coding, body)
	late := time.After(patience.For(time.Minute))
	for {
		select {
		case s := <-r.status:
			if s.stream == stream {
				return s.code
			}
		case <-late:
			t.Fatal("no answer")
		}
	}
}
