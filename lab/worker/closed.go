package worker

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// ClosedLoop is a load of callers of whom each waits for its answer before it asks again.
type ClosedLoop struct {
	Task       Task
	Goroutines int
	Rounds     int           // requests of each
	Most       time.Duration // after which no request begins, however many are left
	Procs      int           // GOMAXPROCS meanwhile, as it is when 0
	Spin       bool          // a thread spins meanwhile, as the generator of an open loop does
}

// Load is what a load showed.
type Load struct {
	N      int     `json:"n"`     // requests done
	Left   int     `json:"left"`  // requests that were due and not begun in time
	Wall   float64 `json:"wall"`  // ns
	CPU    float64 `json:"cpu"`   // ns of the process
	Bytes  float64 `json:"bytes"` // over the wire
	Procs  int     `json:"procs"` // GOMAXPROCS
	Cycles int     `json:"cycles"`
	Memory Memory  `json:"memory"` // at the end
	// Waited and Preempted are context switches: a thread gave its processor up to wait,
	// or the system took it away.
	Waited    int64 `json:"waited"`
	Preempted int64 `json:"preempted"`

	Response Histogram `json:"response"` // ns from when a request was made, or due, to its end
	Service  Histogram `json:"service"`  // ns of the codec's own work, with what interrupts it
	Late     Histogram `json:"late"`     // ns by which the generator of an open loop was late
}

// tally is what one goroutine counts.
type tally struct {
	response, service Histogram
	n                 int
	bytes             int
	err               error
	_                 [64]byte // the next one's counters lie on another cache line
}

func (l *Load) add(tallies []tally) error {
	var errs []error
	for i := range tallies {
		t := &tallies[i]
		l.Response.Add(&t.response)
		l.Service.Add(&t.service)
		l.N += t.n
		l.Bytes += float64(t.bytes)
		errs = append(errs, t.err)
	}
	return errors.Join(errs...)
}

// closedLoop lets a request wait for a processor before it is served: a caller gives its
// processor up once it has made it, and gets it back when the others had their turn.
func (b *bench[T, N]) closedLoop(a *ClosedLoop) (*Load, error) {
	task, err := b.task(a.Task)
	if err != nil {
		return nil, err
	}
	if a.Procs > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(a.Procs))
	}
	l := &Load{Procs: runtime.GOMAXPROCS(0)}
	if err := b.warmUp(task()); err != nil {
		return nil, err
	}
	tallies := make([]tally, a.Goroutines)
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	var m0, m1 runtime.MemStats
	var start time.Time
	for g := range tallies {
		ready.Add(1)
		do := task()
		done.Go(func() {
			t := &tallies[g]
			at := g * len(b.order) / len(tallies)
			ready.Done()
			<-begin
			made := time.Now()
			for range a.Rounds {
				runtime.Gosched()
				from := time.Now()
				if a.Most > 0 && from.Sub(start) > a.Most {
					return
				}
				n, err := do(int(b.order[at]))
				if err != nil {
					t.err = err
					return
				}
				now := time.Now()
				t.service.Record(int64(now.Sub(from)))
				t.response.Record(int64(now.Sub(made)))
				t.n, t.bytes, made = t.n+1, t.bytes+n, now
				if at++; at == len(b.order) {
					at = 0
				}
			}
		})
	}
	ready.Wait()
	runtime.GC()
	stop := spinning(a.Spin)
	defer stop()
	runtime.ReadMemStats(&m0)
	w0, p0 := switches()
	c0 := cpuTime()
	start = time.Now()
	close(begin)
	done.Wait()
	l.Wall, l.CPU = float64(time.Since(start)), float64(cpuTime()-c0)
	w1, p1 := switches()
	l.Waited, l.Preempted = w1-w0, p1-p0
	runtime.ReadMemStats(&m1)
	l.Cycles, l.Memory = int(m1.NumGC-m0.NumGC), memory()
	err = l.add(tallies)
	l.Left = a.Goroutines*a.Rounds - l.N
	return l, err
}

// warmUp does a task once with each value: caches of types are filled, buffers grown.
func (b *bench[T, N]) warmUp(do func(int) (int, error)) error {
	for i := range b.vals {
		if _, err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// spinning keeps one thread busy until the function that it returns is called.
func spinning(on bool) (stop func()) {
	if !on {
		return func() {}
	}
	var end atomic.Bool
	var done sync.WaitGroup
	done.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for !end.Load() {
		}
	})
	return func() {
		end.Store(true)
		done.Wait()
	}
}
