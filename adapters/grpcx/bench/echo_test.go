package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/bench/benchpb"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/result"
	"github.com/zmylab/zmy/internal/cputime"
)

const service = "bench.Echo"

// contender is a codec with the messages of a subject.
type contender struct {
	subject, codec string
	bytes          int    // of a message, mean
	method         string // of the service, which the subject's type in this codec has
	opt            grpc.CallOption
	values         []any
	fresh          func() any
}

// blank stands for a message of so many bytes, and blanks is the codec that does no more than fill
// them. Copies also gives what has come memory of its own, as any codec does whose messages outlive
// gRPC's buffers.
type (
	blank struct {
		bytes int
		own   []byte
	}
	blanks struct{}
	copies struct{ blanks }
)

var zeros [64 << 10]byte

func (blanks) Name() string                  { return "blank" }
func (blanks) Marshal(v any) ([]byte, error) { return make([]byte, v.(*blank).bytes), nil }
func (blanks) AppendMarshal(dst []byte, v any) ([]byte, error) {
	return append(dst, zeros[:v.(*blank).bytes]...), nil
}

func (blanks) Unmarshal(b []byte, v any) error {
	v.(*blank).bytes = len(b)
	return nil
}

func (copies) Name() string { return "copies" }

func (copies) Unmarshal(b []byte, v any) error {
	v.(*blank).bytes, v.(*blank).own = len(b), bytes.Clone(b)
	return nil
}

// desc is a method of the service that answers messages of type T with themselves, as a unary call
// and as a stream.
func desc[T any](d *grpc.ServiceDesc, name string) {
	d.Methods = append(d.Methods, stub.Unary(service, name, func(_ any, _ context.Context, v *T) (*T, error) { return v, nil }))
	d.Streams = append(d.Streams, grpc.StreamDesc{StreamName: name + "Stream", ServerStreams: true,
		ClientStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
			for {
				v := new(T)
				if err := s.RecvMsg(v); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
				if err := s.SendMsg(v); err != nil {
					return err
				}
			}
		}})
}

func boxed[T any](values []*T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// values are those of all contenders: the same orders and results as Go structs and as
// protobuf messages.
func values() (orders []*orderlite.Order, results []*result.Result, pbOrders []*benchpb.Order, pbResults []*benchpb.Result) {
	r := rand.New(rand.NewPCG(20, 26))
	for range 64 {
		o, x := orderlite.SampleOrder(r), result.SampleResult(r)
		orders, results = append(orders, &o), append(results, &x)
		p := &benchpb.Order{Id: o.ID, Metadata: o.Metadata, Timestamp: timestamppb.New(o.Timestamp)}
		for _, i := range o.Items {
			p.Items = append(p.Items, &benchpb.Item{Sku: i.Sku, Price: i.Price, Qty: i.Qty, Attrs: i.Attrs})
		}
		pbOrders = append(pbOrders, p)
		pbResults = append(pbResults, &benchpb.Result{Id: x.ID, Data: x.Data, Timestamp: x.Timestamp})
	}
	return orders, results, pbOrders, pbResults
}

// contenders are made once: names of codecs are taken for the whole process.
var contenders = sync.OnceValues(func() ([]*contender, error) {
	zmy, json := grpcx.Codec(codec.ZMY{}), grpcx.Codec(codec.FXJSON{}, grpcx.WithName("json"))
	none, copied := grpcx.Codec(blanks{}), grpcx.Codec(copies{})
	if err := grpcx.Register(zmy, json, none, copied); err != nil {
		return nil, err
	}
	pb := encoding.GetCodecV2(proto.Name)
	orders, results, pbOrders, pbResults := values()
	var out []*contender
	add := func(subject, method, name string, c encoding.CodecV2, values []any, fresh func() any) {
		out = append(out, &contender{subject: subject, codec: name, bytes: meanSize(c, values), method: method,
			opt: grpc.CallContentSubtype(c.Name()), values: values, fresh: fresh})
	}
	newOrder, newResult := func() any { return new(orderlite.Order) }, func() any { return new(result.Result) }
	// What gRPC itself takes, which bounds what a codec can win.
	bare := func(subject string, values []any) {
		var all []*blank
		for _, v := range values {
			b, err := zmy.Marshal(v)
			if err != nil {
				panic(err) // values of this program
			}
			all = append(all, &blank{bytes: b.Len()})
			b.Free()
		}
		add(subject, "Blank", "no-codec-copied", copied, boxed(all), func() any { return new(blank) })
		add(subject, "Blank", "no-codec", none, boxed(all), func() any { return new(blank) })
	}
	add("order-lite", "OrderPB", "protobuf-go", pb, boxed(pbOrders), func() any { return new(benchpb.Order) })
	add("order-lite", "Order", "zmy", zmy, boxed(orders), newOrder)
	add("order-lite", "Order", "fxjson", json, boxed(orders), newOrder)
	bare("order-lite", boxed(orders))
	add("result", "ResultPB", "protobuf-go", pb, boxed(pbResults), func() any { return new(benchpb.Result) })
	add("result", "Result", "zmy", zmy, boxed(results), newResult)
	add("result", "Result", "fxjson", json, boxed(results), newResult)
	bare("result", boxed(results))
	return out, nil
})

func meanSize(c encoding.CodecV2, values []any) int {
	sum := 0
	for _, v := range values {
		b, err := c.Marshal(v)
		if err != nil {
			panic(err) // values of this program
		}
		sum += b.Len()
		b.Free()
	}
	return sum / len(values)
}

// connect starts the server and returns a connection to it, over loopback.
func connect() (*grpc.ClientConn, func(), error) {
	d := grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil)}
	desc[orderlite.Order](&d, "Order")
	desc[result.Result](&d, "Result")
	desc[blank](&d, "Blank")
	desc[benchpb.Order](&d, "OrderPB")
	desc[benchpb.Result](&d, "ResultPB")
	srv := grpc.NewServer()
	srv.RegisterService(&d, "echo")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	go func() { _ = srv.Serve(l) }() // ends with Stop
	cc, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		srv.Stop()
		return nil, nil, err
	}
	return cc, func() { _ = cc.Close(); srv.Stop() }, nil
}

