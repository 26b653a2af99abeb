package worker

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
)

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
		codec := jsonCodec()
		codec.Encoders = append(codec.Encoders, Encoder[msg]{Mode: "watched", New: func() func([]byte, *msg) ([]byte, error) {
			return func(dst []byte, _ *msg) ([]byte, error) {
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
		b := testBench(codec)
		if err := b.load(make([]msg, 3), 1); err != nil {
			t.Fatal(err)
		}
		s, err := b.scaling(&Request{Op: "encode", Mode: "watched", N: n})
		if err != nil || s.N != n || s.One <= 0 || s.Two <= 0 {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
		if calls, most := in.calls.Load(), in.most.Load(); calls != 3*n || alone != 1 || most != c.most {
			t.Errorf("%s: %d calls, want %d; %d at once by one goroutine, %d by two, want 1 and %d", c.name, calls, 3*n, alone, most, c.most)
		}
	}
}

// TestScalingAsked: an odd turn begins with the two; a mode that does not exist is refused.
func TestScalingAsked(t *testing.T) {
	got := talk(t, testBench(jsonCodec()), makeValues,
		Request{Cmd: CmdScaling, Op: "decode", Mode: "reused", N: 20},
		Request{Cmd: CmdScaling, Op: "decode", Mode: "reused", N: 20, From: 1},
		Request{Cmd: CmdScaling, Op: "encode", Mode: "backwards", N: 20})
	for i := 1; i <= 2; i++ {
		if s := got[i].Scaling; s == nil || s.N != 20 || s.One <= 0 || s.Two <= 0 {
			t.Errorf("decode: %+v", s)
		}
	}
	if got[3].Err == nil {
		t.Error("a mode that does not exist")
	}
}
