package grpcx

import (
	"context"
	"io"
	"reflect"
	"slices"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// localQueue is how many messages of one direction may wait for their receiver before the sender
// blocks. It takes the place of flow control.
const localQueue = 64

// localStream is a call of a streaming method. It connects the caller's goroutines with the
// handler's.
type localStream struct {
	method    string
	streaming bool            // the method returns a stream of responses
	caller    context.Context // the context of the call
	serving   context.Context // the handler's context; cancelled when the handler is no longer needed
	stop      context.CancelFunc

	requests, responses chan any
	closed              bool          // requests was closed by the caller
	done                chan struct{} // closed when the handler has returned
	err                 error         // the handler's error, valid once done is closed
	end                 error         // the result of the caller's last RecvMsg; only the caller uses it

	mu              sync.Mutex
	header, trailer metadata.MD
	headerSent      bool
	sent            chan struct{} // closed when the header was sent or the handler has returned
}

// open starts the handler.
func (l *Local) open(ctx context.Context, m localMethod[grpc.StreamHandler], method string, desc *grpc.StreamDesc) *localStream {
	s := &localStream{
		method: method, streaming: desc.ServerStreams, caller: ctx,
		requests: make(chan any, localQueue), responses: make(chan any, localQueue),
		done: make(chan struct{}), sent: make(chan struct{}),
	}
	serving, stop := context.WithCancel(incoming(ctx))
	s.serving, s.stop = grpc.NewContextWithServerTransportStream(serving, localTransport{method, s}), stop
	info := &grpc.StreamServerInfo{FullMethod: method, IsClientStream: desc.ClientStreams, IsServerStream: desc.ServerStreams}
	handler := m.handler
	for _, i := range slices.Backward(l.streamInterceptors) {
		next := handler
		handler = func(impl any, ss grpc.ServerStream) error { return i(impl, ss, info, next) }
	}
	go func() {
		err := handler(m.impl, localServer{s})
		s.mu.Lock()
		s.err = answered(err)
		s.sendHeader()
		s.mu.Unlock()
		close(s.done)
		stop()
	}()
	return s
}

// answered converts a handler's error to a status error. The caller learns nothing else of it.
func answered(err error) error {
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	return s.Err()
}

// incoming returns the context of a handler: the metadata that the caller sends becomes the
// metadata received.
func incoming(ctx context.Context) context.Context {
	md, _ := metadata.FromOutgoingContext(ctx)
	return metadata.NewIncomingContext(metadata.NewOutgoingContext(ctx, nil), md)
}

// sendHeader makes the header available to the client. s.mu must be locked.
func (s *localStream) sendHeader() {
	if !s.headerSent {
		s.headerSent = true
		close(s.sent)
	}
}

// Header waits until the header was sent, and returns it.
func (s *localStream) Header() (metadata.MD, error) {
	select {
	case <-s.sent:
	case <-s.caller.Done():
		return nil, status.FromContextError(s.caller.Err()).Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.header.Copy(), nil
}

// Trailer returns the trailer. It is complete once RecvMsg has failed.
func (s *localStream) Trailer() metadata.MD {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trailer.Copy()
}

// Context returns the context of the caller.
func (s *localStream) Context() context.Context { return s.caller }

// CloseSend ends the stream of requests.
func (s *localStream) CloseSend() error {
	if !s.closed {
		s.closed = true
		close(s.requests)
	}
	return nil
}

// SendMsg sends a copy of v. io.EOF means that the call is over; RecvMsg returns the reason.
func (s *localStream) SendMsg(v any) error {
	if s.closed {
		return status.Errorf(codes.Internal, "grpcx: local: %s: a message after CloseSend", s.method)
	}
	m, err := clone(v)
	if err != nil {
		return err
	}
	if s.serving.Err() == nil {
		select {
		case s.requests <- m:
			return nil
		case <-s.serving.Done():
		}
	}
	drop(m)
	return io.EOF
}

// RecvMsg receives the next response. At the end of the call it returns io.EOF or the call's error.
func (s *localStream) RecvMsg(v any) error {
	if s.end != nil {
		return s.end
	}
	err := s.receive(v)
	switch {
	case err == nil && s.streaming:
		return nil
	case err == nil: // a single response counts only if the call succeeds
		s.end = s.receive(nil)
	case err == io.EOF && !s.streaming:
		s.end = status.Errorf(codes.Internal, "grpcx: local: %s: no response", s.method)
	default:
		s.end = err
	}
	s.stop()
	if err == nil && s.end == io.EOF {
		return nil
	}
	return s.end
}

// receive takes the next response, or returns how the call has ended. With a nil v it expects the
// end: a response is then an error.
func (s *localStream) receive(v any) error {
	if err := s.caller.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	var m any
	select {
	case m = <-s.responses:
	case <-s.caller.Done():
		return status.FromContextError(s.caller.Err()).Err()
	case <-s.done:
		select {
		case m = <-s.responses: // sent before the handler returned
		default:
			if s.err != nil {
				return s.err
			}
			return io.EOF
		}
	}
	if v == nil {
		drop(m)
		return status.Errorf(codes.Internal, "grpcx: local: %s: more than one response", s.method)
	}
	return move(v, m)
}

// localServer is the handler's side of a stream.
type localServer struct{ *localStream }

// Context returns the context of the handler.
func (s localServer) Context() context.Context { return s.serving }

// SendMsg sends the header, unless it was sent, and a copy of v.
func (s localServer) SendMsg(v any) error {
	m, err := clone(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.sendHeader()
	s.mu.Unlock()
	if s.serving.Err() == nil {
		select {
		case s.responses <- m:
			return nil
		case <-s.serving.Done():
		}
	}
	drop(m)
	return status.FromContextError(s.serving.Err()).Err()
}

// RecvMsg receives the next request. After the last one it returns io.EOF.
func (s localServer) RecvMsg(v any) error {
	if err := s.serving.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	select {
	case m, ok := <-s.requests:
		if !ok {
			return io.EOF
		}
		return move(v, m)
	case <-s.serving.Done():
		return status.FromContextError(s.serving.Err()).Err()
	}
}

// SetHeader adds to the header. It fails once the header was sent.
func (s localServer) SetHeader(md metadata.MD) error { return s.addHeader(md, false) }

// SendHeader adds to the header and sends it.
func (s localServer) SendHeader(md metadata.MD) error { return s.addHeader(md, true) }

func (s *localStream) addHeader(md metadata.MD, send bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.headerSent {
		return status.Errorf(codes.Internal, "grpcx: local: %s: the header is sent", s.method)
	}
	s.header = metadata.Join(s.header, md)
	if send {
		s.sendHeader()
	}
	return nil
}

// SetTrailer adds to the trailer, which the caller gets at the end of the call.
func (s localServer) SetTrailer(md metadata.MD) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trailer = metadata.Join(s.trailer, md)
}

// localTransport is what grpc.SetHeader and similar functions find in a handler's context. It has
// no content-subtype, since there is no codec: nothing is measured.
type localTransport struct {
	method string
	stream *localStream // nil for unary calls, whose header and trailer are dropped
}

// Method returns the full name of the method.
func (t localTransport) Method() string { return t.method }

// SetHeader adds to the header of the stream.
func (t localTransport) SetHeader(md metadata.MD) error {
	if t.stream == nil {
		return nil
	}
	return t.stream.addHeader(md, false)
}

// SendHeader sends the header of the stream.
func (t localTransport) SendHeader(md metadata.MD) error {
	if t.stream == nil {
		return nil
	}
	return t.stream.addHeader(md, true)
}

// SetTrailer adds to the trailer of the stream.
func (t localTransport) SetTrailer(md metadata.MD) error {
	if t.stream != nil {
		localServer{t.stream}.SetTrailer(md)
	}
	return nil
}

// clone copies a message as assign does, so that the sender may use the message again.
func clone(v any) (any, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, status.Errorf(codes.Internal, "grpcx: local: %T is no message", v)
	}
	m := reflect.New(t.Elem()).Interface()
	return m, assign(m, v)
}

// move stores the clone src in dst. src is not used any more.
func move(dst, src any) error {
	err := assign(dst, src)
	if _, ok := src.(proto.Message); !ok {
		drop(src)
	}
	return err
}

// drop releases a clone that nobody receives.
func drop(m any) {
	if k, ok := m.(kept); ok {
		k.Release()
	}
}
