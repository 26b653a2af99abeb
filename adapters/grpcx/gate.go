package grpcx

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
)

// CodecsHeader is how client and server speak of codecs. A client that sends it, with
// any value, is told in the header of the reply which content-subtypes the server
// has: "proto,zmy,json". Who does not ask is not told, so that it costs nothing.
const CodecsHeader = "zmy-codecs"

// Gate returns a handler for grpc.InTapHandle that refuses calls in a codec that is not
// among names (and not "proto", which every server has) with code Unimplemented, before
// a handler runs. gRPC itself takes the bytes of a codec that it does not know
// for protobuf and calls the handler with what comes out, which is an empty message as
// often as an error.
//
//	srv := grpc.NewServer(grpc.InTapHandle(grpcx.Gate("zmy", "json")))
//
// It also tells clients that ask which codecs there are (see [CodecsHeader]), in methods
// that were registered through [Telemetry.Registrar].
func Gate(names ...string) tap.ServerInHandle {
	have := append([]string{proto.Name}, names...)
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
			ctx = context.WithValue(ctx, askedKey{}, list)
		}
		return ctx, nil
	}
}

// askedKey is under what a call's context has the list of codecs, if it asked for it.
type askedKey struct{}

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
