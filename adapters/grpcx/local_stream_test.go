package grpcx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// script is a handler of streams and a caller of it, who writes down what happens.
type script struct {
	name    string
	desc    grpc.StreamDesc // kinds alone
	handler func(s grpc.ServerStream) error
	caller  func(ctx context.Context, s grpc.ClientStream, say func(...any))
}

func named(id string) *orderlite.Order { return &orderlite.Order{ID: id} }

// take says what RecvMsg returns, until it fails.
func take(s grpc.ClientStream, say func(...any)) {
	for {
		var o orderlite.Order
		if err := s.RecvMsg(&o); err != nil {
			say("end", err == io.EOF, status.Code(err), status.Convert(err).Message())
			return
		}
		say(o.ID)
	}
}

// answerAll answers each request until the last.
func answerAll(s grpc.ServerStream) error {
	for {
		var o orderlite.Order
		switch err := s.RecvMsg(&o); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		o.ID = "re: " + o.ID
		if err := s.SendMsg(&o); err != nil {
			return err
		}
		o.ID = "used again"
	}
}

var both, down, up = grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, grpc.StreamDesc{ServerStreams: true},
	grpc.StreamDesc{ClientStreams: true}

var scripts = []script{
	{"both ways", both, answerAll, func(_ context.Context, s grpc.ClientStream, say func(...any)) {
		o := named("")
		for i := range 20 { // none is received meanwhile
			o.ID = fmt.Sprint(i) // sent messages are copies
			say(s.SendMsg(o))
		}
		say(s.CloseSend())
		take(s, say)
		say(s.SendMsg(o) != nil)
	}},
	{"responses", down, func(s grpc.ServerStream) error {
		var o orderlite.Order
		if err := s.RecvMsg(&o); err != nil {
			return err
		}
		if err := s.RecvMsg(&o); err != io.EOF {
			return errors.New("no end of requests")
		}
		for i := range 200 { // more than wait
			if err := s.SendMsg(named(fmt.Sprint(o.ID, i))); err != nil {
				return err
			}
		}
		return status.Error(codes.DataLoss, "and no more")
	}, func(_ context.Context, s grpc.ClientStream, say func(...any)) {
		say(s.SendMsg(named("n")), s.CloseSend())
		take(s, say)
		take(s, say)
	}},
	{"requests", up, func(s grpc.ServerStream) error {
		n := 0
		for ; ; n++ {
			if err := s.RecvMsg(new(orderlite.Order)); err == io.EOF {
				return s.SendMsg(named(fmt.Sprint(n)))
			} else if err != nil {
				return err
			}
		}
	}, func(_ context.Context, s grpc.ClientStream, say func(...any)) {
		for range 100 {
			say(s.SendMsg(named("x")))
		}
		say(s.CloseSend())
		take(s, say)
	}},
	{"a response and an error", up, func(s grpc.ServerStream) error {
		if err := s.SendMsg(named("too early")); err != nil {
			return err
		}
		return status.Error(codes.Aborted, "no")
	}, func(_ context.Context, s grpc.ClientStream, say func(...any)) {
		say(s.CloseSend())
		take(s, say)
	}},
	{"no handler that listens", both, func(grpc.ServerStream) error { return status.Error(codes.NotFound, "nothing here") },
		func(_ context.Context, s grpc.ClientStream, say func(...any)) {
			for {
				if err := s.SendMsg(named("x")); err != nil { // some may be taken before
					say(err == io.EOF)
					break
				}
			}
			take(s, say)
		}},
	{"cancelled", both, func(s grpc.ServerStream) error {
		if err := s.SendMsg(named("hello")); err != nil {
			return err
		}
		return s.RecvMsg(new(orderlite.Order))
	}, func(ctx context.Context, s grpc.ClientStream, say func(...any)) {
		var o orderlite.Order
		say(s.RecvMsg(&o), o.ID)
		ctx.Value(cancelKey{}).(context.CancelFunc)()
		err := s.RecvMsg(&o)
		say(status.Code(err))
	}},
	{"errors of contexts", down, func(grpc.ServerStream) error { return context.DeadlineExceeded },
		func(_ context.Context, s grpc.ClientStream, say func(...any)) { take(s, say) }},
	{"errors around a status", down, func(grpc.ServerStream) error { return fmt.Errorf("shop: %w", status.Error(codes.NotFound, "no")) },
		func(_ context.Context, s grpc.ClientStream, say func(...any)) {
			err := s.RecvMsg(new(orderlite.Order))
			say(err, status.Code(err))
		}},
	{"errors without a status", down, func(grpc.ServerStream) error { return errors.New("plain") },
		func(_ context.Context, s grpc.ClientStream, say func(...any)) { take(s, say) }},
	{"metadata", down, func(s grpc.ServerStream) error {
		md, _ := metadata.FromIncomingContext(s.Context())
		if out, ok := metadata.FromOutgoingContext(s.Context()); ok && len(out) > 0 {
			return errors.New("what came in goes on")
		}
		if err := errors.Join(s.SetHeader(metadata.Pairs("a", "1")), grpc.SetHeader(s.Context(), metadata.Pairs("b", md["asked"][0])),
			s.SendHeader(metadata.Pairs("c", "3"))); err != nil {
			return err
		}
		if s.SetHeader(metadata.Pairs("d", "4")) == nil {
			return errors.New("a header after the header")
		}
		s.SetTrailer(metadata.Pairs("e", "5"))
		return grpc.SetTrailer(s.Context(), metadata.Pairs("f", "6"))
	}, func(_ context.Context, s grpc.ClientStream, say func(...any)) {
		h, err := s.Header()
		say(h["a"], h["b"], h["c"], h["d"], err)
		take(s, say)
		t := s.Trailer()
		say(t["e"], t["f"])
	}},
}

