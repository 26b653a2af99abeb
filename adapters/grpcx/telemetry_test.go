package grpcx

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// A service over protobuf messages, as protoc-gen-go-grpc writes them in essence.
const (
	protoMethod = "/test.Proto/Echo"
	protoStream = "/test.Proto/Talk"
)

func registerProto(r grpc.ServiceRegistrar, impl *shop) {
	r.RegisterService(&grpc.ServiceDesc{
		ServiceName: "test.Proto", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{stub.Unary("test.Proto", "Echo",
			func(s *shop, _ context.Context, m *wrapperspb.StringValue) (*wrapperspb.StringValue, error) {
				s.calls.Add(1)
				return m, nil
			})},
		Streams: []grpc.StreamDesc{{StreamName: "Talk", ServerStreams: true, ClientStreams: true,
			Handler: func(_ any, s grpc.ServerStream) error {
				for range 3 {
					m := new(wrapperspb.StringValue)
					if err := s.RecvMsg(m); err != nil {
						return err
					}
					if err := s.SendMsg(m); err != nil {
						return err
					}
				}
				return nil
			}}},
	}, impl)
}

// seen is an observer that writes down what it is told.
type seen struct {
	mu     sync.Mutex
	events []string
	begun  int
}

func (s *seen) Begin(ctx context.Context, _ codec.Event) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	return ctx
}

func (s *seen) End(ctx context.Context, e codec.Event) {
	method, server, ok := Method(ctx)
	if !ok {
		method = "no method"
	}
	side := "client"
	if server {
		side = "server"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, fmt.Sprint(side, " ", method, " ", e.Codec, " ", e.Op, " ", e.Type(), " ", e.Size, " ", e.Class()))
}

func (s *seen) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.events
	s.events = nil
	slices.Sort(out)
	return out
}

// TestTelemetry makes calls of all kinds, in own codecs and in gRPC's, and looks at what is
// told of them.
func TestTelemetry(t *testing.T) {
	s, m := new(seen), new(Metrics)
	tel := NewTelemetry(WithObserver(s), WithMetrics(m), WithPprofLabels())
	impl := new(shop)
	cc := serve(t, func(srv *grpc.Server) {
		tel.Registrar(srv).RegisterService(&shopDesc, impl)
		registerProto(tel.Registrar(srv), impl)
	}, nil, tel.DialOptions()...)
	o := order(60)
	size := func(c encoding.CodecV2) int {
		out, err := c.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Free()
		return out.Len()
	}
	for _, c := range []encoding.CodecV2{zmyCodec, jsonCodec} {
		if _, err := stub.Call[orderlite.Order, orderlite.Order](t.Context(), cc, echoMethod, o,
			[]grpc.CallOption{subtype(c)}); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, side := range []string{"client", "server"} {
			for _, op := range []string{"marshal", "unmarshal"} {
				want = append(want, fmt.Sprintf("%s %s %s %s *orderlite.Order %d none", side, echoMethod, c.Name(), op, size(c)))
			}
		}
		if got := s.take(); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", c.Name(), got, want)
		}
	}

	// gRPC's own codec, on whose messages nothing is lost.
	reply := new(wrapperspb.StringValue)
	if err := cc.Invoke(t.Context(), protoMethod, wrapperspb.String("hello"), reply); err != nil || reply.GetValue() != "hello" {
		t.Fatal(reply, err)
	}
	want := []string{
		"client /test.Proto/Echo proto marshal *wrapperspb.StringValue 7 none",
		"client /test.Proto/Echo proto unmarshal *wrapperspb.StringValue 7 none",
		"server /test.Proto/Echo proto marshal *wrapperspb.StringValue 7 none",
		"server /test.Proto/Echo proto unmarshal *wrapperspb.StringValue 7 none",
	}
	if got := s.take(); !slices.Equal(got, want) {
		t.Errorf("proto\n got %q\nwant %q", got, want)
	}
	if err := cc.Invoke(t.Context(), protoMethod, wrapperspb.String(""), reply); err != nil || reply.GetValue() != "" {
		t.Fatal(reply, err) // an empty message, and a target that is used again
	}
	if got := s.take(); len(got) != 4 || !strings.HasSuffix(got[0], " 0 none") {
		t.Errorf("proto, empty: %q", got)
	}

	// Streams.
	kinds(t, cc)
	talks(t, cc)
	for _, want := range []struct {
		method string
		events int
	}{{echoMethod, 4}, {listMethod, 8}, {sumMethod, 10}, {talkMethod, 20}} {
		counts := map[string]int{}
		for _, stats := range m.Snapshot() {
			if stats.Method == want.method {
				counts[stats.Codec] += int(stats.Count)
			}
		}
		n := want.events
		if want.method == echoMethod {
			n *= 2 // the calls above
		}
		names := [2]string{"zmy", "json"}
		if want.method == talkMethod {
			names = [2]string{talkCodecs[0].Name(), talkCodecs[1].Name()}
		}
		if counts[names[0]] != n || counts[names[1]] != n {
			t.Errorf("%s: %v messages, want %d in each", want.method, counts, n)
		}
	}
	s.take()
	talk, err := cc.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, protoStream)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := talk.SendMsg(wrapperspb.String("hello")); err != nil {
			t.Fatal(err)
		}
		if err := talk.RecvMsg(reply); err != nil || reply.GetValue() != "hello" {
			t.Fatal(reply, err)
		}
	}
	if err := talk.RecvMsg(reply); err == nil {
		t.Fatal("the stream goes on")
	}
	if got := s.take(); len(got) != 12 {
		t.Errorf("proto stream: %d events, want 12: %q", len(got), got)
	}
	if s.begun != len(snapshotCounts(m)) {
		t.Errorf("%d operations have begun, %d have ended", s.begun, len(snapshotCounts(m)))
	}
	pool.balanced(t)
}

