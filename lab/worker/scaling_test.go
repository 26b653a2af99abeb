package worker

import (
	"sync"
	"testing"
	"time"
)

// What waits under a lock does not gain from a second goroutine, what waits without
// one does twice as much.
func TestScaling(t *testing.T) {
	var mu sync.Mutex
	wait := func(mode string, lock bool) Encoder[msg] {
		return Encoder[msg]{Mode: mode, New: func() func([]byte, *msg) ([]byte, error) {
			return func(dst []byte, _ *msg) ([]byte, error) {
				if lock {
					mu.Lock()
					defer mu.Unlock()
				}
				time.Sleep(3 * time.Millisecond)
				return dst, nil
			}
		}}
	}
	c := jsonCodec()
	c.Encoders = append(c.Encoders, wait("locked", true), wait("free", false))
	got := talk(t, testBench(c), makeValues,
		Request{Cmd: CmdScaling, Op: "encode", Mode: "locked", N: 20},
		Request{Cmd: CmdScaling, Op: "encode", Mode: "free", N: 20, From: 1},
		Request{Cmd: CmdScaling, Op: "decode", Mode: "reused", N: 20},
		Request{Cmd: CmdScaling, Op: "encode", Mode: "backwards", N: 20})
	if s := got[1].Scaling; s == nil || 2*s.One/s.Two > 1.4 {
		t.Errorf("locked: %+v", s)
	}
	if s := got[2].Scaling; s == nil || 2*s.One/s.Two < 1.4 {
		t.Errorf("free: %+v", s)
	}
	if s := got[3].Scaling; s == nil || s.N != 20 || s.One <= 0 || s.Two <= 0 {
		t.Errorf("decode: %+v", s)
	}
	if got[4].Err == nil {
		t.Error("a mode that does not exist")
	}
}
