// Package stub is called by the clients and servers that zmy gen -grpc generates for a Go
// interface. For each of the four kinds of methods there is a description for servers and a
// function for clients:
//
//	M(context.Context, *In) (*Out, error)                                    Unary         Call
//	M(context.Context, *In) iter.Seq2[*Out, error]                           ServerStream  CallServerStream
//	M(context.Context, iter.Seq2[*In, error]) (*Out, error)                  ClientStream  CallClientStream
//	M(context.Context, iter.Seq2[*In, error]) iter.Seq2[*Out, error]         BidiStream    CallBidiStream
//
// A sequence ends after the first pair with an error.
package stub

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc"
)

// Version is the version of the contract between this package and generated code. Code that was
// generated for another version does not compile.
const Version = 1

// Unary describes a method with one request and one response. S is the service's interface.
func Unary[S, In, Out any](service, name string, call func(S, context.Context, *In) (*Out, error)) grpc.MethodDesc {
	full := "/" + service + "/" + name
	return grpc.MethodDesc{MethodName: name, Handler: func(srv any, ctx context.Context, dec func(any) error,
		i grpc.UnaryServerInterceptor) (any, error) {
		in := new(In)
		if err := dec(in); err != nil {
			return nil, err
		}
		if i == nil {
			return answer(call(srv.(S), ctx, in))
		}
		return i(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: full}, func(ctx context.Context, req any) (any, error) {
			return answer(call(srv.(S), ctx, req.(*In)))
		})
	}}
}

// answer returns a nil interface with an error, so that a nil *Out is not taken for a message.
func answer[Out any](out *Out, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ServerStream describes a method with one request and a sequence of responses.
func ServerStream[S, In, Out any](name string, call func(S, context.Context, *In) iter.Seq2[*Out, error]) grpc.StreamDesc {
	return grpc.StreamDesc{StreamName: name, ServerStreams: true, Handler: func(srv any, s grpc.ServerStream) error {
		in := new(In)
		if err := s.RecvMsg(in); err != nil {
			return err
		}
		return sendAll(s, call(srv.(S), s.Context(), in))
	}}
}

// ClientStream describes a method with a sequence of requests and one response.
func ClientStream[S, In, Out any](name string, call func(S, context.Context, iter.Seq2[*In, error]) (*Out, error)) grpc.StreamDesc {
	return grpc.StreamDesc{StreamName: name, ClientStreams: true, Handler: func(srv any, s grpc.ServerStream) error {
		out, err := call(srv.(S), s.Context(), received[In](s))
		if err != nil {
			return err
		}
		return s.SendMsg(out)
	}}
}

// BidiStream describes a method with a sequence of requests and a sequence of responses.
func BidiStream[S, In, Out any](name string, call func(S, context.Context, iter.Seq2[*In, error]) iter.Seq2[*Out, error]) grpc.StreamDesc {
	return grpc.StreamDesc{StreamName: name, ClientStreams: true, ServerStreams: true, Handler: func(srv any, s grpc.ServerStream) error {
		return sendAll(s, call(srv.(S), s.Context(), received[In](s)))
	}}
}

// stream is what client streams and server streams have in common.
type stream interface {
	SendMsg(v any) error
	RecvMsg(v any) error
}

func sendAll[Out any](s stream, out iter.Seq2[*Out, error]) error {
	for v, err := range out {
		if err == nil {
			err = s.SendMsg(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// received returns the sequence of messages that are received. Each has memory of its own.
func received[In any](s stream) iter.Seq2[*In, error] {
	return func(yield func(*In, error) bool) {
		for {
			v := new(In)
			switch err := s.RecvMsg(v); {
			case err == io.EOF:
				return
			case err != nil:
				yield(nil, err)
				return
			case !yield(v, nil):
				return
			}
		}
	}
}
