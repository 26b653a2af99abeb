package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"runtime/trace"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// profileRate is the average number of bytes allocated between two samples of the heap profile. It
// is lower than the default, since the op runs only briefly.
const profileRate = 4 << 10

// heapBytes is the number of allocated bytes after which the run under the heap profiler ends. It
// ends earlier if its time is over.
const heapBytes = 64 << 20

// profile runs an op first under the CPU profiler and then under the heap profiler, so that neither
// sees the other's work.
func (b *Bench[N]) profile(a *worker.ProfileArgs) (*worker.Profiled, error) {
	loop, err := b.Loop(a.Op, a.Mode)
	if err != nil {
		return nil, err
	}
	units := b.Units(len(b.Vals), len(b.Vals), 0)
	pass := func(i int) error { return loop(units[i%len(units)]) }
	if err := pass(0); err != nil { // lets the codec do what it does only once
		return nil, err
	}
	out := new(worker.Profiled)
	labels := pprof.Labels("op", a.Op, "mode", a.Mode, "codec", b.Codec.Name)
	pprof.Do(context.Background(), labels, func(context.Context) {
		if err = b.profileCPU(a, pass, out); err == nil {
			err = b.profileHeap(a, pass, out)
		}
	})
	return out, err
}

func (b *Bench[N]) profileCPU(a *worker.ProfileArgs, pass func(int) error, out *worker.Profiled) (err error) {
	f, err := os.Create(a.CPU)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	c0, t0 := bench.CPUTime(), time.Now()
	for i := 0; bench.CPUTime()-c0 < a.For && time.Since(t0) < 5*a.For; i++ {
		if err := pass(i); err != nil {
			return err
		}
		out.Ops += len(b.Vals)
	}
	out.Wall, out.CPU = float64(time.Since(t0).Nanoseconds()), float64((bench.CPUTime() - c0).Nanoseconds())
	return nil
}

func (b *Bench[N]) profileHeap(a *worker.ProfileArgs, pass func(int) error, out *worker.Profiled) error {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = profileRate
	if err := pass(0); err != nil { // each processor uses the new rate only after its next sample
		return err
	}
	if err := writeAllocs(a.Before); err != nil {
		return err
	}
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	for i, t0 := 0, time.Now(); time.Since(t0) < a.For; i++ {
		if err := pass(i); err != nil {
			return err
		}
		out.Heap += len(b.Vals)
		if runtime.ReadMemStats(&m1); m1.TotalAlloc-m0.TotalAlloc > heapBytes {
			break
		}
	}
	runtime.ReadMemStats(&m1)
	out.Allocs, out.Bytes = float64(m1.Mallocs-m0.Mallocs), float64(m1.TotalAlloc-m0.TotalAlloc)
	return writeAllocs(a.After)
}

// writeAllocs writes the profile of all allocations so far. It is complete only after two
// collections.
func writeAllocs(name string) error {
	runtime.GC()
	runtime.GC()
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}

// Bounds: the age and size of the flight recorder's window, how often a trace is written, and how
// many calls are timed. A trace is written when a call takes 20% longer than the slowest one
// before.
const (
	flightAge   = 20 * time.Millisecond
	flightBytes = 1 << 20
	flights     = 12
	mostCalls   = 1 << 20
)

// worst times single calls under a flight recorder and keeps the trace around the slowest. The
// recorder makes every call a little slower. That does not matter, since the question is what
// happens in the slowest call.
func (b *Bench[N]) worst(a *worker.WorstArgs) (*worker.Worst, error) {
	loop, err := b.Loop(a.Op, a.Mode)
	if err != nil {
		return nil, err
	}
	if err := loop(b.Order[:len(b.Vals)]); err != nil {
		return nil, err
	}
	out := new(worker.Worst)
	rec := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: flightAge, MaxBytes: flightBytes})
	if err := rec.Start(); err != nil {
		out.Trace, rec = err.Error(), nil
	} else {
		defer rec.Stop()
	}
	gc := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/cpu/classes/gc/pause:cpu-seconds"}}
	took := make([]float64, 0, 1<<14)
	which := make([]int32, 0, 1<<14)
	written := 0
	ctx := context.Background()
	for i, begin := 0, time.Now(); time.Since(begin) < a.For && len(took) < mostCalls; i = (i + 1) % len(b.Order) {
		metrics.Read(gc)
		cycles, pause := gc[0].Value.Uint64(), gc[1].Value.Float64()
		_, taken := bench.Switches()
		region := trace.StartRegion(ctx, a.Op)
		t0 := time.Now()
		err := loop(b.Order[i : i+1])
		ns := float64(time.Since(t0).Nanoseconds())
		region.End()
		if err != nil {
			return nil, err
		}
		took, which = append(took, ns), append(which, b.Order[i])
		if ns <= out.Ns {
			continue
		}
		_, now := bench.Switches()
		metrics.Read(gc)
		grew := ns > 1.2*out.Ns
		out.Ns, out.Value = ns, int(b.Order[i])
		out.Taken = now - taken
		out.GCs, out.Stopped = gc[0].Value.Uint64()-cycles, 1e9*(gc[1].Value.Float64()-pause)
		if rec != nil && grew && written < flights && len(took) > 100 {
			written++
			if err := writeTrace(rec, a.Trace); err != nil {
				out.Trace = err.Error()
				continue
			}
			out.Traced, out.Trace = true, ""
		}
	}
	if out.N = len(took); out.N == 0 {
		return nil, errors.New("no call was made")
	}
	var same []float64
	for i, ns := range took {
		if int(which[i]) == out.Value && ns != out.Ns {
			same = append(same, ns)
		}
	}
	if len(same) > 0 {
		out.Usual = worker.Quantile(same, 0.5)
	}
	out.Median, out.P99 = worker.Quantile(took, 0.5), worker.Quantile(took, 0.99)
	wire, err := b.Encoded()
	if err == nil {
		out.Bytes = len(wire[out.Value])
	}
	return out, err
}

func writeTrace(rec *trace.FlightRecorder, name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := rec.WriteTo(f); err != nil {
		return errors.Join(fmt.Errorf("flight recorder: %w", err), f.Close())
	}
	return f.Close()
}