type cancelKey struct{}

// run plays the caller's part over a connection.
func (c script) run(t *testing.T, cc grpc.ClientConnInterface) []string {
	ctx, cancel := context.WithCancel(metadata.AppendToOutgoingContext(t.Context(), "asked", "2"))
	defer cancel()
	ctx = context.WithValue(ctx, cancelKey{}, cancel)
	s, err := cc.NewStream(ctx, &c.desc, "/test.Scripts/"+strings.ReplaceAll(c.name, " ", "_"), grpc.CallContentSubtype("zmy"))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	c.caller(ctx, s, func(what ...any) { said = append(said, fmt.Sprintln(what...)) })
	return said
}

// TestLocalStreams plays the scripts over a connection and without one: nobody can tell the
// difference.
func TestLocalStreams(t *testing.T) {
	desc := grpc.ServiceDesc{ServiceName: "test.Scripts", HandlerType: (*any)(nil)}
	var passed []string
	for _, c := range scripts {
		d := c.desc
		d.StreamName = strings.ReplaceAll(c.name, " ", "_")
		d.Handler = func(_ any, s grpc.ServerStream) error { return c.handler(s) }
		desc.Streams = append(desc.Streams, d)
	}
	local := NewLocal()
	local.InterceptStreams(func(srv any, s grpc.ServerStream, info *grpc.StreamServerInfo, h grpc.StreamHandler) error {
		passed = append(passed, info.FullMethod)
		return h(srv, s)
	})
	local.RegisterService(&desc, "impl")
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&desc, "impl") }, nil)
	for _, c := range scripts {
		t.Run(c.name, func(t *testing.T) {
			want, got := c.run(t, cc), c.run(t, local)
			if !slices.Equal(got, want) {
				t.Errorf("without a connection\n%v\nover one\n%v", got, want)
			}
		})
	}
	if len(passed) != len(scripts) {
		t.Errorf("the interceptor has seen %q", passed)
	}
}

