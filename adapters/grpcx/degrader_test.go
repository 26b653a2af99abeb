package grpcx

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// fragile is ZMY that fails on command.
type fragile struct{ codec.ZMY }

// What breaks.
const (
	sound int32 = iota
	requestMarshal
	requestUnmarshal // on the server
	replyMarshal     // on the server
	replyUnmarshal
)

var (
	broken       atomic.Int32
	fragileCodec = Codec(fragile{})
	errBroken    = errors.New("broken")
)

func (fragile) Name() string { return "fragile" }

func (f fragile) AppendMarshal(b []byte, v any) ([]byte, error) {
	if m := broken.Load(); m == requestMarshal && id(v) == "request" || m == replyMarshal && id(v) == "reply" {
		return b, errBroken
	}
	return f.ZMY.AppendMarshal(b, v)
}

func (f fragile) Unmarshal(b []byte, v any) error {
	if err := f.ZMY.Unmarshal(b, v); err != nil {
		return err
	}
	if m := broken.Load(); m == requestUnmarshal && id(v) == "request" || m == replyUnmarshal && id(v) == "reply" {
		return errBroken
	}
	return nil
}

func id(v any) string { return v.(*orderlite.Order).ID }

// asked is a service whose replies can be told from its requests.
type asked struct{ shop }

func (s *asked) Echo(_ context.Context, o *orderlite.Order) (*orderlite.Order, error) {
	s.calls.Add(1)
	return &orderlite.Order{ID: "reply", Items: o.Items}, nil
}

// degrading returns a client of a measured server that has the codecs served.
func degrading(t *testing.T, c degrade.Config, served []string, opts ...DegraderOption) (*grpc.ClientConn, *Degrader, *asked, *Metrics) {
	t.Helper()
	broken.Store(sound)
	d, err := NewDegrader(fragileCodec, jsonCodec, c, opts...)
	if err != nil {
		t.Fatal(err)
	}
	impl, m := new(asked), new(Metrics)
	tel := NewTelemetry(WithDegrader(d), WithMetrics(m))
	cc := serve(t, func(s *grpc.Server) { tel.Registrar(s).RegisterService(&shopDesc, impl) },
		[]grpc.ServerOption{grpc.InTapHandle(Gate(served...))}, tel.DialOptions()...)
	return cc, d, impl, m
}

func echo(cc grpc.ClientConnInterface) (*orderlite.Order, error) {
	return stub.Call[orderlite.Order, orderlite.Order](context.Background(), cc, echoMethod,
		&orderlite.Order{ID: "request"}, []grpc.CallOption{subtype(fragileCodec)})
}

// TestRetry: what has been sent is sent again only where that is safe.
func TestRetry(t *testing.T) {
	never := func(string) bool { return false }
	always := func(string) bool { return true }
	for _, c := range []struct {
		name       string
		broken     int32
		idempotent func(string) bool
		served     []string
		ok         bool
		calls      int64 // of the handler
	}{
		{"sound", sound, never, []string{"fragile", "json"}, true, 1},
		{"nothing sent", requestMarshal, never, []string{"fragile", "json"}, true, 1},
		{"handler has not run", requestUnmarshal, never, []string{"fragile", "json"}, true, 1},
		{"handler has run", replyUnmarshal, never, []string{"fragile", "json"}, false, 1},
		{"handler has run, twice does no harm", replyUnmarshal, always, []string{"fragile", "json"}, true, 2},
		{"no reply", replyMarshal, always, []string{"fragile", "json"}, false, 1},
		{"the server lacks the fallback", requestUnmarshal, always, []string{"fragile"}, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cc, d, impl, _ := degrading(t, degrade.Config{}, c.served, WithIdempotent(c.idempotent))
			if _, err := echo(cc); err != nil { // learns what the server has
				t.Fatal(err)
			}
			impl.calls.Store(0)
			broken.Store(c.broken)
			out, err := echo(cc)
			if (err == nil) != c.ok || c.ok && out.ID != "reply" {
				t.Errorf("reply %v, error %v", out, err)
			}
			if n := impl.calls.Load(); n != c.calls {
				t.Errorf("the handler ran %d times, want %d", n, c.calls)
			}
			if s, share := d.State(); s != degrade.Primary || share != 1 {
				t.Errorf("state %v, %v", s, share)
			}
		})
	}
}

