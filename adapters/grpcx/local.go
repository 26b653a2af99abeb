package grpcx

import (
	"context"
	"reflect"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Local connects clients with services of the same process, with no codec between
// them: a gateway that has decoded a request from JSON hands the value on, and it is
// decoded once.
//
//	local := grpcx.NewLocal()
//	shop.RegisterOrders(local, impl)
//	orders := shop.NewOrdersClient(local)
//
// Handlers get a copy of the request, and callers a copy of the response: a deep one of protobuf
// messages; of other types one whose strings, slices and maps are shared, and so not to be changed
// by either. A copy of a [Held] or [Raw] shares the buffer and is released by itself, as what has
// come over a connection is. A handler of streams runs in a goroutine of its own, which lasts, as
// everywhere in gRPC, until it returns: a caller reads to the end or cancels. Services are
// registered before the first call.
type Local struct {
	methods            map[string]localMethod
	streams            map[string]localStreamMethod
	interceptors       []grpc.UnaryServerInterceptor
	streamInterceptors []grpc.StreamServerInterceptor
}

type localStreamMethod struct {
	impl    any
	handler grpc.StreamHandler
}

type localMethod struct {
	impl    any
	handler grpc.MethodHandler
}

// NewLocal returns a Local without services, whose calls pass through the interceptors, the first
// of them outermost.
func NewLocal(interceptors ...grpc.UnaryServerInterceptor) *Local {
	return &Local{methods: map[string]localMethod{}, streams: map[string]localStreamMethod{}, interceptors: interceptors}
}

// InterceptStreams lets streams pass through the interceptors, the first of them outermost. It is
// called before the first call.
func (l *Local) InterceptStreams(interceptors ...grpc.StreamServerInterceptor) {
	l.streamInterceptors = append(l.streamInterceptors, interceptors...)
}

// RegisterService adds a service.
func (l *Local) RegisterService(desc *grpc.ServiceDesc, impl any) {
	for _, m := range desc.Methods {
		l.methods["/"+desc.ServiceName+"/"+m.MethodName] = localMethod{impl, m.Handler}
	}
	for _, m := range desc.Streams {
		l.streams["/"+desc.ServiceName+"/"+m.StreamName] = localStreamMethod{impl, m.Handler}
	}
}

// Invoke calls a method. Options have no effect.
func (l *Local) Invoke(ctx context.Context, method string, args, reply any, _ ...grpc.CallOption) error {
	m, ok := l.methods[method]
	if !ok {
		return status.Errorf(codes.Unimplemented, "grpcx: local: no unary method %s", method)
	}
	if err := ctx.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	in := incoming(ctx)
	if grpc.ServerTransportStreamFromContext(ctx) != nil { // of a handler that calls: not of this call
		in = grpc.NewContextWithServerTransportStream(in, localTransport{method: method})
	}
	out, err := m.handler(m.impl, in, func(v any) error { return assign(v, args) }, l.interceptor())
	if over := ctx.Err(); over != nil { // whatever the handler has come to: over a connection its caller waits no longer
		err = over
	}
	if err != nil {
		return answered(err)
	}
	return assign(reply, out)
}

// NewStream calls a method of streams. Options have no effect.
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

// interceptor makes one of all, nil of none.
func (l *Local) interceptor() grpc.UnaryServerInterceptor {
	if len(l.interceptors) == 0 {
		return nil
	}
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		for i := len(l.interceptors) - 1; i >= 0; i-- {
			next, this := h, l.interceptors[i]
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
		k.Release() // what dst has held
	}
	d.Elem().Set(s.Elem())
	return nil
}
