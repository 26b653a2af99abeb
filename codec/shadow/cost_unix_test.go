//go:build unix

package shadow_test

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/examples/session"
)

var measure = flag.Bool("cost", false, "measure the cost of a shadow: a minute")

// cpuTime is what the process has used so far on all its threads, the collector's
// among them.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// TestCost prints what a shadow of 1% adds to the CPU time of marshal and unmarshal
// of a session, in rounds that take both in random order: the median of their
// ratios, and between which lie half of them. docs/guide/production.md has figures counted in instructions.
func TestCost(t *testing.T) {
	if !*measure {
		t.Skip("a measurement: -cost")
	}
	const rounds, block = 41, 12_000
	v := session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	run := func(c codec.Codec) time.Duration {
		runtime.GC()
		start := cpuTime()
		for range block {
			b, err := c.Marshal(&v)
			if err == nil {
				err = c.Unmarshal(b, new(session.UserSession))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return cpuTime() - start
	}
	for _, tt := range []struct {
		name                 string
		incumbent, candidate codec.Codec
		opt                  shadow.Options
	}{
		{"json, nothing tried", codec.StdJSON{}, codec.FXJSON{}, shadow.Options{Share: -1}},
		{"json, fxjson tried", codec.StdJSON{}, codec.FXJSON{}, shadow.Options{}},
		{"json, zmy tried", codec.StdJSON{}, codec.ZMY{}, shadow.Options{}},
		{"fxjson, nothing tried", codec.FXJSON{}, codec.ZMY{}, shadow.Options{Share: -1}},
		{"fxjson, zmy tried", codec.FXJSON{}, codec.ZMY{}, shadow.Options{}},
		{"fxjson, zmy tried in a queue", codec.FXJSON{}, codec.ZMY{}, shadow.Options{Queue: 64}},
	} {
		s := shadow.New(tt.incumbent, tt.candidate, tt.opt)
		run(tt.incumbent)
		var ratios []float64
		for range rounds {
			var plain, tried time.Duration
			if rand.IntN(2) == 0 {
				plain = run(tt.incumbent)
				tried = run(s)
			} else {
				tried = run(s)
				plain = run(tt.incumbent)
			}
			ratios = append(ratios, 100*(float64(tried)/float64(plain)-1))
		}
		slices.Sort(ratios)
		r := s.Report()
		t.Logf("%-30s %+5.1f%% (%+.1f to %+.1f), %d trials, %d different", tt.name, ratios[rounds/2], ratios[rounds/4], ratios[rounds*3/4],
			r.Marshal.Trials+r.Unmarshal.Trials, r.Marshal.Different+r.Unmarshal.Different)
	}
}