// TestLeaves: with the rule for failures alone, by a clock that counts, calls leave the primary,
// those of streams too.
func TestLeaves(t *testing.T) {
	for _, c := range []struct {
		name   string
		served []string
		want   degrade.State
	}{
		{"served", []string{"fragile", "json"}, degrade.Fallback},
		{"not served", []string{"fragile"}, degrade.Primary},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := make(chan degrade.Event, 100)
			var now atomic.Int64
			cc, d, _, m := degrading(t, degrade.Config{ErrorsOnly: 0.5, MinSamples: 20,
				Now: func() time.Time { return time.Unix(0, now.Load()) }, OnEvent: func(e degrade.Event) { events <- e }}, c.served)
			if _, err := echo(cc); err != nil {
				t.Fatal(err)
			}
			broken.Store(replyUnmarshal)
			var last degrade.Event
			for range 40 { // it has decided one way or the other before, in 40 of the 60 seconds of its window
				if last.Cause != "" {
					break
				}
				now.Add(int64(time.Second))
				_, err := echo(cc)
				select {
				case last = <-events:
				default:
					if err == nil {
						t.Fatal("a reply that cannot be read is no error")
					}
				}
			}
			if s, _ := d.State(); s != c.want || last.To != c.want {
				t.Fatalf("state %v after %v, want %v", s, last, c.want)
			}
			if c.want == degrade.Primary {
				return
			}
			before := inJSON(m)[echoMethod] // the call that has found out may have been one
			if out, err := echo(cc); err != nil || out.ID != "reply" {
				t.Errorf("in the fallback: %v, %v", out, err)
			}
			if got := collect(t, stub.CallServerStream[orderlite.Order, orderlite.Order](t.Context(), cc,
				listMethod, order(1), []grpc.CallOption{subtype(fragileCodec)})); len(got) != 3 {
				t.Errorf("stream in the fallback: %d", len(got))
			}
			if n := inJSON(m); n[echoMethod] != before+2 || n[listMethod] != 4 {
				t.Errorf("messages in JSON: %v, %d before", n, before)
			}
		})
	}
}

// inJSON counts the messages that the client has sent or received in JSON, by method.
func inJSON(m *Metrics) map[string]uint64 {
	out := map[string]uint64{}
	for _, s := range m.Snapshot() {
		if s.Codec == "json" && !s.Server {
			out[s.Method] += s.Count
		}
	}
	return out
}

// TestOthersAreLeftAlone: calls in other codecs than the primary do not pass through it.
func TestOthersAreLeftAlone(t *testing.T) {
	cc, _, impl, _ := degrading(t, degrade.Config{}, []string{"fragile", "json", "zmy"})
	broken.Store(requestMarshal)
	if _, err := stub.Call[orderlite.Order, orderlite.Order](t.Context(), cc, echoMethod, order(1),
		[]grpc.CallOption{subtype(zmyCodec)}); err != nil || impl.calls.Load() != 1 {
		t.Error(err)
	}
	broken.Store(sound)
	if err := cc.Invoke(t.Context(), "/test.Shop/None", order(1), new(orderlite.Order),
		subtype(fragileCodec)); status.Code(err) != codes.Unimplemented {
		t.Errorf("a method that is not there: %v", err)
	}
}

func TestNewDegrader(t *testing.T) {
	if _, err := NewDegrader(zmyCodec, zmyCodec, degrade.Config{}); err == nil {
		t.Error("one codec for both")
	}
	if _, err := NewDegrader(zmyCodec, jsonCodec, degrade.Config{Hold: time.Second}); err == nil {
		t.Error("a hold of a second")
	}
}

// holding is a service of held messages that lets go of what it was given, as handlers should.
type holding struct{}

func (holding) Echo(_ context.Context, in *Held[orderlite.Order]) (*Held[orderlite.Order], error) {
	defer in.Release()
	return &Held[orderlite.Order]{V: zmy.Clone(in.V)}, nil
}

func (holding) Pass(_ context.Context, in *Raw) (*Raw, error) {
	defer in.Release()
	return NewRaw(bytes.Clone(in.Bytes())), nil
}

