package interop

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/interop/shop"
	"github.com/zmylab/zmy/internal/longtest"
)

// keeper has the orders of package shop.
type keeper struct{}

func (keeper) Get(_ context.Context, k *shop.Key) (*shop.Order, error) {
	if k.Number < 0 {
		return nil, status.Errorf(codes.NotFound, "no order %d", k.Number)
	}
	return shop.Sample(k.Number), nil
}

func (keeper) List(_ context.Context, k *shop.Key) iter.Seq2[*shop.Order, error] {
	return func(yield func(*shop.Order, error) bool) {
		for n := range k.Number {
			if !yield(shop.Sample(n), nil) {
				return
			}
		}
	}
}

func (keeper) Put(_ context.Context, in iter.Seq2[*shop.Order, error]) (*shop.Receipt, error) {
	out := &shop.Receipt{}
	for o, err := range in {
		if err != nil {
			return nil, err
		}
		if want := shop.Sample(int32(out.Orders)); !reflect.DeepEqual(o, want) {
			return nil, status.Errorf(codes.InvalidArgument, "order %d is %+v, want %+v", out.Orders, o, want)
		}
		out.Orders++
		out.Total += price(o)
	}
	return out, nil
}

func (keeper) Price(_ context.Context, in iter.Seq2[*shop.Order, error]) iter.Seq2[*shop.Receipt, error] {
	return func(yield func(*shop.Receipt, error) bool) {
		for o, err := range in {
			if !yield(&shop.Receipt{Orders: 1, Total: price(o)}, err) || err != nil {
				return
			}
		}
	}
}

func price(o *shop.Order) (sum float64) {
	for _, i := range o.Items {
		sum += i.Price * float64(i.Qty)
	}
	return sum
}

// shopServer serves package shop on loopback until the test ends. Its codec is that of this server only.
func shopServer(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(grpc.ForceServerCodecV2(grpcx.Proto()))
	shop.RegisterOrders(s, keeper{})
	done := make(chan error)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Stop()
		if err := <-done; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// TestShop calls the service by its generated client, over the protobuf wire.
func TestShop(t *testing.T) {
	cc, err := grpc.NewClient(shopServer(t), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(grpcx.Proto())))
	if err != nil {
		t.Fatal(err)
	}
	defer cc.Close()
	c := shop.NewOrdersClient(cc)
	const count = 12
	var orders []*shop.Order
	for o, err := range c.List(t.Context(), &shop.Key{Number: count}) {
		if err != nil {
			t.Fatal(err)
		}
		orders = append(orders, o)
	}
	if one, err := c.Get(t.Context(), &shop.Key{Number: 5}); err != nil || !reflect.DeepEqual(one, shop.Sample(5)) {
		t.Errorf("%+v, %v", one, err)
	}
	all := func(yield func(*shop.Order, error) bool) {
		for _, o := range orders {
			if !yield(o, nil) {
				return
			}
		}
	}
	if sum, err := c.Put(t.Context(), all); err != nil || sum.Orders != count {
		t.Errorf("%+v, %v", sum, err)
	}
	priced := 0
	for r, err := range c.Price(t.Context(), all) {
		if err != nil || r.Total != price(orders[priced]) {
			t.Fatalf("%+v, %v", r, err)
		}
		priced++
	}
	if priced != count {
		t.Errorf("%d orders are priced", priced)
	}
	if _, err := c.Get(t.Context(), &shop.Key{Number: -1}); status.Code(err) != codes.NotFound {
		t.Errorf("error %v", err)
	}
}

// TestClients calls the service by grpc-java, grpcio and grpc-js, whose messages are made from
// shop.proto. Each client checks all answers, and the server all orders that it gets.
func TestClients(t *testing.T) {
	longtest.Only(t, "fetches and builds clients in Java, Python and JavaScript")
	proto, err := filepath.Abs("shop/shop.proto")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		needs []string
		build []string // shell commands
		run   string
	}{
		{"java", []string{"mvn", "java"}, []string{"mkdir proto && cp " + proto + " proto/", "mvn -q -B package"},
			"java -cp 'target/classes:target/dependency/*' shop.Client"},
		{"python", []string{"python3"}, []string{"python3 -m venv venv", "venv/bin/pip install -q grpcio==1.85.1 grpcio-tools==1.85.1",
			"venv/bin/python -m grpc_tools.protoc -I " + filepath.Dir(proto) + " --python_out=. --grpc_python_out=. " + proto},
			"venv/bin/python client.py"},
		{"js", []string{"npm", "node"}, []string{"npm install --silent --no-audit --no-fund"}, "node client.js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, tool := range c.needs {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%s is missing", tool)
				}
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("clients", c.name))); err != nil {
				t.Fatal(err)
			}
			for _, line := range append(c.build, fmt.Sprintf("%s %s %s", c.run, shopServer(t), proto)) {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
				if strings.HasPrefix(line, c.run) && strings.TrimSpace(string(out)) != "ok" {
					t.Errorf("%s", out)
				}
			}
		})
	}
}
