package shop_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/examples/shop"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/nano"
)

// gateway is JSON over HTTP in front of the service of orders in the same process: the body is
// decoded once, whoever stands behind looks at the value, and it reaches the service without
// another codec.
func gateway(codecs *codec.Registry, orders shop.Orders) http.Handler {
	local := grpcx.NewLocal()
	shop.RegisterOrders(local, orders)
	client := shop.NewOrdersClient(local)

	api := nano.NewService(codecs)
	get := nano.HandleBy(api, func(ctx context.Context, key shop.Key) (*orderlite.Order, error) { // the value that is there
		o, err := client.Get(ctx, &key)
		if status.Code(err) == codes.NotFound {
			return nil, nano.Problemf(http.StatusNotFound, "there is no order %q", key.ID)
		}
		return o, err
	})
	return nano.DecodeFirst[shop.Key](api, authorized(get))
}

// authorized turns away who asks for what only others may see. It reads the decoded value, not the
// body.
func authorized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key, _ := nano.Decoded[shop.Key](r.Context()); strings.HasPrefix(key.ID, "secret") {
			http.Error(w, "not yours", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// counter counts the operations of codecs.
type counter map[codec.Op]int

func (c counter) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }
func (c counter) End(_ context.Context, e codec.Event)                     { c[e.Op]++ }

func ask(h http.Handler, body string) string {
	r := httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	answer, _, _ := strings.Cut(strings.TrimSpace(w.Body.String()), ",")
	return fmt.Sprint(w.Code, " ", answer)
}

// A gateway that decodes once.
func Example_gateway() {
	count := counter{}
	codecs := codec.NewRegistry(codec.FXJSON{})
	codecs.Observe(count)
	h := gateway(codecs, &store{orders: map[string]*orderlite.Order{"7": {ID: "7"}}})
	fmt.Println(ask(h, `{"ID":"7"}`))
	fmt.Printf("%d unmarshal, %d marshal\n", count[codec.OpUnmarshal], count[codec.OpMarshal])
	// Output:
	// 200 {"id":"7"
	// 1 unmarshal, 1 marshal
}

// TestGateway: every answer costs one unmarshal, those of the gateway's own layers too.
func TestGateway(t *testing.T) {
	count := counter{}
	codecs := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{})
	codecs.Observe(count)
	h := gateway(codecs, &store{orders: map[string]*orderlite.Order{"7": {ID: "7"}}})
	for i, c := range []struct{ body, want string }{
		{`{"ID":"7"}`, `200 {"id":"7"`},
		{`{"ID":"8"}`, "404 "},
		{`{"ID":"secret"}`, "403 not yours"},
		{`{"ID":`, "400 "},
	} {
		if got := ask(h, c.body); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
		if n := count[codec.OpUnmarshal]; n != i+1 {
			t.Errorf("%s: %d unmarshals, want %d", c.body, n, i+1)
		}
	}
	if n := count[codec.OpMarshal]; n != 1 {
		t.Errorf("%d marshals, want that of the one order: a value has passed through a codec on its way to the service", n)
	}
}
