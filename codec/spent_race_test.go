//go:build race

package codec_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
)

// spentUses are uses of a pooled buffer or of its bytes that come after Release. None of them
// shares the buffer with another goroutine.
var spentUses = map[string]func(t *testing.T, p *codec.Pool){
	"length": func(t *testing.T, p *codec.Pool) {
		b := p.Get(100)
		b.Release()
		t.Log(len(b.B))
	},
	"element": func(t *testing.T, p *codec.Pool) {
		b := p.Get(100)
		b.B = append(b.B, "kept"...)
		kept := b.B
		b.Release()
		t.Log(kept[0])
	},
	"append": func(_ *testing.T, p *codec.Pool) {
		b := p.Get(100)
		b.Release()
		b.B = append(b.B, 1)
	},
	"too large for the pool": func(t *testing.T, p *codec.Pool) {
		b := p.Get(8 << 20)
		b.Release()
		t.Log(len(b.B))
	},
	"lease": func(t *testing.T, p *codec.Pool) {
		l := leased(t, p, "kept")
		kept := l.Bytes()
		l.Release()
		t.Log(kept[0])
	},
}

// TestSpentBuffers: each use after Release is a data race that the detector reports, on one
// goroutine already. A process for each, since a report fails the test in which it occurs.
func TestSpentBuffers(t *testing.T) {
	const use = "ZMY_TEST_SPENT"
	if name := os.Getenv(use); name != "" {
		spentUses[name](t, new(codec.Pool))
		return
	}
	for name := range spentUses {
		t.Run(name, func(t *testing.T) {
			child := exec.Command(os.Args[0], "-test.run=^TestSpentBuffers$", "-test.v")
			child.Env = append(os.Environ(), use+"="+name)
			out, err := child.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "WARNING: DATA RACE") || !strings.Contains(string(out), "poison.Retire") {
				t.Errorf("not reported: %v\n%s", err, out)
			}
		})
	}
}
