package zstdx_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/zstdx"
	orderlarge "github.com/zmylab/zmy/examples/order-large"
)

// fits counts how many of n orders Send puts into one envelope, and returns the mean
// sizes of messages and of envelopes.
func fits(t *testing.T, c zmy.Compressor, n int) (fit int, raw, sealed float64) {
	t.Helper()
	o := zmy.SealOptions{Compressor: c}
	r := rand.New(rand.NewPCG(1, 0))
	for range n {
		v := orderlarge.SampleOrder(r)
		var b bytes.Buffer
		streamed, err := o.Send(&b, &v)
		if err != nil {
			t.Fatal(err)
		}
		if !streamed {
			fit++
		}
		msg, _ := zmy.MarshalOptions{MaxWire: 4 << 20}.Marshal(&v)
		raw += float64(len(msg)) / float64(n)
		sealed += float64(b.Len()) / float64(n)
	}
	return fit, raw, sealed
}

// At least 99% of large orders, 400 KB on average, fit one envelope of 128 KiB
// by Zstandard; the others are sent as streams, and all come back.
func TestOrderLarge(t *testing.T) {
	n := 100
	if os.Getenv("ZMY_LONG") != "" {
		n = 1000
	}
	for _, c := range []struct {
		name string
		c    zmy.Compressor
		goal float64
	}{
		{"fastest", newZstd(t, zstdx.ZstdOptions{Level: zstd.SpeedFastest}), 0},
		{"default", newZstd(t, zstdx.ZstdOptions{}), 0.99},
		{"better", newZstd(t, zstdx.ZstdOptions{Level: zstd.SpeedBetterCompression}), 0.99},
		{"lz4", zstdx.LZ4{}, 0},
	} {
		fit, raw, sealed := fits(t, c.c, n)
		t.Logf("%s: %d of %d in one envelope; %.0f bytes became %.0f on average", c.name, fit, n, raw, sealed)
		if float64(fit) < c.goal*float64(n) {
			t.Errorf("%s: below %.0f%%", c.name, 100*c.goal)
		}
	}
}

func TestOrderLargeRoundTrip(t *testing.T) {
	z := newZstd(t, zstdx.ZstdOptions{})
	var pipe bytes.Buffer
	r := rand.New(rand.NewPCG(2, 0))
	v := orderlarge.SampleOrder(r)
	for _, maxWire := range []int{0, 30_000} { // an envelope, then a stream
		o := zmy.SealOptions{Compressor: z, Marshal: zmy.MarshalOptions{MaxWire: maxWire}}
		streamed, err := o.Send(&pipe, &v)
		if err != nil || streamed != (maxWire > 0) {
			t.Fatal(streamed, err)
		}
	}
	o := zmy.OpenOptions{Compressors: []zmy.Compressor{z}}
	for range 2 {
		var back orderlarge.Order
		if err := o.Receive(&pipe, &back); err != nil {
			t.Fatal(err)
		}
		a, _ := zmy.MarshalOptions{MaxWire: 4 << 20}.Marshal(&v)
		b, _ := zmy.MarshalOptions{MaxWire: 4 << 20}.Marshal(&back)
		if !reflect.DeepEqual(a, b) {
			t.Error("another order came back")
		}
	}
	if err := o.Receive(&pipe, new(orderlarge.Order)); err != io.EOF {
		t.Error(err)
	}
}
