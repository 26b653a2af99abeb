package grpcx

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
)

// CodecsHeader is how client and server speak of codecs. A client that sends it, with
// any value, is told in the header of the reply which content-subtypes the server
// has: "proto,zmy,json". A client that does not ask pays nothing.
const CodecsHeader = "zmy-codecs"

// Gate returns a handler for grpc.InTapHandle that refuses calls in a codec that is not
// among names (and not "proto", which every server has) with code Unimplemented, before
// a handler runs. gRPC itself takes the bytes of a codec that it does not know
// for protobuf and calls the handler with what comes out, which is an empty message as
// often as an error.
//
//	srv := grpc.NewServer(grpc.InTapHandle(grpcx.Gate("zmy", "json")))
//
// Names are content-subtypes, which know no capitals. Clients that ask which codecs there are (see
// [CodecsHeader]) are answered in methods that were registered through [Telemetry.Registrar]; for
// others there is [Gated].
func Gate(names ...string) tap.ServerInHandle {
	have := []string{proto.Name}
	for _, n := range names {
		have = append(have, strings.ToLower(n))
	}
	slices.Sort(have)
	have = slices.Compact(have)
	list := strings.Join(have, ",")
	return func(ctx context.Context, info *tap.Info) (context.Context, error) {
		for _, t := range info.Header["content-type"] {
			if sub := contentSubtype(t); sub != "" && !slices.Contains(have, sub) {
				return nil, status.Errorf(codes.Unimplemented,
					"grpcx: %s: content-subtype %q is not served here; there are %s", info.FullMethodName, sub, list)
			}
		}
		if _, ok := info.Header[CodecsHeader]; ok {
			ctx = context.WithValue(ctx, askedKey{}, &asking{list: list})
		}
		return ctx, nil
	}
}

// Gated are the options of a server behind a [Gate] that tells clients which codecs there are
// whether or not its methods are measured:
//
//	srv := grpc.NewServer(grpcx.Gated("zmy", "json")...)
func Gated(names ...string) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.InTapHandle(Gate(names...)),
		grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
			tellCodecs(ctx)
			return h(ctx, req)
		}),
		grpc.ChainStreamInterceptor(func(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, h grpc.StreamHandler) error {
			tellCodecs(s.Context())
			return h(srv, s)
		}),
	}
}

// askedKey is the context key of an asking, in calls that ask which codecs there are.
type askedKey struct{}

// asking is to be answered once.
type asking struct {
	list string
	told atomic.Bool
}

// tellCodecs answers a client that has asked for the codecs of the server.
func tellCodecs(ctx context.Context) {
	if a, ok := ctx.Value(askedKey{}).(*asking); ok && a.told.CompareAndSwap(false, true) {
		_ = grpc.SetHeader(ctx, metadata.Pairs(CodecsHeader, a.list)) // fails if the call is over already
	}
}

// contentSubtype returns what names the codec in a content type of gRPC: "zmy" of
// application/grpc+zmy. A parameter such as charset=utf-8 names none.
func contentSubtype(contentType string) string {
	rest, ok := strings.CutPrefix(strings.ToLower(contentType), "application/grpc")
	if !ok || rest == "" {
		return ""
	}
	sub := rest[1:]
	if rest[0] == ';' && strings.Contains(sub, "=") {
		return ""
	}
	return sub
}
