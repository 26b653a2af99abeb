package grpcx

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// diary notes which arm of a canary has handled each message, in order.
type diary struct {
	mu   sync.Mutex
	arms []string
}

func (d *diary) note(arm string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.arms = append(d.arms, arm)
}

// taken returns what was noted, and begins anew.
func (d *diary) taken() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := d.arms
	d.arms = nil
	return out
}

// armed is ZMY as an arm that keeps the diary.
type armed struct {
	zmy codec.ZMY
	arm string
	d   *diary
}

func (a armed) Name() string                    { return "routed" }
func (a armed) MediaTypes() []string            { return []string{"application/x-routed"} }
func (a armed) Marshal(v any) ([]byte, error)   { a.d.note(a.arm); return a.zmy.Marshal(v) }
func (a armed) Unmarshal(b []byte, v any) error { a.d.note(a.arm); return a.zmy.Unmarshal(b, v) }

var routed, routedDiary = routing()

func routing() (*canary.Canary, *diary) {
	d := new(diary)
	c, err := canary.New(armed{arm: "old", d: d}, armed{arm: "new", d: d}, canary.Options{Steps: []float64{0.5, 1}})
	if err != nil {
		panic(err)
	}
	return c, d
}

// TestCanary: all messages of a call have the arm that its metadata asks for, on both sides, and
// its key chooses too; where nothing is asked for, an arm is drawn once for a call.
func TestCanary(t *testing.T) {
	c, d := routed, routedDiary
	d.taken() // of an earlier test
	choose := WithCallContext(func(ctx context.Context, md metadata.MD) context.Context {
		return c.WithRequest(ctx, strings.Join(md.Get(canary.DefaultHeader), ""), strings.Join(md.Get("user"), ""))
	})
	connect := func(t *testing.T, opts ...TelemetryOption) *grpc.ClientConn {
		tel := NewTelemetry(opts...)
		return serve(t, func(s *grpc.Server) { tel.Registrar(s).RegisterService(&shopDesc, new(shop)) }, nil, tel.DialOptions()...)
	}
	opts := []grpc.CallOption{grpc.CallContentSubtype("routed")}
	one := &orderlite.Order{ID: "1"}
	unary := func(t *testing.T, ctx context.Context, cc *grpc.ClientConn) []string {
		if _, err := stub.Call[orderlite.Order, orderlite.Order](ctx, cc, echoMethod, one, opts); err != nil {
			t.Fatal(err)
		}
		return d.taken()
	}
	talk := func(t *testing.T, ctx context.Context, cc *grpc.ClientConn) []string {
		if got := collect(t, stub.CallBidiStream[orderlite.Order, orderlite.Order](ctx, cc, talkMethod,
			repeat(3, one), opts)); len(got) != 3 {
			t.Fatalf("%d messages", len(got))
		}
		return d.taken()
	}
	t.Run("header", func(t *testing.T) {
		cc := connect(t, choose)
		for value, arm := range map[string]string{canary.HeaderCandidate: "new", canary.HeaderIncumbent: "old"} {
			ctx := metadata.AppendToOutgoingContext(t.Context(), canary.DefaultHeader, value)
			if got, want := unary(t, ctx, cc), slices.Repeat([]string{arm}, 4); !slices.Equal(got, want) {
				t.Errorf("unary, %s: %q, want %q", value, got, want)
			}
			if got, want := talk(t, ctx, cc), slices.Repeat([]string{arm}, 12); !slices.Equal(got, want) {
				t.Errorf("stream, %s: %q, want %q", value, got, want)
			}
		}
	})
	if c.State().Phase == canary.Idle { // the test may run more than once
		if err := c.Start("a test"); err != nil { // half of the requests
			t.Fatal(err)
		}
	}
	t.Run("key", func(t *testing.T) {
		cc := connect(t, choose)
		seen := map[string]int{}
		for _, user := range strings.Split("abcdefghijklmnopqrst", "") {
			got := unary(t, metadata.AppendToOutgoingContext(t.Context(), "user", user), cc)
			arm := map[canary.Arm]string{canary.Incumbent: "old", canary.Candidate: "new"}[c.Choose("", user)]
			if want := slices.Repeat([]string{arm}, 4); !slices.Equal(got, want) {
				t.Errorf("user %s: %q, want %q", user, got, want)
			}
			seen[arm]++
		}
		if len(seen) != 2 {
			t.Errorf("%v of 20 users", seen)
		}
	})
	t.Run("drawn", func(t *testing.T) {
		cc := connect(t)
		for range 40 {
			got := unary(t, t.Context(), cc)
			if len(got) != 4 || got[0] != got[3] || got[1] != got[2] {
				t.Fatalf("arms %q: client and server have changed theirs within a call", got)
			}
			got = talk(t, t.Context(), cc)
			slices.Sort(got)
			if len(got) != 12 || got[0] != got[5] || got[6] != got[11] {
				t.Fatalf("arms %q of a stream: want that of the client six times, and that of the server", got)
			}
		}
	})
}

