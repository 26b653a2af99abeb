package connectx

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"connectrpc.com/connect"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

const path = "/shop.Orders/Echo"

// serve starts a server that answers each order with itself, in ZMY, in JSON by fxjson, and in what
// connect-go has of its own.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	opts := []connect.HandlerOption{
		connect.WithCodec(Codec(codec.ZMY{})), connect.WithCodec(Named(codec.FXJSON{}, "json")),
		connect.WithCodec(Named(codec.ZMY{}, "MyZMY")),
		connect.WithIdempotency(connect.IdempotencyNoSideEffects),
	}
	mux.Handle(path, connect.NewUnaryHandler(path,
		func(_ context.Context, r *connect.Request[orderlite.Order]) (*connect.Response[orderlite.Order], error) {
			return connect.NewResponse(r.Msg), nil
		}, opts...))
	srv := httptest.NewUnstartedServer(mux)
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv
}

func TestEcho(t *testing.T) {
	srv := serve(t)
	want := orderlite.SampleOrder(rand.New(rand.NewPCG(3, 3)))
	for _, c := range []struct {
		name string
		opts []connect.ClientOption
	}{
		{"zmy, Connect", []connect.ClientOption{connect.WithCodec(Codec(codec.ZMY{}))}},
		{"zmy, gRPC", []connect.ClientOption{connect.WithCodec(Codec(codec.ZMY{})), connect.WithGRPC()}},
		{"zmy, gRPC-Web", []connect.ClientOption{connect.WithCodec(Codec(codec.ZMY{})), connect.WithGRPCWeb()}},
		{"zmy, GET", []connect.ClientOption{connect.WithCodec(Codec(codec.ZMY{})), connect.WithHTTPGet(),
			connect.WithIdempotency(connect.IdempotencyNoSideEffects)}},
		{"capitals, Connect", []connect.ClientOption{connect.WithCodec(Named(codec.ZMY{}, "MyZMY"))}},
		{"capitals, gRPC", []connect.ClientOption{connect.WithCodec(Named(codec.ZMY{}, "MyZMY")), connect.WithGRPC()}},
		{"json, Connect", []connect.ClientOption{connect.WithCodec(Named(codec.FXJSON{}, "json"))}},
		{"json, GET", []connect.ClientOption{connect.WithCodec(Named(codec.FXJSON{}, "json")),
			connect.WithHTTPGet(), connect.WithIdempotency(connect.IdempotencyNoSideEffects)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := connect.NewClient[orderlite.Order, orderlite.Order](srv.Client(), srv.URL+path, c.opts...)
			got, err := client.CallUnary(t.Context(), connect.NewRequest(&want))
			if err != nil {
				t.Fatal(err)
			}
			if got.Msg.ID != want.ID || !reflect.DeepEqual(got.Msg.Metadata, want.Metadata) || len(got.Msg.Items) != len(want.Items) {
				t.Errorf("got %+v, want %+v", got.Msg, want)
			}
		})
	}
}

// TestPlainJSON is a client that knows nothing of all this.
func TestPlainJSON(t *testing.T) {
	srv := serve(t)
	resp, err := srv.Client().Post(srv.URL+path, "application/json", bytes.NewReader([]byte(`{"id":"a7"}`)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.ID != "a7" || resp.StatusCode != http.StatusOK {
		t.Errorf("%s %+v %v", resp.Status, got, err)
	}
}

// TestUnknown: a codec that the handler does not have is refused before it runs.
func TestUnknown(t *testing.T) {
	srv := serve(t)
	client := connect.NewClient[orderlite.Order, orderlite.Order](srv.Client(), srv.URL+path, connect.WithCodec(Codec(codec.Gob{})))
	if _, err := client.CallUnary(t.Context(), connect.NewRequest(new(orderlite.Order))); err == nil {
		t.Error("a codec that is not there answers")
	}
}

// TestDamaged: what is no message is the caller's fault, and said so.
func TestDamaged(t *testing.T) {
	srv := serve(t)
	client := connect.NewClient[orderlite.Order, orderlite.Order](srv.Client(), srv.URL+path,
		connect.WithCodec(damaged{Codec(codec.ZMY{})}))
	_, err := client.CallUnary(t.Context(), connect.NewRequest(new(orderlite.Order)))
	if connect.CodeOf(err) != connect.CodeInvalidArgument {
		t.Errorf("%v", err)
	}
}

type damaged struct{ connect.Codec }

func (damaged) Marshal(any) ([]byte, error) { return []byte("\xff\xff\xff\xff"), nil }

func TestProto(t *testing.T) {
	for _, name := range []string{"proto", "Proto"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the name %s is given away", name)
				}
			}()
			Named(codec.ZMY{}, name)
		}()
	}
}

func TestGobIsNotStable(t *testing.T) {
	if _, ok := Codec(codec.Gob{}).(interface{ MarshalStable(any) ([]byte, error) }); ok {
		t.Error("gob is taken for stable")
	}
}
