package worker

import (
	"reflect"
	"runtime"
	"testing"
	"time"
)

// TestLoops checks what the loops hand to a codec.
func TestLoops(t *testing.T) {
	var encoded, decoded []int
	var dsts, dirty int
	c := Contender[msg]{
		Encoders: []Encoder[msg]{
			{Mode: "fresh", New: func() func([]byte, *msg) ([]byte, error) {
				return func(dst []byte, v *msg) ([]byte, error) {
					if dst != nil {
						dsts++
					}
					encoded = append(encoded, v.N)
					return []byte{byte(v.N)}, nil
				}
			}},
			{Mode: "append", New: func() func([]byte, *msg) ([]byte, error) {
				return func(dst []byte, v *msg) ([]byte, error) {
					if len(dst) != 0 {
						t.Errorf("dst has length %d", len(dst))
					}
					if cap(dst) == 0 {
						dsts++
					}
					return append(dst, byte(v.N)), nil
				}
			}},
		},
		Decoders: []Decoder[msg]{
			{Mode: "fresh", New: func() func([]byte, *msg) error {
				return func(b []byte, v *msg) error {
					if v.ID != "" {
						dirty++
					}
					decoded = append(decoded, int(b[0]))
					v.ID = "used"
					return nil
				}
			}},
			{Mode: "reused", Reuse: true, New: func() func([]byte, *msg) error {
				return func(_ []byte, v *msg) error {
					if v.ID == "" {
						dirty += 100
					}
					v.ID = "used"
					return nil
				}
			}},
		},
	}
	b := testBench(c)
	vals := make([]msg, 10)
	for i := range vals {
		vals[i].N = i
	}
	if err := b.load(vals, 1); err != nil {
		t.Fatal(err)
	}
	for _, m := range []Mode{{Op: "encode", Mode: "fresh"}, {Op: "encode", Mode: "append"}, {Op: "decode", Mode: "fresh"},
		{Op: "decode", Mode: "reused"}} {
		if _, err := b.run(&Request{Op: m.Op, Mode: m.Mode, N: 25, Block: 10}); err != nil {
			t.Fatal(err)
		}
	}
	if dsts != 1 || dirty != 100 {
		t.Errorf("%d buffers and %d targets were not as promised", dsts-1, dirty-100)
	}
	for name, seen := range map[string][]int{"encode": encoded[10:], "decode": decoded} { // the first pass made the inputs
		if len(seen) != 25 {
			t.Fatalf("%s: %d operations", name, len(seen))
		}
		for pass := range 2 {
			count := map[int]bool{}
			for _, n := range seen[pass*10 : pass*10+10] {
				count[n] = true
			}
			if len(count) != 10 {
				t.Errorf("%s: pass %d saw %v, not every value once", name, pass, seen)
			}
		}
	}
	if reflect.DeepEqual(encoded[10:20], encoded[20:30]) {
		t.Errorf("two passes have the same order: %v", encoded)
	}
}

func TestCalibrate(t *testing.T) {
	c := jsonCodec()
	c.Decoders[0].New = func() func([]byte, *msg) error {
		return func([]byte, *msg) error { time.Sleep(2 * time.Millisecond); return nil }
	}
	b := testBench(c)
	if err := b.load(make([]msg, 8), 1); err != nil {
		t.Fatal(err)
	}
	got, err := b.calibrate("decode", "fresh", 40*time.Millisecond)
	// A busy machine sleeps longer, so that only the relation is certain.
	if err != nil || got.Ns < 2e6 || got.N != passes(40e6/got.Ns, 8) {
		t.Errorf("calibrate = %+v, %v; want operations of over 2 ms that fill 40 ms", got, err)
	}
}

// TestUnits: workers of one run go over the same values at the same time.
func TestUnits(t *testing.T) {
	load := func(n int) *bench[msg, msg] {
		b := testBench(jsonCodec())
		if err := b.load(make([]msg, n), 7); err != nil {
			t.Fatal(err)
		}
		return b
	}
	b, c := load(100), load(100)
	seen := map[int32]int{}
	for from := range 10 { // ten blocks of ten are one pass
		x, y := b.units(30, 10, from), c.units(10, 10, from)
		if len(x) != 1 || len(x[0]) != 10 || !reflect.DeepEqual(x, y) {
			t.Fatalf("block %d: %v, %v", from, x, y)
		}
		for _, i := range x[0] {
			seen[i]++
		}
	}
	if len(seen) != 100 {
		t.Errorf("ten blocks of ten hold %d of 100 values", len(seen))
	}
	if x := b.units(1, 30, 1<<20); len(x[0]) != 30 {
		t.Errorf("a block over the end of the order: %v", x)
	}
	first, second := b.units(200, 100, 0), b.units(200, 100, 1)
	if len(first) != 40 || reflect.DeepEqual(first[0], first[1]) || !reflect.DeepEqual(first[1], second[0]) {
		t.Errorf("%d passes", len(first))
	}
	count := 0
	err := repeat(func(order []int32) error { count += len(order); return nil }, first, 250, nil, nil)
	if err != nil || count != 250 {
		t.Errorf("%d operations instead of 250, %v", count, err)
	}
}

// TestHeap: every batch of a codec that allocates begins at the same distance from the
// next collection, and leaves no collection under way.
func TestHeap(t *testing.T) {
	var h heap
	var kept [][]byte
	for range 5 {
		h.settle()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if left := float64(m.NextGC-m.HeapAlloc) / float64(h.way); left < 0.35 || left > 0.65 {
			t.Errorf("%.2f of the way to the next collection are left", left)
		}
		for range 100 {
			kept = append(kept[:0], make([]byte, 100<<10))
		}
		h.drain(10 << 20)
		if h.ready || !h.collected {
			t.Errorf("after 10 MiB: %+v", h)
		}
	}
	h.settle()
	if h.drain(10); !h.ready {
		t.Error("ten bytes are worth no collection")
	}
}

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		n      float64
		values int
		want   int
	}{{0.3, 256, 1}, {100, 256, 100}, {128, 256, 256}, {383, 256, 256}, {385, 256, 512}, {1000, 1, 1000}} {
		if got := passes(c.n, c.values); got != c.want {
			t.Errorf("passes(%v, %d) = %d, want %d", c.n, c.values, got, c.want)
		}
	}
}
