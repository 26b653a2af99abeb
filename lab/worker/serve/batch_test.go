package serve

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

// TestLoops checks what the loops hand to a codec.
func TestLoops(t *testing.T) {
	var encoded, decoded []int
	var dsts, dirty int
	c := worker.Contender[msg]{
		Encoders: []worker.Encoder[msg]{
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
		Decoders: []worker.Decoder[msg]{
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
	for _, m := range []worker.Mode{{Op: "encode", Mode: "fresh"}, {Op: "encode", Mode: "append"}, {Op: "decode", Mode: "fresh"},
		{Op: "decode", Mode: "reused"}} {
		if _, err := b.run(&worker.Request{Op: m.Op, Mode: m.Mode, N: 25, Block: 10}); err != nil {
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

// TestScalingAsked: an odd turn begins with the two; a mode that does not exist is refused.
func TestScalingAsked(t *testing.T) {
	got := talk(t, testBench(jsonCodec()), makeValues,
		worker.Request{Cmd: worker.CmdScaling, Op: "decode", Mode: "reused", N: 20},
		worker.Request{Cmd: worker.CmdScaling, Op: "decode", Mode: "reused", N: 20, From: 1},
		worker.Request{Cmd: worker.CmdScaling, Op: "encode", Mode: "backwards", N: 20})
	for i := 1; i <= 2; i++ {
		if s := got[i].Scaling; s == nil || s.N != 20 || s.One <= 0 || s.Two <= 0 {
			t.Errorf("decode: %+v", s)
		}
	}
	if got[3].Err == nil {
		t.Error("a mode that does not exist")
	}
}
