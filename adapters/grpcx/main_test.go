package grpcx

import (
	"context"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/patience"
)

// Codecs that all tests share: gRPC's table is one for the process.
var (
	pool      = newCountingPool()
	zmyCodec  = Codec(codec.ZMY{}, WithPool(pool))
	jsonCodec = Codec(codec.FXJSON{}, WithName("json"), WithPool(pool))
	vtCodec   = Codec(protobuf{}, WithPool(pool))

	// For calls both ways, of which gRPC loses a buffer now and then (loss_test.go).
	talkPool   = newCountingPool()
	talkCodecs = []encoding.CodecV2{Codec(codec.ZMY{}, WithName("talk-zmy"), WithPool(talkPool)),
		Codec(codec.FXJSON{}, WithName("talk-json"), WithPool(talkPool))}

	// For calls that are cancelled: gRPC drops a reply that meets one, with its buffer.
	givenUpPool  = newCountingPool()
	givenUpCodec = Codec(codec.ZMY{}, WithName("givenup"), WithPool(givenUpPool))

	// gRPC's own codec, and one that replaces it where registered says so (TestProtoRegistered).
	ownProto   = encoding.GetCodecV2(grpcproto.Name)
	protoPool  = newCountingPool()
	plainProto = Proto(WithPool(protoPool))
)

// protobuf is protobuf under another name than gRPC's.
type protobuf struct{}

func (protobuf) Name() string { return "vtproto" }

func (protobuf) Marshal(v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, codec.ErrUnsupported
	}
	return proto.Marshal(m)
}

func (protobuf) Unmarshal(b []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return codec.ErrUnsupported
	}
	return proto.Unmarshal(b, m)
}

func TestMain(m *testing.M) {
	// All of them before the first server: gRPC reads its table without a lock.
	if err := Register(append(talkCodecs, zmyCodec, jsonCodec, vtCodec, givenUpCodec, largeCodec, fragileCodec,
		nothingCodec, Codec(routed.Routed()))...); err != nil {
		panic(err)
	}
	encoding.RegisterCodecV2(plain{plainPool})
	if registered {
		if err := Register(plainProto); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if code == 0 {
		var err error
		if !patience.Wait(time.Minute, func() bool { err = goleak.Find(); return err == nil }) {
			println(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}

// countingPool knows which buffers are out, and refuses one that comes back twice.
type countingPool struct {
	inner mem.BufferPool
	mu    sync.Mutex
	out   map[*[]byte]bool
	given map[*[]byte]bool // up: they may still come back
	twice atomic.Int64
	taken atomic.Int64
}

func newCountingPool() *countingPool {
	return &countingPool{inner: mem.DefaultBufferPool(), out: map[*[]byte]bool{}}
}

func (p *countingPool) Get(n int) *[]byte {
	b := p.inner.Get(n)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out[b] = true
	p.taken.Add(1)
	return b
}

func (p *countingPool) Put(b *[]byte) {
	p.mu.Lock()
	known := p.out[b] || p.given[b]
	delete(p.out, b)
	delete(p.given, b)
	p.mu.Unlock()
	if !known {
		p.twice.Add(1)
		return
	}
	p.inner.Put(b)
}

func (p *countingPool) outside() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.out)
}

// room is the memory of the buffers that are out, in bytes.
func (p *countingPool) room() (sum int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for b := range p.out {
		sum += cap(*b)
	}
	return sum
}

// settle waits until no more than that many buffers are out, or patience ends, and returns how many
// are. gRPC gives buffers back when it gets to it.
func (p *countingPool) settle(most int) int {
	patience.Wait(time.Minute, func() bool { return p.outside() <= most })
	return p.outside()
}

// forget gives up the buffers that are out, and returns how many those were.
func (p *countingPool) forget() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.out)
	if p.given == nil {
		p.given = map[*[]byte]bool{}
	}
	for b := range p.out {
		p.given[b] = true
	}
	clear(p.out)
	return n
}

// balanced asserts that every buffer that was taken has come back, once.
func (p *countingPool) balanced(t *testing.T) {
	t.Helper()
	p.balancedBut(t, 0)
}

