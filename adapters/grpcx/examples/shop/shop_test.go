package shop_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/examples/shop"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// store implements shop.Orders.
type store struct {
	mu     sync.Mutex
	orders map[string]*orderlite.Order
}

func (s *store) Get(_ context.Context, k *shop.Key) (*orderlite.Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.orders[k.ID]; o != nil {
		return o, nil
	}
	return nil, status.Errorf(codes.NotFound, "no order %q", k.ID)
}

func (s *store) List(_ context.Context, k *shop.Key) iter.Seq2[*orderlite.Order, error] {
	return func(yield func(*orderlite.Order, error) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for id, o := range s.orders {
			if strings.HasPrefix(id, k.ID) && !yield(o, nil) {
				return
			}
		}
	}
}

func (s *store) Put(_ context.Context, orders iter.Seq2[*orderlite.Order, error]) (*shop.Receipt, error) {
	var r shop.Receipt
	for o, err := range orders {
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.orders[o.ID] = o
		s.mu.Unlock()
		r.Orders++
		r.Total += price(o)
	}
	return &r, nil
}

func (s *store) Price(_ context.Context, orders iter.Seq2[*orderlite.Order, error]) iter.Seq2[*shop.Receipt, error] {
	return func(yield func(*shop.Receipt, error) bool) {
		for o, err := range orders {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&shop.Receipt{Orders: 1, Total: price(o)}, nil) {
				return
			}
		}
	}
}

func price(o *orderlite.Order) (sum float64) {
	for _, i := range o.Items {
		sum += i.Price * float64(i.Qty)
	}
	return sum
}

// connect starts a server with the service and one that protoc has generated, and returns
// a connection to both.
func connect(t testing.TB) *grpc.ClientConn {
	if err := grpcx.Register(zmyCodec, jsonCodec); err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer(grpc.InTapHandle(grpcx.Gate("zmy", "json")))
	shop.RegisterOrders(srv, &store{orders: map[string]*orderlite.Order{}})
	grpc_health_v1.RegisterHealthServer(srv, health.NewServer())
	l := bufconn.Listen(1 << 20)
	go func() {
		if err := srv.Serve(l); err != nil {
			log.Print(err)
		}
	}()
	cc, err := grpc.NewClient("passthrough:///pipe", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return l.Dial() }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cc.Close(); srv.Stop() })
	return cc
}

var (
	zmyCodec  = grpcx.Codec(codec.ZMY{})
	jsonCodec = grpcx.Codec(codec.FXJSON{}, grpcx.WithName("json"))
)

func TestOrders(t *testing.T) {
	cc := connect(t)
	ctx := t.Context()
	for _, c := range []struct {
		name string
		opts []grpc.CallOption
	}{{"zmy", nil}, {"json", []grpc.CallOption{grpc.CallContentSubtype("json")}}} {
		t.Run(c.name, func(t *testing.T) {
			orders := shop.NewOrdersClient(cc, c.opts...)
			r := rand.New(rand.NewPCG(1, 1))
			var all []*orderlite.Order
			var total float64
			for range 5 {
				o := orderlite.SampleOrder(r)
				all, total = append(all, &o), total+price(&o)
			}
			receipt, err := orders.Put(ctx, sequence(all))
			if err != nil || receipt.Orders != 5 || receipt.Total != total {
				t.Fatalf("put: %+v, %v", receipt, err)
			}
			got, err := orders.Get(ctx, &shop.Key{ID: all[2].ID})
			if err != nil || price(got) != price(all[2]) {
				t.Errorf("get: %+v, %v", got, err)
			}
			if _, err := orders.Get(ctx, &shop.Key{ID: "none"}); status.Code(err) != codes.NotFound {
				t.Errorf("get of no order: %v", err)
			}
			n := 0
			for _, err := range orders.List(ctx, &shop.Key{}) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n != 5 {
				t.Errorf("list: %d orders", n)
			}
			i := 0
			for r, err := range orders.Price(ctx, sequence(all)) {
				if err != nil || r.Total != price(all[i]) {
					t.Errorf("price of %d: %+v, %v", i, r, err)
				}
				i++
			}
			if i != 5 {
				t.Errorf("price: %d answers", i)
			}
		})
	}
	h, err := grpc_health_v1.NewHealthClient(cc).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil || h.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("the service beside: %v, %v", h, err)
	}
}

func sequence[T any](all []*T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, v := range all {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// A gateway hands values on that it has decoded from JSON: Local connects it with the
// service and nothing is encoded again.
func Example_local() {
	local := grpcx.NewLocal()
	shop.RegisterOrders(local, &store{orders: map[string]*orderlite.Order{"a": {ID: "a"}}})
	orders := shop.NewOrdersClient(local)
	o, err := orders.Get(context.Background(), &shop.Key{ID: "a"})
	fmt.Println(o.ID, err)
	_, err = orders.Get(context.Background(), &shop.Key{ID: "b"})
	fmt.Println(status.Code(err))
	for o, err := range orders.List(context.Background(), &shop.Key{}) {
		fmt.Println(o.ID, err)
	}
	// Output:
	// a <nil>
	// NotFound
	// a <nil>
}