func snapshotCounts(m *Metrics) (all []Key) {
	for _, s := range m.Snapshot() {
		for range s.Count {
			all = append(all, s.Key)
		}
	}
	return all
}

// TestUnreadable is a request that the server cannot read: it is counted, and the client is
// told what has happened.
func TestUnreadable(t *testing.T) {
	m := new(Metrics)
	tel := NewTelemetry(WithMetrics(m))
	impl := new(shop)
	cc := serve(t, func(srv *grpc.Server) {
		tel.Registrar(srv).RegisterService(&shopDesc, impl)
		registerProto(tel.Registrar(srv), impl)
	}, nil)
	for _, c := range []struct {
		method string
		opts   []grpc.CallOption
		codec  string
	}{
		{echoMethod, []grpc.CallOption{subtype(zmyCodec)}, "zmy"},
		{protoMethod, nil, "proto"},
	} {
		var trailer metadata.MD
		opts := append([]grpc.CallOption{grpc.ForceCodecV2(bytesCodec{[]byte("\xff\xff\xff")}), grpc.Trailer(&trailer)}, c.opts...)
		err := cc.Invoke(t.Context(), c.method, "in", "out", opts...)
		if status.Code(err) != codes.Internal || !isUnreadable(trailer) || !isCodecFailure(err, nil) {
			t.Errorf("%s: %v, %v", c.codec, err, trailer)
		}
		if got, want := trailer.Get(FailureTrailer), []string{"unmarshal " + c.codec + " 1/1"}; !slices.Equal(got, want) {
			t.Errorf("trailer %q, want %q", got, want)
		}
		for _, s := range m.Snapshot() {
			if s.Codec == c.codec && (s.Errors != 1 || s.Op != codec.OpUnmarshal || !s.Server) {
				t.Errorf("%s: %+v", c.codec, s)
			}
		}
	}
	if impl.calls.Load() != 0 {
		t.Error("a handler ran")
	}
	pool.balanced(t)
}

// bytesCodec sends the same bytes for every message, as "proto" where the call names nothing else.
type bytesCodec struct{ b []byte }

func (bytesCodec) Name() string { return "proto" }
func (c bytesCodec) Marshal(any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(c.b)}, nil
}
func (bytesCodec) Unmarshal(_ mem.BufferSlice, _ any) error { return nil }

// TestSlow marks messages beyond a limit that every message is beyond.
func TestSlow(t *testing.T) {
	var log bytes.Buffer
	m := new(Metrics)
	tel := NewTelemetry(WithMetrics(m), WithSlow(time.Nanosecond), WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	cc := serve(t, func(srv *grpc.Server) { srv.RegisterService(&shopDesc, new(shop)) }, nil, tel.DialOptions()...)
	if err := cc.Invoke(t.Context(), echoMethod, order(1), new(orderlite.Order), subtype(zmyCodec)); err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Snapshot() {
		if s.Slow != 1 || s.Count != 1 || s.Duration <= 0 || s.P99 < s.P50 {
			t.Errorf("%+v", s)
		}
	}
	if n := strings.Count(log.String(), "codec slow"); n != 2 || !strings.Contains(log.String(), echoMethod) {
		t.Errorf("%d warnings:\n%s", n, log.String())
	}
}

// TestLabels looks at the labels of the goroutine from inside a codec.
func TestLabels(t *testing.T) {
	tel := NewTelemetry(WithPprofLabels())
	c := tel.method("/a/B", client).cell("zmy")
	ctx := pprof.WithLabels(t.Context(), pprof.Labels("mine", "kept"))
	pprof.SetGoroutineLabels(ctx)
	defer pprof.SetGoroutineLabels(context.Background())
	w := c.begin(ctx, codec.OpMarshal, nil)
	during := ownLabels(t)
	w.end(0, nil)
	after := ownLabels(t)
	for _, want := range []string{`"method":"/a/B"`, `"codec":"zmy"`, `"op":"marshal"`} {
		if !strings.Contains(during, want) {
			t.Errorf("during: %s, want %s", during, want)
		}
	}
	if !strings.Contains(after, `"mine":"kept"`) || strings.Contains(after, "codec") {
		t.Errorf("after: %s", after)
	}
}

// ownLabels returns the labels of the calling goroutine as the goroutine profile has them.
func ownLabels(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(block, "ownLabels") {
			for line := range strings.Lines(block) {
				if strings.Contains(line, "labels:") {
					return line
				}
			}
		}
	}
	return ""
}
