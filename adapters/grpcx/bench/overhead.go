package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/internal/cputime"
)

// nothing is a codec that does nothing, so that what is measured is the measuring.
type nothing struct{ name string }

func (n nothing) Name() string                                { return n.name }
func (nothing) Marshal(any) ([]byte, error)                   { return nil, nil }
func (nothing) Unmarshal([]byte, any) error                   { return nil }
func (nothing) AppendMarshal(b []byte, _ any) ([]byte, error) { return b, nil }

type empty struct{ A, B int }

// transport is the part of gRPC's transport that tells a call's codec.
type transport struct{}

func (transport) Method() string               { return "/bench.Echo/Empty" }
func (transport) ContentSubtype() string       { return "nothing" }
func (transport) SetHeader(metadata.MD) error  { return nil }
func (transport) SendHeader(metadata.MD) error { return nil }
func (transport) SetTrailer(metadata.MD) error { return nil }

// captured is a registrar that keeps the handlers.
type captured struct{ desc *grpc.ServiceDesc }

func (c *captured) RegisterService(d *grpc.ServiceDesc, _ any) { c.desc = d }

var (
	nothings = grpcx.Codec(nothing{"nothing"})
	other    = grpcx.Codec(nothing{"other"})
	noBytes  = mem.BufferSlice{mem.SliceBuffer(nil)}
)

// clientSide is a unary call on the client without a network.
func clientSide(tel *grpcx.Telemetry) func() {
	ctx, req, reply := context.Background(), new(empty), new(empty)
	opts := []grpc.CallOption{grpc.CallContentSubtype("nothing")}
	invoke := func(_ context.Context, _ string, req, reply any, _ *grpc.ClientConn, opts ...grpc.CallOption) error {
		c := nothings
		for _, o := range opts {
			if f, ok := o.(grpc.ForceCodecV2CallOption); ok {
				c = f.CodecV2
			}
		}
		if _, err := c.Marshal(req); err != nil {
			return err
		}
		return c.Unmarshal(noBytes, reply)
	}
	if tel == nil {
		return func() { _ = invoke(ctx, "/bench.Echo/Empty", req, reply, nil, opts...) }
	}
	i := tel.UnaryClientInterceptor()
	return func() { _ = i(ctx, "/bench.Echo/Empty", req, reply, nil, invoke, opts...) }
}

// serverSide is a unary call on the server without a network.
func serverSide(tel *grpcx.Telemetry) func() {
	ctx := grpc.NewContextWithServerTransportStream(context.Background(), transport{})
	reply := new(empty)
	d := &grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{
		stub.Unary(service, "Empty", func(_ any, _ context.Context, _ *empty) (*empty, error) { return reply, nil })}}
	c := &captured{d}
	if tel != nil {
		tel.Registrar(c).RegisterService(d, "impl")
	}
	h := c.desc.Methods[0].Handler
	dec := func(v any) error { return nothings.Unmarshal(noBytes, v) }
	return func() {
		if out, err := h("impl", ctx, dec, nil); err == nil {
			_, _ = nothings.Marshal(out)
		}
	}
}

// measureOverhead prints what measuring adds to a unary call on each side.
func measureOverhead(rounds int) error {
	if err := grpcx.Register(nothings, other); err != nil {
		return err
	}
	d, err := grpcx.NewDegrader(nothings, other, degrade.Config{}, grpcx.WithFallbackServed())
	if err != nil {
		return err
	}
	tel := func(o ...grpcx.TelemetryOption) *grpcx.Telemetry {
		return grpcx.NewTelemetry(append(o, grpcx.WithMetrics(new(grpcx.Metrics)))...)
	}
	runtime.LockOSThread()
	fmt.Println("side              plain, ns  added, ns  interval 95%")
	for _, c := range []struct {
		name            string
		plain, measured func()
	}{
		{"client", clientSide(nil), clientSide(tel())},
		{"client, labels", clientSide(nil), clientSide(tel(grpcx.WithPprofLabels()))},
		{"client, degrader", clientSide(nil), clientSide(tel(grpcx.WithDegrader(d)))},
		{"server", serverSide(nil), serverSide(tel())},
		{"server, labels", serverSide(nil), serverSide(tel(grpcx.WithPprofLabels()))},
	} {
		var plain, added []float64
		for range rounds {
			var ns [2]float64
			for _, i := range rand.Perm(2) {
				ns[i] = cost([]func(){c.plain, c.measured}[i])
			}
			plain, added = append(plain, ns[0]), append(added, ns[1]-ns[0])
		}
		low, high := interval(added)
		fmt.Printf("%-17s %9.0f  %9.0f  %.0f–%.0f\n", c.name, median(plain), median(added), low, high)
	}
	return nil
}

// cost is the processor time of a call in nanoseconds, the least of a few runs: what disturbs
// only adds.
func cost(call func()) float64 {
	const calls = 20_000
	var runs []float64
	for range 3 {
		before, _ := cputime.Process()
		for range calls {
			call()
		}
		after, _ := cputime.Process()
		runs = append(runs, float64(after-before)/calls)
	}
	return slices.Min(runs)
}
