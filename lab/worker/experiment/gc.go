package experiment

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"sync"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// node is an object of a retained heap. Nodes are linked, since collectors trace pointers, not
// bytes.
type node struct {
	next *node
	_    [112]byte
}

func retain(bytes int64) *node {
	var head *node
	for ; bytes > 0; bytes -= 120 {
		head = &node{next: head}
	}
	return head
}

// collect runs the task on one goroutine, with the given GC target, and returns what the process
// and its collector spent.
func (b *Bench[N]) collect(a *worker.GC) (*worker.GCReading, error) {
	task, err := b.Task(a.Task)
	if err != nil {
		return nil, err
	}
	do := task()
	if err := b.warmUp(do); err != nil {
		return nil, err
	}
	kept := retain(a.Retain)
	defer runtime.KeepAlive(kept)
	defer debug.SetGCPercent(debug.SetGCPercent(a.GOGC))
	debug.FreeOSMemory()
	r, m := &worker.GCReading{}, new(bench.Meter)
	gc0, assist0 := gcCPU()
	m.Start()
	for ; r.N < a.N; r.N++ {
		if _, err := do(int(b.Order[r.N%len(b.Order)])); err != nil {
			return nil, err
		}
	}
	m.Stop()
	gc1, assist1 := gcCPU()
	r.Wall, r.CPU = float64(m.Wall), float64(m.CPU)
	r.GCCPU, r.Assist = gc1-gc0, assist1-assist0
	end := &m.After
	r.Cycles, r.Pause = int(end.NumGC-m.Before.NumGC), float64(end.PauseTotalNs-m.Before.PauseTotalNs)
	for i := range min(r.Cycles, len(end.PauseNs)) { // PauseNs is a ring; NumGC counts its writes
		at := (int(end.NumGC) - 1 - i) % len(end.PauseNs)
		r.PauseMax = max(r.PauseMax, float64(end.PauseNs[at]))
	}
	r.Allocs, r.Bytes = m.Allocs(), m.Bytes()
	r.Peak, r.Live = float64(end.HeapAlloc), live()
	return r, nil
}

// gcCPU returns the CPU time of all collections so far in ns, as of the end of the last cycle.
func gcCPU() (total, assist float64) {
	s := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/assist:cpu-seconds"}}
	metrics.Read(s)
	return 1e9 * number(s[0]), 1e9 * number(s[1])
}

// live returns the bytes that were alive after the last collection.
func live() float64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return number(s[0])
}

func number(s metrics.Sample) float64 {
	switch s.Value.Kind() {
	case metrics.KindFloat64:
		return s.Value.Float64()
	case metrics.KindUint64:
		return float64(s.Value.Uint64())
	}
	return 0
}

// allocTime takes a CPU profile of the task on one goroutine.
func (b *Bench[N]) allocTime(a *worker.AllocTime) (*worker.Profile, error) {
	task, err := b.Task(a.Task)
	if err != nil {
		return nil, err
	}
	do, p := task(), &worker.Profile{}
	var buf bytes.Buffer
	if err := pprof.StartCPUProfile(&buf); err != nil {
		return nil, err
	}
	for end := time.Now().Add(a.For); time.Now().Before(end); {
		for range 16 {
			if _, err := do(int(b.Order[p.N%len(b.Order)])); err != nil {
				pprof.StopCPUProfile()
				return nil, err
			}
			p.N++
		}
	}
	pprof.StopCPUProfile()
	p.Data = buf.Bytes()
	return p, nil
}

// watched is a value whose memory is watched. The pointer keeps small values out of blocks that the
// allocator shares among several values, which die together.
type watched[N any] struct {
	value N
	_     *byte
}

// lifetime decodes each message into new memory. For some of the values it records how long they
// live.
func (b *Bench[N]) lifetime(a *worker.Lifetime) (*worker.Lifetimes, error) {
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return nil, err
	}
	dec, l := d.New(), &worker.Lifetimes{}
	var mu sync.Mutex
	begin := time.Now()
	type birth struct {
		at    time.Duration
		cycle uint64
	}
	count := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	for end := begin.Add(a.For); time.Now().Before(end); {
		for range max(a.Every, 1) {
			w := new(watched[N])
			if err := dec(in[int(b.Order[l.N%len(b.Order)])], &w.value); err != nil {
				return nil, err
			}
			if l.N%max(a.Every, 1) == 0 {
				metrics.Read(count)
				l.Watched++
				runtime.AddCleanup(w, func(born birth) {
					now := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
					metrics.Read(now)
					mu.Lock()
					defer mu.Unlock()
					l.Age.Record(int64(time.Since(begin) - born.at))
					l.Cycles.Record(int64(number(now[0])) - int64(born.cycle))
				}, birth{time.Since(begin), uint64(number(count[0]))})
			}
			l.N++
		}
	}
	mu.Lock()
	defer mu.Unlock()
	out := *l // values found dead later are not counted
	out.Age, out.Cycles = openloop.Histogram{}, openloop.Histogram{}
	out.Age.Add(&l.Age)
	out.Cycles.Add(&l.Cycles)
	return &out, nil
}
