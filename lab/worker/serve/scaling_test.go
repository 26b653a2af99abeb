package serve

import (
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

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
