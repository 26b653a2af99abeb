package grpcx

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/internal/cputime"
)

// nothing is a codec that does nothing, so that what is measured is the measuring.
type nothing struct{}

func (nothing) Name() string                                  { return "nothing" }
func (nothing) Marshal(any) ([]byte, error)                   { return nil, nil }
func (nothing) Unmarshal([]byte, any) error                   { return nil }
func (nothing) AppendMarshal(b []byte, _ any) ([]byte, error) { return b, nil }

type empties struct{ A, B int }

// transport is the part of gRPC's transport that tells a call's codec.
type transport struct{ subtype string }

func (t transport) Method() string             { return echoMethod }
func (t transport) ContentSubtype() string     { return t.subtype }
func (transport) SetHeader(metadata.MD) error  { return nil }
func (transport) SendHeader(metadata.MD) error { return nil }
func (transport) SetTrailer(metadata.MD) error { return nil }

// unaryCall is one unary call on one side, without a network.
type unaryCall func()

// clientSide calls through a client's interceptor, or without one.
func clientSide(c encoding.CodecV2, tel *Telemetry) unaryCall {
	ctx, req, reply := context.Background(), &empties{1, 2}, new(empties)
	opts := []grpc.CallOption{subtype(c)}
	none := mem.BufferSlice{mem.SliceBuffer(nil)}
	invoke := func(_ context.Context, _ string, req, reply any, _ *grpc.ClientConn, opts ...grpc.CallOption) error {
		chosen := c
		for _, o := range opts {
			if f, ok := o.(grpc.ForceCodecV2CallOption); ok {
				chosen = f.CodecV2
			}
		}
		if _, err := chosen.Marshal(req); err != nil {
			return err
		}
		return chosen.Unmarshal(none, reply)
	}
	if tel == nil {
		return func() { _ = invoke(ctx, echoMethod, req, reply, nil, opts...) }
	}
	i := tel.UnaryClientInterceptor()
	return func() {
		if err := i(ctx, echoMethod, req, reply, nil, invoke, opts...); err != nil {
			panic(err)
		}
	}
}

// serverSide calls a method's handler as gRPC does, measured or not.
func serverSide(c encoding.CodecV2, tel *Telemetry) unaryCall {
	ctx := grpc.NewContextWithServerTransportStream(context.Background(), transport{c.Name()})
	reply := new(empties)
	h := stub.Unary("test.Shop", "Echo", func(_ any, _ context.Context, _ *empties) (*empties, error) { return reply, nil }).Handler
	if tel != nil {
		h = tel.method(echoMethod, server).unary(h)
	}
	none := mem.BufferSlice{mem.SliceBuffer(nil)}
	dec := func(v any) error { return c.Unmarshal(none, v) }
	return func() {
		out, err := h("impl", ctx, dec, nil)
		if err == nil {
			_, err = c.Marshal(out)
		}
		if err != nil {
			panic(err)
		}
	}
}

func overheadCases(t testing.TB) map[string][2]unaryCall {
	c := nothingCodec
	d, err := NewDegrader(c, jsonCodec, degrade.Config{}, WithFallbackServed())
	if err != nil {
		t.Fatal(err)
	}
	full := func(o ...TelemetryOption) *Telemetry {
		return NewTelemetry(append(o, WithMetrics(new(Metrics)), WithPprofLabels())...)
	}
	return map[string][2]unaryCall{
		"client":           {clientSide(c, nil), clientSide(c, full())},
		"client, degrader": {clientSide(c, nil), clientSide(c, full(WithDegrader(d)))},
		"server":           {serverSide(c, nil), serverSide(c, full())},
	}
}

var nothingCodec = Codec(nothing{})

// TestOverheadAllocations: measuring a unary call allocates nothing.
func TestOverheadAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("pools forget under the race detector")
	}
	for name, pair := range overheadCases(t) {
		plain, measured := testing.AllocsPerRun(1000, pair[0]), testing.AllocsPerRun(1000, pair[1])
		// The degrader repeats one call in a hundred in the fallback.
		if measured > plain {
			t.Errorf("%s: %v allocations with measuring, %v without", name, measured, plain)
		}
	}
}

// BenchmarkOverhead is what measuring adds to a unary call, per side: the difference between
// measured and plain. The goal is at most 400 ns.
func BenchmarkOverhead(b *testing.B) {
	for name, pair := range overheadCases(b) {
		for i, kind := range []string{"plain", "measured"} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				defer cputime.Report(b)()
				for b.Loop() {
					pair[i]()
				}
			})
		}
	}
}
