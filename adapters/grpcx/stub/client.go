package stub

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc"
)

// Options returns the options of a generated client: the codec that it was generated for, and then
// opts, which may choose another codec.
func Options(subtype string, opts []grpc.CallOption) []grpc.CallOption {
	return append([]grpc.CallOption{grpc.CallContentSubtype(subtype)}, opts...)
}

// Call calls a method made by [Unary] and returns its response.
func Call[In, Out any](ctx context.Context, cc grpc.ClientConnInterface, method string, in *In, opts []grpc.CallOption) (*Out, error) {
	out := new(Out)
	if err := cc.Invoke(ctx, method, in, out, opts...); err != nil {
		return nil, err
	}
	return out, nil
}

// CallServerStream calls a method made by [ServerStream]. The call begins when the result is ranged
// over; each such loop makes a call of its own. Leaving the loop early cancels the call.
func CallServerStream[In, Out any](ctx context.Context, cc grpc.ClientConnInterface, method string, in *In,
	opts []grpc.CallOption) iter.Seq2[*Out, error] {
	return func(yield func(*Out, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		s, err := cc.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method, opts...)
		if err == nil {
			// io.EOF means the call is over; RecvMsg returns the reason.
			if err = s.SendMsg(in); err == nil || err == io.EOF {
				err = s.CloseSend()
			}
		}
		if err != nil {
			yield(nil, err)
			return
		}
		received[Out](s)(yield)
	}
}

// once returns the options of a call that sends a sequence. If the connection breaks during such a
// call, gRPC (1.85.0) may repeat the call by itself. gRPC sends again the messages that it has
// kept. But SendMsg has returned io.EOF to the caller, who does not send the rest. So the server
// takes the first messages for the whole sequence, and the call succeeds. If gRPC keeps nothing, it
// repeats a call only before its first message. The caller's options follow this one and may
// override it.
func once(opts []grpc.CallOption) []grpc.CallOption {
	return append([]grpc.CallOption{grpc.MaxRetryRPCBufferSize(0)}, opts...)
}

// CallClientStream calls a method made by [ClientStream] and sends the messages that in yields. If
// in yields an error, the call is canceled and the error is returned.
func CallClientStream[In, Out any](ctx context.Context, cc grpc.ClientConnInterface, method string,
	in iter.Seq2[*In, error], opts []grpc.CallOption) (*Out, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := cc.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, method, once(opts)...)
	if err != nil {
		return nil, err
	}
	if err := sendAll(s, in); err != nil && err != io.EOF {
		return nil, err
	}
	if err := s.CloseSend(); err != nil {
		return nil, err
	}
	out := new(Out)
	if err := s.RecvMsg(out); err != nil {
		return nil, err
	}
	return out, nil
}

// CallBidiStream calls a method made by [BidiStream]. The call begins when the result is ranged
// over; each such loop makes a call of its own. Another goroutine sends the messages that in
// yields. That goroutine ends when in ends, or when in yields its first message after the end of
// the call. If in yields an error, the call is canceled, and the error is the last one of the
// result.
func CallBidiStream[In, Out any](ctx context.Context, cc grpc.ClientConnInterface, method string,
	in iter.Seq2[*In, error], opts []grpc.CallOption) iter.Seq2[*Out, error] {
	return func(yield func(*Out, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		s, err := cc.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method, once(opts)...)
		if err != nil {
			yield(nil, err)
			return
		}
		go func() {
			switch err := sendAll(s, in); err {
			case nil:
				_ = s.CloseSend() // RecvMsg returns the reason why the call is over
			case io.EOF: // likewise
			default:
				cancel(ownError{err})
			}
		}()
		for v, err := range received[Out](s) {
			if own, ok := context.Cause(ctx).(ownError); ok && err != nil {
				err = own.error
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// ownError marks an error that came from the sequence of requests.
type ownError struct{ error }
