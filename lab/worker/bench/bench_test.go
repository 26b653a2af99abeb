package bench

import (
	"encoding/json"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/lab/worker"
)

func TestCalibrate(t *testing.T) {
	c := intCodec()
	c.Decoders[0].New = func() func([]byte, *int) error {
		return func([]byte, *int) error { time.Sleep(2 * time.Millisecond); return nil }
	}
	b := intBench(c)
	if err := b.Load(make([]int, 8), 1); err != nil {
		t.Fatal(err)
	}
	got, err := b.Calibrate("decode", "fresh", 40*time.Millisecond)
	// A busy machine sleeps longer, so that only the relation is certain.
	if err != nil || got.Ns < 2e6 || got.N != passes(40e6/got.Ns, 8) {
		t.Errorf("calibrate = %+v, %v; want operations of over 2 ms that fill 40 ms", got, err)
	}
}

// TestUnits: workers of one run go over the same values at the same time.
func TestUnits(t *testing.T) {
	load := func(n int) *Bench[int] {
		b := intBench(intCodec())
		if err := b.Load(make([]int, n), 7); err != nil {
			t.Fatal(err)
		}
		return b
	}
	b, c := load(100), load(100)
	seen := map[int32]int{}
	for from := range 10 { // ten blocks of ten are one pass
		x, y := b.Units(30, 10, from), c.Units(10, 10, from)
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
	if x := b.Units(1, 30, 1<<20); len(x[0]) != 30 {
		t.Errorf("a block over the end of the order: %v", x)
	}
	first, second := b.Units(200, 100, 0), b.Units(200, 100, 1)
	if len(first) != 40 || reflect.DeepEqual(first[0], first[1]) || !reflect.DeepEqual(first[1], second[0]) {
		t.Errorf("%d passes", len(first))
	}
	count := 0
	err := Repeat(func(order []int32) error { count += len(order); return nil }, first, 250, nil, nil)
	if err != nil || count != 250 {
		t.Errorf("%d operations instead of 250, %v", count, err)
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

// crowd counts who is in an encoder at once.
type crowd struct {
	calls, in, most atomic.Int32
	met             chan struct{} // closed when two are in it
	once            sync.Once
}

// enter returns when a second is in the encoder too, or has been, where meet says to wait.
func (c *crowd) enter(meet bool) (call int32) {
	call = c.calls.Add(1)
	n := c.in.Add(1)
	defer c.in.Add(-1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
	if n == 2 {
		c.once.Do(func() { close(c.met) })
	}
	if meet {
		select {
		case <-c.met:
		case <-time.After(patience.For(30 * time.Second)): // nobody comes: most says so
		}
	}
	return call
}

// TestScaling: one goroutine does its operations alone, then two do as many each at once.
// Nothing here is a matter of time: the two meet inside the encoder.
func TestScaling(t *testing.T) {
	const n = 20
	for _, c := range []struct {
		name   string
		locked bool
		most   int32
	}{{"locked", true, 1}, {"free", false, 2}} {
		var mu sync.Mutex
		in, alone := &crowd{met: make(chan struct{})}, int32(0)
		codec := intCodec()
		codec.Encoders = append(codec.Encoders, worker.Encoder[int]{Mode: "watched", New: func() func([]byte, *int) ([]byte, error) {
			return func(dst []byte, _ *int) ([]byte, error) {
				if c.locked {
					mu.Lock()
					defer mu.Unlock()
				}
				if in.enter(!c.locked && in.calls.Load() >= n) == n {
					alone = in.most.Load()
				}
				return dst, nil
			}
		}})
		b := intBench(codec)
		if err := b.Load(make([]int, 3), 1); err != nil {
			t.Fatal(err)
		}
		s, err := b.Scaling(&worker.Request{Op: "encode", Mode: "watched", N: n})
		if err != nil || s.N != n || s.One <= 0 || s.Two <= 0 {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
		if calls, most := in.calls.Load(), in.most.Load(); calls != 3*n || alone != 1 || most != c.most {
			t.Errorf("%s: %d calls, want %d; %d at once by one goroutine, %d by two, want 1 and %d", c.name, calls, 3*n, alone, most, c.most)
		}
	}
}

func intCodec() worker.Contender[int] {
	return worker.Contender[int]{Name: "json", Family: "json", Encoders: []worker.Encoder[int]{worker.Marshal[int]("fresh", json.Marshal)},
		Decoders: worker.Unmarshal[int](json.Unmarshal)}
}

func intBench(c worker.Contender[int]) *Bench[int] { return &Bench[int]{Codec: c} }