// TestLocalStreamRefuses what only a caller without a connection can do wrong.
func TestLocalStreamRefuses(t *testing.T) {
	local := NewLocal()
	local.RegisterService(&grpc.ServiceDesc{ServiceName: "test.Odd", Streams: []grpc.StreamDesc{
		{StreamName: "Echo", Handler: func(_ any, s grpc.ServerStream) error { return answerAll(s) }},
		{StreamName: "Twice", Handler: func(_ any, s grpc.ServerStream) error {
			return errors.Join(s.SendMsg(named("1")), s.SendMsg(named("2")))
		}},
		{StreamName: "Never", Handler: func(any, grpc.ServerStream) error { return nil }},
	}}, nil)
	open := func(name string, desc *grpc.StreamDesc) grpc.ClientStream {
		t.Helper()
		s, err := local.NewStream(t.Context(), desc, "/test.Odd/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if _, err := local.NewStream(t.Context(), &both, "/test.Odd/None"); status.Code(err) != codes.Unimplemented {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := local.NewStream(ctx, &both, "/test.Odd/Echo"); status.Code(err) != codes.Canceled {
		t.Error(err)
	}
	for _, name := range []string{"Twice", "Never"} {
		if err := open(name, &up).RecvMsg(new(orderlite.Order)); status.Code(err) != codes.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := open("Echo", &both)
	if err := s.SendMsg(7); status.Code(err) != codes.Internal {
		t.Errorf("a number is sent: %v", err)
	}
	if err := errors.Join(s.SendMsg(named("x")), s.CloseSend(), s.CloseSend()); err != nil {
		t.Error(err)
	}
	if err := s.SendMsg(named("x")); status.Code(err) != codes.Internal {
		t.Errorf("after CloseSend: %v", err)
	}
	if err := s.RecvMsg(new(orderlite.Item)); status.Code(err) != codes.Internal {
		t.Errorf("into another type: %v", err)
	}
}

// TestLocalStreamHeld: every message that is sent, received or given up holds a reference of its
// own to its buffer.
func TestLocalStreamHeld(t *testing.T) {
	p := newCountingPool()
	c := Codec(codec.ZMY{}, WithPool(p))
	out, err := c.Marshal(order(60))
	if err != nil {
		t.Fatal(err)
	}
	message := out.Materialize()
	out.Free()
	local := NewLocal()
	local.RegisterService(&grpc.ServiceDesc{ServiceName: "test.Raw",
		Streams: []grpc.StreamDesc{{StreamName: "Echo", Handler: func(_ any, s grpc.ServerStream) error {
			for {
				var m Raw
				if err := s.RecvMsg(&m); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
				err := s.SendMsg(&m)
				m.Release()
				if err != nil {
					return err
				}
			}
		}}}}, nil)
	s, err := local.NewStream(t.Context(), &both, "/test.Raw/Echo")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		var in Raw
		if err := c.Unmarshal(cut(message, 2), &in); err != nil {
			t.Fatal(err)
		}
		if err := s.SendMsg(&in); err != nil {
			t.Fatal(err)
		}
		in.Release()
	}
	if err := s.CloseSend(); err != nil {
		t.Fatal(err)
	}
	var m Raw
	for range 10 {
		if err := s.RecvMsg(&m); err != nil || string(m.Bytes()) != string(message) {
			t.Fatalf("%v, %d bytes", err, len(m.Bytes()))
		}
	}
	if err := s.RecvMsg(&m); err != io.EOF {
		t.Error(err)
	}
	m.Release()
	p.balanced(t)
}

// TestLocalInside: a handler that calls another service of its process is not taken for a call of
// its own connection.
func TestLocalInside(t *testing.T) {
	tel := NewTelemetry(WithMetrics(new(Metrics)))
	local := NewLocal()
	tel.Registrar(local).RegisterService(&shopDesc, new(asked))
	cc := serve(t, func(s *grpc.Server) {
		s.RegisterService(&grpc.ServiceDesc{ServiceName: "test.Front", HandlerType: (*any)(nil),
			Methods: []grpc.MethodDesc{{MethodName: "Call",
				Handler: func(_ any, ctx context.Context, dec func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
					in, out := new(orderlite.Order), new(orderlite.Order)
					if err := dec(in); err != nil {
						return nil, err
					}
					return out, local.Invoke(ctx, echoMethod, in, out)
				}}}}, "impl")
	}, nil)
	var out orderlite.Order
	if err := cc.Invoke(t.Context(), "/test.Front/Call", order(1), &out, grpc.CallContentSubtype("zmy")); err != nil || out.ID != "reply" {
		t.Errorf("%q, %v", out.ID, err)
	}
}

// TestLocalProto: protobuf messages are deep copies.
func TestLocalProto(t *testing.T) {
	local := NewLocal()
	local.RegisterService(&grpc.ServiceDesc{ServiceName: "test.Proto",
		Streams: []grpc.StreamDesc{{StreamName: "Echo", Handler: func(_ any, s grpc.ServerStream) error {
			m := new(wrapperspb.BytesValue)
			if err := s.RecvMsg(m); err != nil {
				return err
			}
			m.Value[0]++
			return s.SendMsg(m)
		}}}}, nil)
	s, err := local.NewStream(t.Context(), &both, "/test.Proto/Echo")
	if err != nil {
		t.Fatal(err)
	}
	in, out := wrapperspb.Bytes([]byte{1}), new(wrapperspb.BytesValue)
	if err := errors.Join(s.SendMsg(in), s.RecvMsg(out)); err != nil || in.Value[0] != 1 || out.Value[0] != 2 {
		t.Errorf("%v, %v, %v", in, out, err)
	}
	if err := s.RecvMsg(out); err != io.EOF {
		t.Error(err)
	}
}
