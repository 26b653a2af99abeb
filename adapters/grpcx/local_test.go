package grpcx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// errOwn is a handler's own.
var errOwn = errors.New("own")

// unaryScripts are handlers of unary calls. Those that cancel call what ends the call of their
// caller.
var unaryScripts = []struct {
	name    string
	handler func(ctx context.Context, cancel func(), in *orderlite.Order) (*orderlite.Order, error)
}{
	{"reply", func(_ context.Context, _ func(), in *orderlite.Order) (*orderlite.Order, error) {
		return named("re: " + in.ID), nil
	}},
	{"metadata", func(ctx context.Context, _ func(), _ *orderlite.Order) (*orderlite.Order, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		if out, ok := metadata.FromOutgoingContext(ctx); ok && len(out) > 0 {
			return nil, errors.New("what came in goes on")
		}
		return named(md["asked"][0]), nil
	}},
	{"a status", failing(status.Error(codes.NotFound, "nothing here"))},
	{"a status within", failing(fmt.Errorf("shop: %w", status.Error(codes.NotFound, "nothing here")))},
	{"no status", failing(errOwn)},
	{"a deadline", failing(context.DeadlineExceeded)},
	{"a deadline within", failing(fmt.Errorf("database: %w", context.DeadlineExceeded))},
	{"a cancellation", failing(context.Canceled)},
	{"a cancellation within", failing(fmt.Errorf("database: %w", context.Canceled))},
	{"cancelled", func(ctx context.Context, cancel func(), _ *orderlite.Order) (*orderlite.Order, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}},
	{"cancelled, and an error", func(ctx context.Context, cancel func(), _ *orderlite.Order) (*orderlite.Order, error) {
		cancel()
		<-ctx.Done()
		return nil, errOwn
	}},
	{"cancelled, and a reply", func(ctx context.Context, cancel func(), in *orderlite.Order) (*orderlite.Order, error) {
		cancel()
		<-ctx.Done()
		return in, nil
	}},
}

func failing(err error) func(context.Context, func(), *orderlite.Order) (*orderlite.Order, error) {
	return func(context.Context, func(), *orderlite.Order) (*orderlite.Order, error) { return nil, err }
}

// TestLocalUnary makes calls over a connection and without one: nobody can tell the difference.
func TestLocalUnary(t *testing.T) {
	var cancel context.CancelFunc // of the one call under way
	desc := grpc.ServiceDesc{ServiceName: "test.Unary", HandlerType: (*any)(nil)}
	for i, c := range unaryScripts {
		desc.Methods = append(desc.Methods, stub.Unary(desc.ServiceName, fmt.Sprint(i),
			func(_ any, ctx context.Context, in *orderlite.Order) (*orderlite.Order, error) {
				return c.handler(ctx, cancel, in)
			}))
	}
	local := NewLocal()
	local.RegisterService(&desc, "impl")
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&desc, "impl") }, nil)
	for i, c := range unaryScripts {
		t.Run(c.name, func(t *testing.T) {
			var said [2][]any
			for side, conn := range []grpc.ClientConnInterface{cc, local} {
				ctx, stop := context.WithCancel(metadata.AppendToOutgoingContext(t.Context(), "asked", "2"))
				cancel = stop
				var out orderlite.Order
				err := conn.Invoke(ctx, fmt.Sprintf("/%s/%d", desc.ServiceName, i), named("x"), &out, subtype(givenUpCodec))
				_, whole := err.(interface{ GRPCStatus() *status.Status })
				said[side] = []any{out.ID, status.Code(err), status.Convert(err).Message(), whole, errors.Is(err, errOwn)}
				stop()
			}
			if !slices.Equal(said[0], said[1]) {
				t.Errorf("without a connection\n%v\nover one\n%v", said[1], said[0])
			}
		})
	}
}
