package stub

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc"
)

// Options are the options of a generated client: the codec that it was generated for, and
// those of its maker, which may choose another.
func Options(subtype string, opts []grpc.CallOption) []grpc.CallOption {
	return append([]grpc.CallOption{grpc.CallContentSubtype(subtype)}, opts...)
}

// Call calls a method made by [Unary].
func Call[In, Out any](ctx context.Context, cc grpc.ClientConnInterface, method string, in *In, opts []grpc.CallOption) (*Out, error) {
	out := new(Out)
	if err := cc.Invoke(ctx, method, in, out, opts...); err != nil {
		return nil, err
	}
	return out, nil
}

// CallServerStream calls a method made by [ServerStream]: when the result is ranged over,
// anew each time. The call is cancelled where the loop ends early.
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

// once are the options of a call that sends a sequence. Where a connection breaks meanwhile, gRPC
// (1.85.0) may begin such a call anew by itself and send again what it has kept, but not what the
// caller, who was told io.EOF, then keeps to himself: the server sees a whole sequence that has
// lost its end, and its reply is a success. With nothing kept a call is begun anew before its first
// message only. Options of the caller's come behind it.
func once(opts []grpc.CallOption) []grpc.CallOption {
	return append([]grpc.CallOption{grpc.MaxRetryRPCBufferSize(0)}, opts...)
}

// CallClientStream calls a method made by [ClientStream] and sends what in yields. An error
// of in cancels the call and is returned.
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

// CallBidiStream calls a method made by [BidiStream]: when the result is ranged over, anew
// each time. Another goroutine sends what in yields meanwhile; it ends with the
// sequence, or with the first message of it after the call has ended. An error of in
// cancels the call and is what the result ends with.
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

// ownError marks the error of a sequence of requests.
type ownError struct{ error }
