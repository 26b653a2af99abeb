package grpcx

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// foreign is a codec that the client has and the server does not know.
type foreign struct{ encoding.CodecV2 }

func (foreign) Name() string                             { return "foreign" }
func (foreign) Marshal(any) (mem.BufferSlice, error)     { return nil, nil }
func (foreign) Unmarshal(_ mem.BufferSlice, _ any) error { return nil }

// TestGate shows what the gate is for: without it a handler of protobuf messages runs, with
// an empty message, for a call in a codec that the server does not have.
func TestGate(t *testing.T) {
	for _, c := range []struct {
		name   string
		gate   bool
		codec  encoding.CodecV2
		method string
		want   codes.Code
		calls  int64
	}{
		{"without a gate, unknown", false, foreign{}, protoMethod, codes.OK, 1},
		{"unknown", true, foreign{}, protoMethod, codes.Unimplemented, 0},
		{"registered, but not served here", true, vtCodec, protoMethod, codes.Unimplemented, 0},
		{"served", true, zmyCodec, echoMethod, codes.OK, 1},
		{"served too", true, jsonCodec, echoMethod, codes.OK, 1},
		{"proto", true, encoding.GetCodecV2("proto"), protoMethod, codes.OK, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			impl := new(shop)
			var opts []grpc.ServerOption
			if c.gate {
				opts = append(opts, grpc.InTapHandle(Gate("ZMY", "json"))) // as somebody may have named it to WithName
			}
			cc := serve(t, func(s *grpc.Server) {
				s.RegisterService(&shopDesc, impl)
				registerProto(s, impl)
			}, opts)
			var in, out any = order(1), new(orderlite.Order)
			if c.method == protoMethod {
				in, out = wrapperspb.String("x"), new(wrapperspb.StringValue)
			}
			err := cc.Invoke(t.Context(), c.method, in, out, grpc.ForceCodecV2(c.codec))
			if got := status.Code(err); got != c.want {
				t.Errorf("code %v, want %v: %v", got, c.want, err)
			}
			if n := impl.calls.Load(); n != c.calls {
				t.Errorf("the handler ran %d times, want %d", n, c.calls)
			}
			if c.want == codes.Unimplemented && !strings.Contains(err.Error(), "json, proto, zmy") &&
				!strings.Contains(err.Error(), "json,proto,zmy") {
				t.Errorf("the error does not say what there is: %v", err)
			}
		})
	}
}

// TestCapabilities: who asks is told, once, by methods that are measured and by others behind
// Gated.
func TestCapabilities(t *testing.T) {
	measured := func(s *grpc.Server) grpc.ServiceRegistrar { return NewTelemetry().Registrar(s) }
	plain := func(s *grpc.Server) grpc.ServiceRegistrar { return s }
	for _, c := range []struct {
		name   string
		server []grpc.ServerOption
		on     func(*grpc.Server) grpc.ServiceRegistrar
		want   string
	}{
		{"gate, measured", []grpc.ServerOption{grpc.InTapHandle(Gate("zmy", "json"))}, measured, "json,proto,zmy"},
		{"gate alone", []grpc.ServerOption{grpc.InTapHandle(Gate("zmy", "json"))}, plain, ""},
		{"gated", Gated("zmy", "json"), plain, "json,proto,zmy"},
		{"gated, measured", Gated("ZMY", "json"), measured, "json,proto,zmy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cc := serve(t, func(s *grpc.Server) { c.on(s).RegisterService(&shopDesc, new(shop)) }, c.server)
			for _, ask := range []bool{true, false} {
				ctx, want := t.Context(), ""
				if ask {
					ctx, want = metadata.AppendToOutgoingContext(ctx, CodecsHeader, "?"), c.want
				}
				var header metadata.MD
				if err := cc.Invoke(ctx, echoMethod, order(1), new(orderlite.Order), subtype(zmyCodec), grpc.Header(&header)); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(header.Get(CodecsHeader), ";"); got != want {
					t.Errorf("unary, asked %t: %q, want %q", ask, got, want)
				}
				s, err := cc.NewStream(ctx, &shopDesc.Streams[2], talkMethod, subtype(zmyCodec))
				if err != nil {
					t.Fatal(err)
				}
				if err := s.CloseSend(); err != nil {
					t.Fatal(err)
				}
				if header, err = s.Header(); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(header.Get(CodecsHeader), ";"); got != want {
					t.Errorf("stream, asked %t: %q, want %q", ask, got, want)
				}
				if err := s.RecvMsg(new(orderlite.Order)); !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestUnsaid: a server that does not say what it has keeps a degrader from its work, which is said
// once, loudly.
func TestUnsaid(t *testing.T) {
	for _, c := range []struct {
		name   string
		server []grpc.ServerOption
		opts   []DegraderOption
		want   int
	}{
		{"gate without a registrar", []grpc.ServerOption{grpc.InTapHandle(Gate("fragile", "json"))}, nil, 1},
		{"no gate", nil, nil, 1},
		{"gated", Gated("fragile", "json"), nil, 0},
		{"known", nil, []DegraderOption{WithFallbackServed()}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken.Store(sound)
			d, err := NewDegrader(fragileCodec, jsonCodec, degrade.Config{}, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			tel := NewTelemetry(WithDegrader(d), WithSlow(0), WithLogger(slog.New(slog.NewTextHandler(&text, nil))))
			cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, new(shop)) }, c.server, tel.DialOptions()...)
			for range 3 {
				d.askNext.Store(0) // it asks each time
				if _, err := echo(cc); err != nil {
					t.Fatal(err)
				}
			}
			if n := strings.Count(text.String(), "does not say which codecs it has"); n != c.want || n > 0 &&
				!strings.Contains(text.String(), "level=WARN") {
				t.Errorf("%d lines, want %d: %s", n, c.want, &text)
			}
		})
	}
}

func TestContentSubtype(t *testing.T) {
	for contentType, want := range map[string]string{
		"application/grpc":                    "",
		"application/grpc+zmy":                "zmy",
		"Application/gRPC+ZMY":                "zmy",
		"application/grpc;zmy":                "zmy",
		"application/grpc;charset=utf-8":      "",
		"application/grpc+zmy; charset=utf-8": "zmy; charset=utf-8", // gRPC takes this for the name
		"text/html":                           "",
		"":                                    "",
	} {
		if got := contentSubtype(contentType); got != want {
			t.Errorf("%q: %q, want %q", contentType, got, want)
		}
	}
}