// balancedBut asserts it of all but that many.
func (p *countingPool) balancedBut(t *testing.T, lost int) {
	t.Helper()
	if n := p.settle(lost); n > lost {
		t.Errorf("%d buffers have not been given back, want at most %d", n, lost)
	}
	if n := p.twice.Load(); n != 0 {
		t.Errorf("%d buffers were given back twice", n)
	}
}

// Shop is the service of the tests; the kinds of its methods are those that there are.
type Shop interface {
	Echo(context.Context, *orderlite.Order) (*orderlite.Order, error)
	List(context.Context, *orderlite.Order) iter.Seq2[*orderlite.Order, error]
	Sum(context.Context, iter.Seq2[*orderlite.Order, error]) (*orderlite.Order, error)
	Talk(context.Context, iter.Seq2[*orderlite.Order, error]) iter.Seq2[*orderlite.Order, error]
}

var shopDesc = grpc.ServiceDesc{
	ServiceName: "test.Shop", HandlerType: (*Shop)(nil),
	Methods: []grpc.MethodDesc{stub.Unary("test.Shop", "Echo", Shop.Echo)},
	Streams: []grpc.StreamDesc{stub.ServerStream("List", Shop.List), stub.ClientStream("Sum", Shop.Sum),
		stub.BidiStream("Talk", Shop.Talk)},
}

const (
	echoMethod = "/test.Shop/Echo"
	listMethod = "/test.Shop/List"
	sumMethod  = "/test.Shop/Sum"
	talkMethod = "/test.Shop/Talk"
)

// shop implements Shop and counts the calls that reach it.
type shop struct{ calls atomic.Int64 }

func (s *shop) Echo(_ context.Context, o *orderlite.Order) (*orderlite.Order, error) {
	s.calls.Add(1)
	return o, nil
}

func (s *shop) List(_ context.Context, o *orderlite.Order) iter.Seq2[*orderlite.Order, error] {
	s.calls.Add(1)
	return func(yield func(*orderlite.Order, error) bool) {
		for range 3 {
			if !yield(o, nil) {
				return
			}
		}
	}
}

func (s *shop) Sum(_ context.Context, in iter.Seq2[*orderlite.Order, error]) (*orderlite.Order, error) {
	s.calls.Add(1)
	sum := new(orderlite.Order)
	for o, err := range in {
		if err != nil {
			return nil, err
		}
		sum.Items = append(sum.Items, o.Items...)
	}
	return sum, nil
}

func (s *shop) Talk(_ context.Context, in iter.Seq2[*orderlite.Order, error]) iter.Seq2[*orderlite.Order, error] {
	s.calls.Add(1)
	return in
}

// order is an order of some 1.5 KB, so that its messages are pooled.
func order(items int) *orderlite.Order {
	r := rand.New(rand.NewPCG(7, 7))
	o := orderlite.SampleOrder(r)
	for len(o.Items) < items {
		o.Items = append(o.Items, orderlite.SampleOrder(r).Items...)
	}
	return &o
}

// serve starts a server on a pipe in memory and returns a connection to it. Both are closed
// before the test ends, and nothing of them is left.
func serve(t testing.TB, register func(*grpc.Server), server []grpc.ServerOption, client ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	l := bufconn.Listen(1 << 20)
	s := grpc.NewServer(server...)
	register(s)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	client = append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return l.Dial() })}, client...)
	cc, err := grpc.NewClient("passthrough:///pipe", client...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cc.Close(); err != nil {
			t.Error(err)
		}
		s.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return cc
}

func subtype(c encoding.CodecV2) grpc.CallOption { return grpc.CallContentSubtype(c.Name()) }

// collect reads a sequence to its end.
func collect[T any](t testing.TB, seq iter.Seq2[*T, error]) (out []*T) {
	t.Helper()
	for v, err := range seq {
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func repeat[T any](n int, v *T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for range n {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// blocking is a Shop whose handlers wait until their call is over, unless it is sound. It
// notes how many there were at a time.
type blocking struct {
	shop
	sound     atomic.Bool
	now, most atomic.Int64
}

func (b *blocking) Echo(ctx context.Context, o *orderlite.Order) (*orderlite.Order, error) {
	n := b.now.Add(1)
	defer b.now.Add(-1)
	for most := b.most.Load(); n > most && !b.most.CompareAndSwap(most, n); most = b.most.Load() {
	}
	if !b.sound.Load() {
		<-ctx.Done()
	}
	return o, nil
}
