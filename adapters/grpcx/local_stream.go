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

// localQueue is how many messages of one direction wait for their receiver before the sender waits,
// as flow control would make it.
const localQueue = 64

// localStream is a call of a streaming method, between the caller's goroutines and that of the
// handler.
type localStream struct {
	method    string
	streaming bool            // of responses
	caller    context.Context // the context of the call
	serving   context.Context // of the handler; over when the handler is not needed any more
	stop      context.CancelFunc

	requests, responses chan any
	closed              bool          // requests, by the caller
	done                chan struct{} // the handler has returned
	err                 error         // of the handler, once done
	end                 error         // what the caller's RecvMsg has come to; its own

	mu              sync.Mutex
	header, trailer metadata.MD
	headerSent      bool
	sent            chan struct{} // the header is, or the handler has returned
}

// open starts the handler.
func (l *Local) open(ctx context.Context, m localStreamMethod, method string, desc *grpc.StreamDesc) *localStream {
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

// answered is the status that a handler's error is, and all that a caller learns of it.
func answered(err error) error {
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	return s.Err()
}

// incoming is the context of a handler: what the caller sends as metadata has come in.
func incoming(ctx context.Context) context.Context {
	md, _ := metadata.FromOutgoingContext(ctx)
	return metadata.NewIncomingContext(metadata.NewOutgoingContext(ctx, nil), md)
}

// sendHeader lets the caller have the header. The stream is locked.
func (s *localStream) sendHeader() {
	if !s.headerSent {
		s.headerSent = true
		close(s.sent)
	}
}

// Header waits until there is one.
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

// Trailer is there when RecvMsg has failed.
func (s *localStream) Trailer() metadata.MD {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trailer.Copy()
}

// Context returns the context of the caller.
func (s *localStream) Context() context.Context { return s.caller }

// CloseSend ends the requests.
func (s *localStream) CloseSend() error {
	if !s.closed {
		s.closed = true
		close(s.requests)
	}
	return nil
}

// SendMsg sends a copy of v; io.EOF says that the call has ended: why, RecvMsg tells.
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

// RecvMsg receives a response, and then io.EOF or what became of the call.
func (s *localStream) RecvMsg(v any) error {
	if s.end != nil {
		return s.end
	}
	err := s.receive(v)
	switch {
	case err == nil && s.streaming:
		return nil
	case err == nil: // the one response counts only if the call ends well
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

// receive takes the next response, or the end of the call. Without a target there is to be no
// response.
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

// localServer is the handler's end.
type localServer struct{ *localStream }

// Context returns the context of the handler.
func (s localServer) Context() context.Context { return s.serving }

// SendMsg sends a copy of v, behind the header.
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

// RecvMsg receives a request, or io.EOF after the last.
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

// SetHeader adds to the header, until that is sent.
func (s localServer) SetHeader(md metadata.MD) error { return s.addHeader(md, false) }

// SendHeader sends the header.
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

// SetTrailer adds to the trailer.
func (s localServer) SetTrailer(md metadata.MD) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trailer = metadata.Join(s.trailer, md)
}

// localTransport is what grpc.SetHeader and the like find in a handler's context. It tells no
// codec, as there is none: nothing is measured.
type localTransport struct {
	method string
	stream *localStream // nil for unary calls, whose metadata nobody is shown
}

// Method is the full name.
func (t localTransport) Method() string { return t.method }

// SetHeader calls the method of the stream.
func (t localTransport) SetHeader(md metadata.MD) error {
	if t.stream == nil {
		return nil
	}
	return t.stream.addHeader(md, false)
}

// SendHeader calls the method of the stream.
func (t localTransport) SendHeader(md metadata.MD) error {
	if t.stream == nil {
		return nil
	}
	return t.stream.addHeader(md, true)
}

// SetTrailer calls the method of the stream.
func (t localTransport) SetTrailer(md metadata.MD) error {
	if t.stream != nil {
		localServer{t.stream}.SetTrailer(md)
	}
	return nil
}

// clone is a copy of a message, as assign makes it: its sender may use the message again.
func clone(v any) (any, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, status.Errorf(codes.Internal, "grpcx: local: %T is no message", v)
	}
	m := reflect.New(t.Elem()).Interface()
	return m, assign(m, v)
}

// move stores a clone, which is not used any more.
func move(dst, src any) error {
	err := assign(dst, src)
	if _, ok := src.(proto.Message); !ok {
		drop(src)
	}
	return err
}

// drop lets go of a clone.
func drop(m any) {
	if k, ok := m.(kept); ok {
		k.Release()
	}
}
