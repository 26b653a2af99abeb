package zmy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

func sampleOrder() zmycase.Order {
	r := rand.New(rand.NewPCG(1, 7))
	o := zmycase.Order{ID: "ord-00421337-9f3c", Timestamp: time.Unix(1.7e9, 123456789).UTC(), Metadata: map[string]string{}}
	for range 4 {
		o.Items = append(o.Items, zmycase.Item{
			Sku: fmt.Sprintf("SKU-%06d", r.IntN(1e6)), Price: r.Float64() * 100,
			Qty: r.Int32N(10) + 1, Attrs: []byte("0123456789abcdef")[:1+r.IntN(15)],
		})
	}
	for _, k := range []string{"channel", "region", "customer-tier", "currency"} {
		o.Metadata[k] = strings.Repeat("v", 3+r.IntN(10))
	}
	return o
}

func sampleSSE() zmycase.SSE {
	return zmycase.SSE{ID: "8412", Event: "price", Data: strings.Repeat(`{"sym":"ZMY"}`, 8),
		Meta: map[string]string{"shard": "7", "origin": "eu-west"}}
}

func sampleResult() zmycase.Result {
	v := zmycase.Result{ID: 42, Timestamp: 1.7e18}
	for i := range 1024 {
		v.Data = append(v.Data, float64(i)*1.25)
	}
	return v
}

var sink int

// bench runs both directions beside encoding/json and beside the floor: one copy
// of the bytes.
func bench[T any, P interface {
	*T
	message
}](b *testing.B, v T) {
	enc, err := zmy.Marshal(P(&v))
	if err != nil {
		b.Fatal(err)
	}
	text, _ := json.Marshal(&v)
	run := func(name string, size int, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	buf := make([]byte, 0, 2*len(enc))
	run("floor", len(enc), func() { buf = append(buf[:0], enc...) })
	run("append", len(enc), func() { buf, _ = P(&v).AppendZMY(buf[:0]) })
	run("marshal", len(enc), func() { x, _ := zmy.Marshal(P(&v)); sink += len(x) })
	run("unmarshal", len(enc), func() { var x T; _ = P(&x).UnmarshalZMY(enc) })
	run("nocopy", len(enc), func() { var x T; _ = P(&x).UnmarshalZMYOptions(enc, zmy.UnmarshalOptions{NoCopy: true}) })
	var kept T
	run("reuse", len(enc), func() { _ = P(&kept).UnmarshalZMYOptions(enc, zmy.UnmarshalOptions{Reuse: true}) })
	run("json-marshal", len(text), func() { x, _ := json.Marshal(&v); sink += len(x) })
	run("json-unmarshal", len(text), func() { var x T; _ = json.Unmarshal(text, &x) })
}

func BenchmarkOrder(b *testing.B) {
	v := sampleOrder()
	bench(b, v)
	enc, _ := zmy.Marshal(&v)
	b.Run("slab-floor", func(b *testing.B) { // what nobody who copies can avoid
		b.ReportAllocs()
		for b.Loop() {
			slab := append([]byte(nil), enc...)
			items := make([]zmycase.Item, len(v.Items))
			m := make(map[string]string, len(v.Metadata))
			for k, s := range v.Metadata {
				m[k] = s
			}
			sink += len(slab) + len(items) + len(m)
		}
	})
	b.Run("view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x, _ := zmycase.ViewOrder(enc)
			sink += len(x.Items(0).Sku())
		}
	})
	b.Run("view-lazy", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x, _ := zmycase.ViewOrderLazy(enc)
			sink += len(x.ID())
		}
	})
}

func BenchmarkSSE(b *testing.B)    { bench(b, sampleSSE()) }
func BenchmarkResult(b *testing.B) { bench(b, sampleResult()) }

// BenchmarkLarge marshals a message of many megabytes into fresh memory, and into
// a buffer that is kept.
func BenchmarkLarge(b *testing.B) {
	order := sampleOrder()
	for len(order.Items) < 400_000 {
		order.Items = append(order.Items, order.Items...)
	}
	o := zmy.MarshalOptions{MaxWire: 1 << 30}
	buf, err := o.Marshal(&order)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		dst  []byte
	}{{"fresh", nil}, {"kept", buf[:0]}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(buf)))
			for b.Loop() {
				if _, err := o.Append(c.dst, &order); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
