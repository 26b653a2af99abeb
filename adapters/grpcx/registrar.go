package grpcx

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
)

// Registrar returns a registrar that registers services with s and measures them. Services that are
// registered with s itself are not measured.
//
//	shoppb.RegisterOrdersServer(t.Registrar(srv), impl)
//
// Interceptors cannot measure a server: the request has been unmarshalled before they are called,
// and the reply is marshalled after they have returned. The registrar measures calls in the codecs
// of this package and in gRPC's "proto", no others. Stats handlers find, as the Payload of their
// events, values that stand for messages; [Payload] returns the message.
func (t *Telemetry) Registrar(s grpc.ServiceRegistrar) grpc.ServiceRegistrar {
	return &registrar{t, s}
}

type registrar struct {
	t *Telemetry
	s grpc.ServiceRegistrar
}

// RegisterService registers a copy of desc with handlers that measure.
func (r *registrar) RegisterService(desc *grpc.ServiceDesc, impl any) {
	d := *desc
	d.Methods, d.Streams = slices.Clone(d.Methods), slices.Clone(d.Streams)
	for i := range d.Methods {
		m := r.t.method("/"+d.ServiceName+"/"+d.Methods[i].MethodName, server)
		d.Methods[i].Handler = m.unary(d.Methods[i].Handler)
	}
	for i := range d.Streams {
		m := r.t.method("/"+d.ServiceName+"/"+d.Streams[i].StreamName, server)
		d.Streams[i].Handler = m.stream(d.Streams[i].Handler)
	}
	r.s.RegisterService(&d, impl)
}

// unary wraps the handler of a unary method.
func (m *method) unary(h grpc.MethodHandler) grpc.MethodHandler {
	return func(srv any, ctx context.Context, dec func(any) error, i grpc.UnaryServerInterceptor) (any, error) {
		tellCodecs(ctx)
		ctx = m.t.incoming(ctx)
		switch c := serverCodec(ctx).(type) {
		case *wireCodec:
			return m.own(c, h, srv, ctx, dec, i)
		case encoding.CodecV2:
			if c.Name() == proto.Name {
				return m.proto(h, srv, ctx, dec, i)
			}
		}
		return h(srv, ctx, dec, i)
	}
}

// serverCall is a unary call in a codec of this package.
type serverCall struct {
	probe
	dec    func(any) error
	decode func(any) error // the method request, bound once to save an allocation for each call
}

var serverCalls = sync.Pool{New: func() any {
	c := new(serverCall)
	c.decode = c.request
	return c
}}

// request is what the handler calls to receive and unmarshal its request.
func (c *serverCall) request(v any) error {
	c.v = v
	err := c.dec(&c.probe)
	c.v = nil
	return err
}

func (m *method) own(w *wireCodec, h grpc.MethodHandler, srv any, ctx context.Context, dec func(any) error,
	i grpc.UnaryServerInterceptor) (any, error) {
	c := serverCalls.Get().(*serverCall)
	c.ctx, c.cell, c.wire, c.dec = ctx, m.cell(w.name), w.of(ctx), dec
	reply, err := h(srv, ctx, c.decode, i)
	if err == nil && reply != nil {
		reply = c.reply(reply)
	}
	c.probe, c.dec = probe{}, nil
	serverCalls.Put(c)
	return reply, err
}

// proto measures a call in gRPC's protobuf codec. Its probes are not pooled, since gRPC shows them
// to stats handlers.
func (m *method) proto(h grpc.MethodHandler, srv any, ctx context.Context, dec func(any) error,
	i grpc.UnaryServerInterceptor) (any, error) {
	var c struct{ in, out protoProbe }
	cell := m.cell(proto.Name)
	reply, err := h(srv, ctx, func(v any) error {
		if c.in.arm(v, cell, ctx) {
			v = &c.in
		}
		return dec(v)
	}, i)
	if err == nil && c.out.arm(reply, cell, ctx) {
		return &c.out, nil
	}
	return reply, err
}

// stream wraps the handler of a streaming method.
func (m *method) stream(h grpc.StreamHandler) grpc.StreamHandler {
	return func(srv any, s grpc.ServerStream) error {
		tellCodecs(s.Context())
		ctx := m.t.incoming(s.Context())
		switch c := serverCodec(ctx).(type) {
		case *wireCodec:
			return h(srv, newServerStream(s, probe{cell: m.cell(c.name), ctx: ctx, wire: c.of(ctx)}, false))
		case encoding.CodecV2:
			if c.Name() == proto.Name {
				return h(srv, newServerStream(s, probe{cell: m.cell(proto.Name), ctx: ctx}, true))
			}
		}
		if m.t.context != nil {
			s = &unmeasuredStream{s, ctx}
		}
		return h(srv, s)
	}
}

// unmeasuredStream is a stream without measuring. It has the context of [WithCallContext].
type unmeasuredStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the context of the call.
func (s *unmeasuredStream) Context() context.Context { return s.ctx }

// serverStream gives its codec probes in place of messages. One goroutine may send while another
// one receives, so each direction has a probe of its own.
type serverStream struct {
	grpc.ServerStream
	in, out           probe
	protoIn, protoOut protoProbe
	proto             bool
}

func newServerStream(s grpc.ServerStream, p probe, proto bool) *serverStream {
	return &serverStream{ServerStream: s, in: p, out: p, proto: proto}
}

// Context returns the context of the call, with what [WithCallContext] adds.
func (s *serverStream) Context() context.Context { return s.in.ctx }

// SendMsg marshals and sends a message.
func (s *serverStream) SendMsg(v any) error {
	if _, done := v.(*grpc.PreparedMsg); done {
		return s.ServerStream.SendMsg(v)
	}
	if s.proto {
		if s.protoOut.arm(v, s.out.cell, s.out.ctx) {
			v = &s.protoOut
		}
		return s.ServerStream.SendMsg(v)
	}
	s.out.v = v
	err := s.ServerStream.SendMsg(&s.out)
	s.out.v = nil
	return err
}

// RecvMsg receives and unmarshals a message.
func (s *serverStream) RecvMsg(v any) error {
	if s.proto {
		if s.protoIn.arm(v, s.in.cell, s.in.ctx) {
			v = &s.protoIn
		}
		return s.ServerStream.RecvMsg(v)
	}
	s.in.v = v
	err := s.ServerStream.RecvMsg(&s.in)
	s.in.v = nil
	return err
}

// serverCodec returns the codec in which a call is answered on the server, nil if gRPC does not
// report it.
func serverCodec(ctx context.Context) any {
	s, ok := grpc.ServerTransportStreamFromContext(ctx).(interface{ ContentSubtype() string })
	if !ok {
		return nil
	}
	return encoding.GetCodecV2(cmp.Or(s.ContentSubtype(), proto.Name))
}
