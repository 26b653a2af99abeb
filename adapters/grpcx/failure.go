package grpcx

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/codec"
)

// FailureTrailer is the trailer by which a measured server reports that a codec has failed, and how
// often: "unmarshal zmy 3/640" is the third failure in 640 messages of the method. If unmarshalling
// fails in a unary call, the handler has not run.
const FailureTrailer = "zmy-codec-failure"

// tellFailure sets the trailer. An error with details would come too late: gRPC writes the status
// itself as soon as a codec fails.
func (c *cell) tellFailure(ctx context.Context, op codec.Op) {
	text := op.String() + " " + c.codec
	if n := c.counts[op]; n != nil {
		text = fmt.Sprintf("%s %d/%d", text, n.errors.Load(), n.times.Total())
	}
	_ = grpc.SetTrailer(ctx, metadata.Pairs(FailureTrailer, text)) // fails if the call has ended
}

// isUnreadable reports whether the trailer says that the server could not read the request of a
// unary call, and so did not run the handler.
func isUnreadable(trailer metadata.MD) bool {
	return slices.ContainsFunc(trailer.Get(FailureTrailer), func(text string) bool {
		return strings.HasPrefix(text, codec.OpUnmarshal.String()+" ")
	})
}

// isCodecFailure reports whether a codec on the server caused err. A server that is not measured is
// recognised by the texts of grpc-go's errors.
func isCodecFailure(err error, trailer metadata.MD) bool {
	if err == nil {
		return false
	}
	if len(trailer.Get(FailureTrailer)) > 0 {
		return true
	}
	s, ok := status.FromError(err)
	if !ok || s.Code() != codes.Internal {
		return false
	}
	for _, words := range []string{"grpc: failed to unmarshal the received message", "grpc: error unmarshalling request",
		"grpc: error while marshaling"} {
		if strings.HasPrefix(s.Message(), words) {
			return true
		}
	}
	return false
}

// empty resets the value that v points to.
func empty(v any) {
	switch m := v.(type) {
	case proto.Message:
		proto.Reset(m)
	default:
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && !r.IsNil() {
			r.Elem().SetZero()
		}
	}
}
