package grpcx

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/metadata"

	"github.com/zmylab/zmy/codec/canary"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
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

// TestSharedReply: a reply that handlers give to several calls at a time is sent in the codec of each, in whichever
// order codecs meet it.
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
		for _, s := range m.Snapshot() {
			if s.Bytes != 0 && s.Bytes != uint64(len(want[slices.Index([]string{"zmy", "json"}, s.Codec)])) {
				t.Errorf("turn %v: %d bytes are counted for %s", turn, s.Bytes, s.Codec)
			}
		}
	}
	pool.balanced(t)
}

// TestSharedReplyOfCanary: nor do two calls in different arms take each other's.
func TestSharedReplyOfCanary(t *testing.T) {
	c := encoding.GetCodecV2("routed")
	tel := NewTelemetry(WithCallContext(func(ctx context.Context, md metadata.MD) context.Context {
		return routed.WithRequest(ctx, md.Get(canary.DefaultHeader)[0], "")
	}))
	o, arms := new(orderlite.Order), []string{"old", "new"}
	for _, turn := range [][]int{{0, 1}, {1, 0}} {
		var replies []any
		for _, value := range []string{canary.HeaderIncumbent, canary.HeaderCandidate} {
			ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs(canary.DefaultHeader, value))
			replies = append(replies, handled(t, tel, ctx, c, o))
		}
		routedDiary.taken()
		for _, i := range turn {
			marshalled(t, c, replies[i])
			if got := routedDiary.taken(); !slices.Equal(got, arms[i:i+1]) {
				t.Errorf("turn %v: the call of arm %s is sent by %q", turn, arms[i], got)
			}
		}
	}
}

// TestNoReply: what is no message stays so, in codecs that are bound to their calls too.
func TestNoReply(t *testing.T) {
	for _, name := range []string{"routed", "zmy"} {
		if out := handled(t, NewTelemetry(), t.Context(), encoding.GetCodecV2(name), nil); out != nil {
			t.Errorf("%s: %T in the place of no reply", name, out)
		}
	}
}
