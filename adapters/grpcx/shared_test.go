package grpcx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec/canary"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/patience"
)

// handled is what gRPC makes of a unary call: the handler's part, before the reply is marshalled.
func handled(t *testing.T, tel *Telemetry, ctx context.Context, c encoding.CodecV2, reply any) any {
	t.Helper()
	h := func(any, context.Context, func(any) error, grpc.UnaryServerInterceptor) (any, error) {
		return reply, nil
	}
	ctx = grpc.NewContextWithServerTransportStream(ctx, transport{c.Name()})
	out, err := tel.method(echoMethod, server).unary(h)("impl", ctx, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func marshalled(t *testing.T, c encoding.CodecV2, v any) string {
	t.Helper()
	out, err := c.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Free()
	return string(out.Materialize())
}

// TestSharedReply: a reply that handlers give to several calls at a time is sent in the codec of
// each, in whichever order codecs meet it.
func TestSharedReply(t *testing.T) {
	o := order(60)
	own := []encoding.CodecV2{zmyCodec, jsonCodec}
	want := []string{marshalled(t, zmyCodec, o), marshalled(t, jsonCodec, o)}
	for _, turn := range [][]int{{0, 1}, {1, 0}} {
		m := new(Metrics)
		tel := NewTelemetry(WithMetrics(m))
		replies := []any{handled(t, tel, t.Context(), own[0], o), handled(t, tel, t.Context(), own[1], o)}
		for _, i := range turn {
			if got := marshalled(t, own[i], replies[i]); got != want[i] {
				t.Errorf("turn %v: %s is sent as %.20q, want %.20q", turn, own[i].Name(), got, want[i])
			}
		}
		counted := m.Snapshot()
		for _, s := range counted {
			if s.Count != 1 || s.Bytes != uint64(len(want[slices.Index([]string{"zmy", "json"}, s.Codec)])) {
				t.Errorf("turn %v: %d messages, %d bytes are counted for %s", turn, s.Count, s.Bytes, s.Codec)
			}
		}
		if len(counted) != 2 {
			t.Errorf("turn %v: counted %v", turn, counted)
		}
	}
	pool.balanced(t)
}

// TestSharedReplyOfCanary: a reply that two calls in different arms have is marshalled once by each
// arm.
func TestSharedReplyOfCanary(t *testing.T) {
	c := encoding.GetCodecV2("routed")
	tel := NewTelemetry(WithCallContext(func(ctx context.Context, md metadata.MD) context.Context {
		return routed.WithRequest(ctx, md.Get(canary.DefaultHeader)[0], "")
	}))
	o, arms := new(orderlite.Order), []string{"old", "new"}
	for i, value := range []string{canary.HeaderIncumbent, canary.HeaderCandidate} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs(canary.DefaultHeader, value))
		routedDiary.taken()
		marshalled(t, c, handled(t, tel, ctx, c, o))
		if got := routedDiary.taken(); !slices.Equal(got, arms[i:i+1]) {
			t.Errorf("the call of arm %s is sent by %q", arms[i], got)
		}
	}
}

// TestFailedReply: the error of a codec reaches gRPC from the codec, where gRPC expects it, and is
// counted once.
func TestFailedReply(t *testing.T) {
	broken.Store(replyMarshal)
	defer broken.Store(sound)
	m := new(Metrics)
	out := handled(t, NewTelemetry(WithMetrics(m)), t.Context(), fragileCodec, &orderlite.Order{ID: "reply"})
	if b, err := fragileCodec.Marshal(out); !errors.Is(err, errBroken) || b.Len() != 0 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
	if s := m.Snapshot(); len(s) != 1 || s[0].Count != 1 || s[0].Errors != 1 {
		t.Errorf("counted %+v", s)
	}
}

// payloads is a stats handler that notes the types of messages.
type payloads struct {
	mu   sync.Mutex
	seen []string
}

func (p *payloads) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (p *payloads) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (p *payloads) HandleConn(context.Context, stats.ConnStats)                       {}

func (p *payloads) HandleRPC(_ context.Context, s stats.RPCStats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch s := s.(type) {
	case *stats.InPayload:
		p.seen = append(p.seen, fmt.Sprintf("in %T", Payload(s.Payload)))
	case *stats.OutPayload:
		p.seen = append(p.seen, fmt.Sprintf("out %T", Payload(s.Payload)))
	}
}

// TestPayload: a stats handler of a measured server gets at the messages.
func TestPayload(t *testing.T) {
	seen, tel := new(payloads), NewTelemetry(WithMetrics(new(Metrics)))
	cc := serve(t, func(s *grpc.Server) {
		tel.Registrar(s).RegisterService(&shopDesc, new(shop))
		registerProto(tel.Registrar(s), new(shop))
	}, []grpc.ServerOption{grpc.StatsHandler(seen)})
	for _, name := range []string{"zmy", "routed"} {
		opts := []grpc.CallOption{grpc.CallContentSubtype(name)}
		if _, err := stub.Call[orderlite.Order, orderlite.Order](t.Context(), cc, echoMethod, order(1), opts); err != nil {
			t.Fatal(err)
		}
	}
	if err := cc.Invoke(t.Context(), protoMethod, wrapperspb.String("hello"), new(wrapperspb.StringValue)); err != nil {
		t.Fatal(err)
	}
	order, value := []string{"in *orderlite.Order", "out *orderlite.Order"},
		[]string{"in *wrapperspb.StringValue", "out *wrapperspb.StringValue"}
	want := slices.Concat(order, order, value)
	for until := time.Now().Add(patience.For(10 * time.Second)); seen.count() < len(want) &&
		time.Now().Before(until); { // gRPC tells of a reply once it is sent
		time.Sleep(time.Millisecond)
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	if !slices.Equal(seen.seen, want) {
		t.Errorf("%q, want %q", seen.seen, want)
	}
}

func (p *payloads) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.seen)
}

// TestNoReply: what is no message stays so, in codecs that are bound to their calls too.
func TestNoReply(t *testing.T) {
	for _, name := range []string{"routed", "zmy"} {
		if out := handled(t, NewTelemetry(), t.Context(), encoding.GetCodecV2(name), nil); out != nil {
			t.Errorf("%s: %T in the place of no reply", name, out)
		}
	}
}