// Same answers with what it was given, which is then the caller's to release, as the request is.
func (holding) Same(_ context.Context, in *Raw) (*Raw, error) { return in, nil }

// TestLocalHeld: handler and caller each hold a buffer that they share, and each lets go of it.
func TestLocalHeld(t *testing.T) {
	p := newCountingPool()
	c := Codec(codec.ZMY{}, WithPool(p))
	out, err := c.Marshal(order(60))
	if err != nil {
		t.Fatal(err)
	}
	message := out.Materialize()
	out.Free()
	local := NewLocal()
	local.RegisterService(&grpc.ServiceDesc{ServiceName: "test.Holding", Methods: []grpc.MethodDesc{
		stub.Unary("test.Holding", "Echo", holding.Echo), stub.Unary("test.Holding", "Pass", holding.Pass),
		stub.Unary("test.Holding", "Same", holding.Same),
	}}, holding{})

	t.Run("Held", func(t *testing.T) {
		var in, reply Held[orderlite.Order]
		for _, h := range []*Held[orderlite.Order]{&in, &reply} { // a reply that is used again holds something, too
			if err := c.Unmarshal(cut(message, 2), h); err != nil {
				t.Fatal(err)
			}
		}
		if err := local.Invoke(t.Context(), "/test.Holding/Echo", &in, &reply); err != nil {
			t.Fatal(err)
		}
		if n := p.outside(); n != 1 {
			t.Errorf("%d buffers are held, want that of the request alone", n)
		}
		if want := order(60); !reflect.DeepEqual(in.V.Items, want.Items) || !reflect.DeepEqual(reply.V.Items, want.Items) {
			t.Error("another message")
		}
		in.Release()
		reply.Release()
		p.balanced(t)
	})
	t.Run("Raw", func(t *testing.T) {
		var in, reply Raw
		if err := c.Unmarshal(cut(message, 2), &in); err != nil {
			t.Fatal(err)
		}
		if err := local.Invoke(t.Context(), "/test.Holding/Pass", &in, &reply); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(in.Bytes(), message) || !bytes.Equal(reply.Bytes(), message) {
			t.Error("other bytes")
		}
		in.Release()
		reply.Release()
		p.balanced(t)
	})
	t.Run("request for reply", func(t *testing.T) {
		var in, reply Raw
		if err := c.Unmarshal(cut(message, 2), &in); err != nil {
			t.Fatal(err)
		}
		if err := local.Invoke(t.Context(), "/test.Holding/Same", &in, &reply); err != nil {
			t.Fatal(err)
		}
		in.Release()
		if !bytes.Equal(reply.Bytes(), message) {
			t.Error("other bytes after the request has gone")
		}
		reply.Release()
	})
}

func TestLocal(t *testing.T) {
	local := NewLocal(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		out, err := h(ctx, req)
		if err == nil {
			out.(*orderlite.Order).Metadata = map[string]string{"by": info.FullMethod}
		}
		return out, err
	})
	impl := new(asked)
	local.RegisterService(&shopDesc, impl)
	in := order(1)
	out, err := stub.Call[orderlite.Order, orderlite.Order](t.Context(), local, echoMethod, in, nil)
	if err != nil || out.ID != "reply" || len(out.Items) != len(in.Items) || out.Metadata["by"] != echoMethod || in.ID == "reply" {
		t.Errorf("%+v, %v", out, err)
	}
	for _, c := range []struct {
		method    string
		in, reply any
		want      codes.Code
	}{
		{"/test.Shop/None", in, new(orderlite.Order), codes.Unimplemented},
		{echoMethod, &orderlite.Item{}, new(orderlite.Order), codes.Internal},
		{echoMethod, nil, new(orderlite.Order), codes.Internal},
		{echoMethod, in, new(orderlite.Item), codes.Internal},
	} {
		if err := local.Invoke(t.Context(), c.method, c.in, c.reply); status.Code(err) != c.want {
			t.Errorf("%s(%T) %T: %v, want %v", c.method, c.in, c.reply, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := local.Invoke(ctx, echoMethod, in, new(orderlite.Order)); status.Code(err) != codes.Canceled {
		t.Error(err)
	}
}
