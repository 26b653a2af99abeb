package interop

import (
	"context"
	"net"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/adapters/msgpackx"
	"github.com/zmylab/zmy/adapters/protox"
	"github.com/zmylab/zmy/internal/patience"
)

// counting counts the buffers that are out.
type counting struct {
	mem.BufferPool
	out atomic.Int64
}

func (c *counting) Get(n int) *[]byte { c.out.Add(1); return c.BufferPool.Get(n) }
func (c *counting) Put(b *[]byte)     { c.out.Add(-1); c.BufferPool.Put(b) }

// Page is a message of msgpack.
type Page struct {
	Text string
	Rows []int
}

// vt is a message with the methods of vtprotobuf, which counts how often they are called.
type vt struct{ Value *structpb.Value }

var vtCalls atomic.Int64

func (v *vt) SizeVT() int { return proto.Size(v.Value) }
func (v *vt) MarshalToSizedBufferVT(b []byte) (int, error) {
	vtCalls.Add(1)
	out, err := proto.Marshal(v.Value)
	return copy(b[len(b)-len(out):], out), err
}
func (v *vt) UnmarshalVT(b []byte) error {
	vtCalls.Add(1)
	v.Value = new(structpb.Value)
	return proto.Unmarshal(b, v.Value)
}

func (v *vt) Reset() { v.Value = nil }

func echo[T any](_ any, _ context.Context, v *T) (*T, error) { return v, nil }

func TestCodecs(t *testing.T) {
	pool := &counting{BufferPool: mem.DefaultBufferPool()}
	msgpack := grpcx.Codec(msgpackx.Codec{}, grpcx.WithPool(pool))
	vtproto := grpcx.Codec(protox.Codec{}, grpcx.WithName("vtproto"), grpcx.WithPool(pool))
	protojson := grpcx.Codec(protox.JSON{}, grpcx.WithPool(pool))
	if err := grpcx.Register(msgpack, vtproto, protojson); err != nil {
		t.Fatal(err)
	}
	const service = "interop.Echo"
	srv := grpc.NewServer(grpc.InTapHandle(grpcx.Gate("msgpack", "vtproto", "protojson")))
	srv.RegisterService(&grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{
		stub.Unary(service, "Page", echo[Page]), stub.Unary(service, "VT", echo[vt]), stub.Unary(service, "Value", echo[structpb.Value]),
	}}, "impl")
	l := bufconn.Listen(1 << 16)
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	cc, err := grpc.NewClient("passthrough:///pipe", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return l.Dial() }))
	if err != nil {
		t.Fatal(err)
	}
	long := structpb.NewStringValue(string(make([]byte, 5000)))
	page := &Page{string(make([]byte, 5000)), []int{1, 2, 3}}
	for _, c := range []struct {
		method, codec string
		in, out       any
		same          func(out any) bool
	}{
		{"Page", "msgpack", page, new(Page), func(out any) bool { return reflect.DeepEqual(out, page) }},
		{"VT", "vtproto", &vt{Value: long}, new(vt), func(out any) bool { return proto.Equal(out.(*vt).Value, long) }},
		{"Value", "vtproto", long, new(structpb.Value), func(out any) bool { return proto.Equal(out.(proto.Message), long) }},
		{"Value", "protojson", long, new(structpb.Value), func(out any) bool { return proto.Equal(out.(proto.Message), long) }},
		{"Value", "proto", long, new(structpb.Value), func(out any) bool { return proto.Equal(out.(proto.Message), long) }},
	} {
		if err := cc.Invoke(t.Context(), "/"+service+"/"+c.method, c.in, c.out, grpc.CallContentSubtype(c.codec)); err != nil ||
			!c.same(c.out) {
			t.Errorf("%s in %s: %v", c.method, c.codec, err)
		}
	}
	if n := vtCalls.Load(); n != 4 {
		t.Errorf("methods of vtprotobuf were called %d times, want 4", n)
	}
	if err := cc.Close(); err != nil {
		t.Error(err)
	}
	srv.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	patience.Wait(time.Minute, func() bool { return pool.out.Load() == 0 })
	if n := pool.out.Load(); n != 0 {
		t.Errorf("%d buffers have not been given back", n)
	}
}
