package connectx

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/zmylab/zmy/codec"
)

// ticket is a plain struct that is, on the wire, the message google.protobuf.Struct of one string: so
// connect-go's own codec can be the other end.
type ticket struct {
	Fields map[string]text `proto:"1" json:"fields"`
	At     time.Time       `proto:"7" json:"at"`
}

type text struct {
	Text string `proto:"3" json:"text"`
}

func protoServer(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	opts := []connect.HandlerOption{connect.WithCodec(Proto(codec.FXProto{})), connect.WithCodec(ProtoJSON()),
		connect.WithIdempotency(connect.IdempotencyNoSideEffects)}
	mux.Handle("/plain", connect.NewUnaryHandler("/plain",
		func(_ context.Context, r *connect.Request[ticket]) (*connect.Response[ticket], error) {
			return connect.NewResponse(r.Msg), nil
		}, opts...))
	mux.Handle("/message", connect.NewUnaryHandler("/message",
		func(_ context.Context, r *connect.Request[structpb.Struct]) (*connect.Response[structpb.Struct], error) {
			return connect.NewResponse(r.Msg), nil
		}, opts...))
	srv := httptest.NewUnstartedServer(mux)
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv
}

// TestProtoCodec calls services of plain structs and of messages by both codecs, in all protocols.
func TestProtoCodec(t *testing.T) {
	srv := protoServer(t)
	plain, stable := connect.WithCodec(Proto(codec.FXProto{})), connect.WithHTTPGet()
	idempotent := connect.WithIdempotency(connect.IdempotencyNoSideEffects)
	want := &ticket{Fields: map[string]text{"a": {"x"}, "b": {"y"}}, At: time.Unix(1700000000, 5).UTC()}
	for name, opts := range map[string][]connect.ClientOption{
		"Connect": {plain}, "gRPC": {plain, connect.WithGRPC()}, "gRPC-Web": {plain, connect.WithGRPCWeb()}, "GET": {plain, stable, idempotent},
		"JSON": {connect.WithCodec(ProtoJSON())}, "JSON, gRPC": {connect.WithCodec(ProtoJSON()), connect.WithGRPC()},
	} {
		client := connect.NewClient[ticket, ticket](srv.Client(), srv.URL+"/plain", opts...)
		got, err := client.CallUnary(t.Context(), connect.NewRequest(want))
		if err != nil || !reflect.DeepEqual(got.Msg, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		message, err := structpb.NewStruct(map[string]any{"a": "x"})
		if err != nil {
			t.Fatal(err)
		}
		messages := connect.NewClient[structpb.Struct, structpb.Struct](srv.Client(), srv.URL+"/message", opts...)
		if got, err := messages.CallUnary(t.Context(), connect.NewRequest(message)); err != nil || got.Msg.Fields["a"].GetStringValue() != "x" {
			t.Errorf("%s, message: %+v, %v", name, got, err)
		}
	}
	// A client of protobuf-go, which knows nothing of this package, calls the service of plain structs.
	message, err := structpb.NewStruct(map[string]any{"a": "x"})
	if err != nil {
		t.Fatal(err)
	}
	own := connect.NewClient[structpb.Struct, structpb.Struct](srv.Client(), srv.URL+"/plain")
	if got, err := own.CallUnary(t.Context(), connect.NewRequest(message)); err != nil || got.Msg.Fields["a"].GetStringValue() != "x" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestProtoJSON is a client that knows nothing of all this: unknown members are passed over, and what
// is no document is the caller's fault.
func TestProtoJSON(t *testing.T) {
	srv := protoServer(t)
	for body, want := range map[string]string{
		`{"fields":{"a":{"text":"x"}},"new":1}`: `{"fields":{"a":{"text":"x"}}}`,
		`{"fields":`:                            "invalid_argument",
	} {
		resp, err := srv.Client().Post(srv.URL+"/plain", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, %v; want %s", body, got, err, want)
		}
	}
}