// seeing is a shop whose handlers note which arm their context has.
type seeing struct {
	shop
	c *canary.Canary
	d *diary
}

func (s *seeing) see(ctx context.Context) {
	a, ok := s.c.FromContext(ctx)
	s.d.note(fmt.Sprint(a, ok))
}

func (s *seeing) Echo(ctx context.Context, o *orderlite.Order) (*orderlite.Order, error) {
	s.see(ctx)
	return o, nil
}

func (s *seeing) List(ctx context.Context, _ *orderlite.Order) iter.Seq2[*orderlite.Order, error] {
	s.see(ctx)
	return func(func(*orderlite.Order, error) bool) {}
}

// TestHandlersHaveCallContext: what is made of a call's context reaches handlers, those of streams
// too, in any codec and without one.
func TestHandlersHaveCallContext(t *testing.T) {
	c := routed
	impl := &seeing{c: c, d: new(diary)}
	tel := NewTelemetry(WithCallContext(func(ctx context.Context, md metadata.MD) context.Context {
		return c.WithRequest(ctx, strings.Join(md.Get(canary.DefaultHeader), ""), "")
	}))
	local := NewLocal()
	tel.Registrar(local).RegisterService(&shopDesc, impl)
	cc := serve(t, func(s *grpc.Server) { tel.Registrar(s).RegisterService(&shopDesc, impl) }, nil)
	ctx := metadata.AppendToOutgoingContext(t.Context(), canary.DefaultHeader, canary.HeaderCandidate)
	want := []string{"candidate true", "candidate true"}
	for _, c := range []struct {
		name, codec string
		cc          grpc.ClientConnInterface
	}{{"a canary", "routed", cc}, {"a codec of this package", "zmy", cc}, {"no connection", "", local}} {
		opts := []grpc.CallOption{grpc.CallContentSubtype(c.codec)}
		if _, err := stub.Call[orderlite.Order, orderlite.Order](ctx, c.cc, echoMethod, order(1), opts); err != nil {
			t.Fatal(err)
		}
		collect(t, stub.CallServerStream[orderlite.Order, orderlite.Order](ctx, c.cc, listMethod, order(1), opts))
		if got := impl.d.taken(); !slices.Equal(got, want) {
			t.Errorf("%s: handlers see %q, want %q", c.name, got, want)
		}
	}
}

// bare is a stream of which there is nothing but its context.
type bare struct {
	grpc.ServerStream
	ctx context.Context
}

func (b bare) Context() context.Context { return b.ctx }

// TestCallContextInAnyCodec: codecs that are measured, gRPC's, those of others, and none that is
// known.
func TestCallContextInAnyCodec(t *testing.T) {
	type made struct{}
	tel := NewTelemetry(WithCallContext(func(ctx context.Context, md metadata.MD) context.Context {
		return context.WithValue(ctx, made{}, md.Get("from")[0])
	}))
	m := tel.method(talkMethod, server)
	for _, name := range []string{"zmy", "routed", "", "proto", "plain", "nobody's"} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs("from", "metadata"))
		ctx = grpc.NewContextWithServerTransportStream(ctx, transport{name})
		var unary, stream any
		_, err := m.unary(func(_ any, ctx context.Context, _ func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			unary = ctx.Value(made{})
			return nil, nil
		})(nil, ctx, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.stream(func(_ any, s grpc.ServerStream) error {
			stream = s.Context().Value(made{})
			return nil
		})(nil, bare{ctx: ctx}); err != nil {
			t.Fatal(err)
		}
		if unary != "metadata" || stream != "metadata" {
			t.Errorf("codec %q: a unary handler sees %v, one of streams %v", name, unary, stream)
		}
	}
}
