package grpcx

import (
	"context"
	"reflect"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Local connects clients with services of the same process without a codec. For example, a gateway
// decodes a request from JSON and passes the value on, so the request is decoded only once.
//
//	local := grpcx.NewLocal()
//	shop.RegisterOrders(local, impl)
//	orders := shop.NewOrdersClient(local)
//
// Handlers get a copy of the request, and callers a copy of the response. Protobuf messages are
// copied deeply. A copy of another type shares strings, slices and maps with the original, so
// neither side may change them. A copy of a [Held] or [Raw] shares the buffer and must be released
// separately, like a message that was received over a connection.
//
// The handler of a stream runs in a goroutine of its own until it returns. As everywhere in gRPC, a
// caller must read to the end or cancel. Register all services before the first call.
type Local struct {
	methods            map[string]localMethod[grpc.MethodHandler]
	streams            map[string]localMethod[grpc.StreamHandler]
	interceptors       []grpc.UnaryServerInterceptor
	streamInterceptors []grpc.StreamServerInterceptor
}

type localMethod[H any] struct {
	impl    any
	handler H
}

// NewLocal returns a Local without services. Its unary calls pass through the interceptors, the
// first of them outermost.
func NewLocal(interceptors ...grpc.UnaryServerInterceptor) *Local {
	return &Local{methods: map[string]localMethod[grpc.MethodHandler]{}, streams: map[string]localMethod[grpc.StreamHandler]{},
		interceptors: interceptors}
}

// InterceptStreams adds interceptors for streams, the first of them outermost. Use it before the
// first call of a method.
func (l *Local) InterceptStreams(interceptors ...grpc.StreamServerInterceptor) {
	l.streamInterceptors = append(l.streamInterceptors, interceptors...)
}

// RegisterService adds a service.
func (l *Local) RegisterService(desc *grpc.ServiceDesc, impl any) {
	for _, m := range desc.Methods {
		l.methods["/"+desc.ServiceName+"/"+m.MethodName] = localMethod[grpc.MethodHandler]{impl, m.Handler}
	}
	for _, m := range desc.Streams {
		l.streams["/"+desc.ServiceName+"/"+m.StreamName] = localMethod[grpc.StreamHandler]{impl, m.Handler}
	}
}

// Invoke calls a unary method. opts have no effect.
func (l *Local) Invoke(ctx context.Context, method string, args, reply any, _ ...grpc.CallOption) error {
	m, ok := l.methods[method]
	if !ok {
		return status.Errorf(codes.Unimplemented, "grpcx: local: no unary method %s", method)
	}
	if err := ctx.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	in := incoming(ctx)
	// If a handler makes this call, ctx has the transport of the handler's own call: replace it.
	if grpc.ServerTransportStreamFromContext(ctx) != nil {
		in = grpc.NewContextWithServerTransportStream(in, localTransport{method: method})
	}
	out, err := m.handler(m.impl, in, func(v any) error { return assign(v, args) }, l.interceptor())
	if over := ctx.Err(); over != nil { // over a connection, the caller would not have waited for the handler
		err = over
	}
	if err != nil {
		return answered(err)
	}
	return assign(reply, out)
}

// NewStream calls a streaming method. opts have no effect.
func (l *Local) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	m, ok := l.streams[method]
	if !ok {
		return nil, status.Errorf(codes.Unimplemented, "grpcx: local: no method of streams %s", method)
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	return l.open(ctx, m, method, desc), nil
}

// interceptor returns all interceptors as one, nil if there are none.
func (l *Local) interceptor() grpc.UnaryServerInterceptor {
	if len(l.interceptors) == 0 {
		return nil
	}
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		for _, this := range slices.Backward(l.interceptors) {
			next := h
			h = func(ctx context.Context, req any) (any, error) { return this(ctx, req, info, next) }
		}
		return h(ctx, req)
	}
}

// assign copies what src points to into what dst points to.
func assign(dst, src any) error {
	d, s := reflect.ValueOf(dst), reflect.ValueOf(src)
	if d.Kind() != reflect.Pointer || !s.IsValid() || s.Type() != d.Type() || s.IsNil() || d.IsNil() {
		return status.Errorf(codes.Internal, "grpcx: local: a message of type %T where %T is wanted", src, dst)
	}
	if d.Pointer() == s.Pointer() {
		return nil
	}
	if m, ok := dst.(proto.Message); ok {
		proto.Reset(m)
		proto.Merge(m, src.(proto.Message))
		return nil
	}
	if k, ok := dst.(kept); ok {
		src.(kept).share()
		k.Release() // the message that dst has held so far
	}
	d.Elem().Set(s.Elem())
	return nil
}
