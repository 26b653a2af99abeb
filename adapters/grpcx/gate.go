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

// CodecsHeader is the header by which a client asks for the codecs of a server. If a client sends
// it, with any value, the header of the reply has the server's content-subtypes: "proto,zmy,json".
// A client that does not ask pays nothing.
const CodecsHeader = "zmy-codecs"

// Gate returns a handler for grpc.InTapHandle. It rejects calls in a codec that is not among names
// with code Unimplemented, before a handler runs. "proto" is always accepted. Without a gate,
// grpc-go reads the bytes of an unknown codec as protobuf. The result may be an error, but it is
// often an empty message, with which grpc-go calls the handler.
//
//	srv := grpc.NewServer(grpc.InTapHandle(grpcx.Gate("zmy", "json")))
//
// Names are content-subtypes; capitals do not matter. Clients that ask for the codecs (see
// [CodecsHeader]) are answered only in methods that were registered through [Telemetry.Registrar].
// For other methods use [Gated].
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

// Gated returns the options of a server with a [Gate]. The server also answers clients that ask for
// the codecs, whether or not the methods are measured:
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

// askedKey is the context key of a call's *asking. Only calls whose client asks for the codecs have
// one.
type askedKey struct{}

// asking is a client's request for the list of codecs. It is answered once.
type asking struct {
	list string
	told atomic.Bool
}

// tellCodecs answers a client that has asked for the server's codecs.
func tellCodecs(ctx context.Context) {
	if a, ok := ctx.Value(askedKey{}).(*asking); ok && a.told.CompareAndSwap(false, true) {
		_ = grpc.SetHeader(ctx, metadata.Pairs(CodecsHeader, a.list)) // fails if the call has ended
	}
}

// contentSubtype returns the part of a content type that names the codec: "zmy" in
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