// BenchmarkUnary is a unary call, both ends in this process.
func BenchmarkUnary(b *testing.B) { echo(b, unary) }

// BenchmarkStream is a message of a stream there and back.
func BenchmarkStream(b *testing.B) { echo(b, streams) }

// callers are the goroutines that call on one connection.
const callers = 64

// echo has each contender call, in a process with as much memory in use as a service has: the less
// there is, the more often the collector runs, until its work is all that one sees.
func echo(b *testing.B, run func(*grpc.ClientConn, *contender, int) error) {
	ballast := make([]byte, 64<<20)
	defer runtime.KeepAlive(ballast)
	all, err := contenders()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range all {
		b.Run(c.subject+"/"+c.codec, func(b *testing.B) {
			cc, stop, err := connect()
			if err != nil {
				b.Fatal(err)
			}
			defer stop()
			if err := run(cc, c, 10*callers); err != nil { // connections, pools
				b.Fatal(err)
			}
			runtime.GC()
			b.ResetTimer()
			report := cputime.Report(b)
			if err := run(cc, c, b.N); err != nil {
				b.Fatal(err)
			}
			report()
			b.ReportMetric(float64(c.bytes), "bytes")
		})
	}
}

// each lets the callers share the calls.
func each(calls int, work func(caller, from, to int) error) error {
	errs := make(chan error, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { errs <- work(i, calls*i/callers, calls*(i+1)/callers) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func unary(cc *grpc.ClientConn, c *contender, calls int) error {
	method := "/" + service + "/" + c.method
	return each(calls, func(_, from, to int) error {
		for i := from; i < to; i++ {
			if err := cc.Invoke(context.Background(), method, c.values[i%len(c.values)], c.fresh(), c.opt); err != nil {
				return err
			}
		}
		return nil
	})
}

func streams(cc *grpc.ClientConn, c *contender, calls int) error {
	method := "/" + service + "/" + c.method + "Stream"
	return each(calls, func(_, from, to int) error {
		s, err := cc.NewStream(context.Background(), &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method, c.opt)
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			if err := s.SendMsg(c.values[i%len(c.values)]); err != nil {
				return err
			}
			if err := s.RecvMsg(c.fresh()); err != nil {
				return err
			}
		}
		if err := s.CloseSend(); err != nil {
			return err
		}
		if err := s.RecvMsg(c.fresh()); err != io.EOF {
			return fmt.Errorf("the stream does not end: %w", err)
		}
		return nil
	})
}
