package gc

import (
	"context"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/worker"
)

// Alloc holds the shares of CPU time that one operation in mode fresh spends on allocating memory
// and on garbage collection. They come from a CPU profile.
type Alloc struct {
	Codec   string  `json:"codec"`
	Op      string  `json:"op"`
	Samples int     `json:"samples"`
	Malloc  float64 `json:"malloc"`  // share of samples in which memory was being allocated
	Collect float64 `json:"collect"` // share of samples in which the collector worked, assists included
}

// few is the least number of samples for which a share is reported.
const few = 50

// measureAlloc takes a CPU profile of one operation in a running worker.
func measureAlloc(ctx context.Context, p *experiment.Process, codec, op string, long, extra time.Duration) (*Alloc, error) {
	got, err := experiment.Ask[worker.Profile](ctx, p, worker.CmdAlloc, worker.AllocTime{Task: worker.Task{Op: op}, For: long}, extra)
	if err != nil {
		return nil, err
	}
	parsed, err := profile.ParseData(got.Data)
	if err != nil {
		return nil, err
	}
	a := shares(parsed)
	a.Codec, a.Op = codec, op
	return &a, nil
}

// shares adds up the samples of a CPU profile. An assist counts twice, as allocating and as
// collecting, because in it the allocator makes the codec's own goroutine collect garbage.
func shares(p *profile.Profile) (a Alloc) {
	var malloc, collect int64
	var all int64
	at := len(p.SampleType) - 1 // CPU time, in ns; the column before it counts samples
	for _, s := range p.Sample {
		if all += s.Value[at]; at > 0 {
			a.Samples += int(s.Value[0])
		}
		if runs(s, allocating) {
			malloc += s.Value[at]
		}
		if runs(s, collecting) {
			collect += s.Value[at]
		}
	}
	if all > 0 {
		a.Malloc, a.Collect = float64(malloc)/float64(all), float64(collect)/float64(all)
	}
	return a
}

// runs reports whether is(name) is true for any function on the sample's stack.
func runs(s *profile.Sample, is func(name string) bool) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && is(line.Function.Name) {
				return true
			}
		}
	}
	return false
}

func allocating(name string) bool { return strings.HasPrefix(name, "runtime.mallocgc") }

func collecting(name string) bool {
	return name == "runtime.gcBgMarkWorker" || name == "runtime.gcAssistAlloc" || name == "runtime.bgsweep" || name == "runtime.gcStart"
}
