package zstdx_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/zstdx"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

func newZstd(t testing.TB, o zstdx.ZstdOptions) *zstdx.Zstd {
	t.Helper()
	z, err := zstdx.NewZstd(o)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func compressors(t testing.TB) map[string]zmy.Compressor {
	return map[string]zmy.Compressor{
		"zstd":      newZstd(t, zstdx.ZstdOptions{}),
		"zstd best": newZstd(t, zstdx.ZstdOptions{Level: zstd.SpeedBestCompression}),
		"zstd raw":  newZstd(t, zstdx.ZstdOptions{Raw: []byte(strings.Repeat("a typical order ", 20)), RawID: 7}),
		"lz4":       zstdx.LZ4{},
		"lz4 9":     zstdx.LZ4{Level: lz4.Level9},
	}
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for name, c := range compressors(t) {
		for _, raw := range [][]byte{[]byte("x"), bytes.Repeat([]byte("order "), 5000), noise, make([]byte, 4<<20)} {
			prefix := []byte("before")
			b, err := c.Compress(bytes.Clone(prefix), raw)
			if err != nil || !bytes.HasPrefix(b, prefix) {
				t.Fatalf("%s: compress %d bytes: %v", name, len(raw), err)
			}
			if len(b) >= len(raw) {
				continue // stays as it is: see zmy.Seal
			}
			got, err := c.Decompress(bytes.Clone(prefix), b[len(prefix):], len(raw))
			if err != nil || !bytes.HasPrefix(got, prefix) || !bytes.Equal(got[len(prefix):], raw) {
				t.Fatalf("%s: decompress %d bytes: %v", name, len(raw), err)
			}
		}
	}
}

// Bytes that stand for more or fewer than announced are refused, and no more
// memory is taken than announced.
func TestLies(t *testing.T) {
	for name, c := range compressors(t) {
		b, err := c.Compress(nil, make([]byte, 8<<20))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 1000, 100_000} {
			if _, err := c.Decompress(nil, b, n); err == nil {
				t.Errorf("%s: 8 MB announced as %d bytes", name, n)
			}
		}
		if _, err := c.Decompress(nil, b, 8<<20+1); err == nil {
			t.Errorf("%s: one byte missing", name)
		}
		for n := range min(len(b), 200) {
			if got, err := c.Decompress(nil, b[:n], 8<<20); err == nil {
				t.Errorf("%s: %d of %d bytes: %d", name, n, len(b), len(got))
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = c.Decompress(nil, b, 1000)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
			t.Errorf("%s: %d bytes were allocated for 1000", name, got)
		}
	}
}

func TestSealed(t *testing.T) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 0)))
	v.Metadata["note"] = strings.Repeat("as agreed ", 100)
	for name, c := range compressors(t) {
		b, err := zmy.SealOptions{Compressor: c}.Seal(&v)
		if err != nil {
			t.Fatal(err)
		}
		o := zmy.OpenOptions{Compressors: []zmy.Compressor{c}}
		e, err := o.Open(b)
		if err != nil || e.Compression != c.ID() {
			t.Errorf("%s: %v, %v", name, err, e.Compression)
		}
		var back orderlite.Order
		if err := o.Unseal(b, &back); err != nil || back.Metadata["note"] != v.Metadata["note"] {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecompress(f *testing.F) {
	list := compressors(f)
	for _, c := range list {
		b, _ := c.Compress(nil, bytes.Repeat([]byte("order "), 50))
		f.Add(b, 300)
	}
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		if n < 0 || n > 1<<20 {
			return
		}
		for name, c := range list {
			if got, err := c.Decompress(nil, b, n); err == nil && len(got) != n {
				t.Fatalf("%s: %d bytes, %d announced", name, len(got), n)
			}
		}
	})
}

func Example() {
	c, err := zstdx.NewZstd(zstdx.ZstdOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := orderlite.Order{ID: "A1", Metadata: map[string]string{"note": strings.Repeat("as agreed ", 50_000)}}
	b, err := zmy.SealOptions{Compressor: c}.Seal(&v)
	fmt.Println(len(b) < 1000, err)

	var back orderlite.Order
	err = zmy.Unseal(b, &back) // the reader says what it takes
	fmt.Println(errors.Is(err, zmy.ErrCompression))
	err = zmy.OpenOptions{Compressors: []zmy.Compressor{c}}.Unseal(b, &back)
	fmt.Println(len(back.Metadata["note"]), err)
	// Output:
	// true <nil>
	// true
	// 500000 <nil>
}
