package experiment

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// tally holds counters that several goroutines share. There are few tallies, since a large heap
// would let the garbage collector run less often.
type tally struct {
	mu                sync.Mutex
	response, service openloop.Histogram
	n                 int
	bytes             int
	err               error
	_                 [64]byte // keeps the counters of the next tally on another cache line
}

// slip collects the times of one goroutine's last requests until they are counted.
type slip struct {
	times [32]struct{ response, service time.Duration }
	n     int
	bytes int
}

// count adds the times of a slip to the tally, and empties the slip.
func (t *tally) count(s *slip, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range s.times[:s.n] {
		t.response.Record(int64(x.response))
		t.service.Record(int64(x.service))
	}
	t.n, t.bytes = t.n+s.n, t.bytes+s.bytes
	if t.err == nil {
		t.err = err
	}
	s.n, s.bytes = 0, 0
}

// add adds the counters of all tallies to l. It returns their errors.
func add(l *worker.Load, tallies []tally) error {
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

// closedLoop starts all callers together and waits for the last.
func (b *Bench[N]) closedLoop(a *worker.ClosedLoop) (*worker.Load, error) {
	task, err := b.Task(a.Task)
	if err != nil {
		return nil, err
	}
	if a.Procs > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(a.Procs))
	}
	if err := b.warmUp(task()); err != nil {
		return nil, err
	}
	tallies := make([]tally, min(a.Goroutines, 4*runtime.GOMAXPROCS(0)))
	var begun time.Time
	start := bench.LineUp(a.Goroutines, func(g int) func() {
		t, do := &tallies[g%len(tallies)], task()
		return func() { t.call(a, begun, b.Order, g*len(b.Order)/a.Goroutines, do) }
	})
	runtime.GC()
	stop := spinning(a.Spin)
	defer stop()
	l := &worker.Load{Procs: runtime.GOMAXPROCS(0)}
	finish := watch(l)
	begun = time.Now()
	start()()
	finish(0)
	err = add(l, tallies)
	l.Left = a.Goroutines*a.Rounds - l.N
	return l, err
}

// call makes the requests of one caller. Before each request is served, the caller yields its
// processor, and gets it back after the others had their turn. So the response time includes
// waiting for a processor.
func (t *tally) call(a *worker.ClosedLoop, start time.Time, order []int32, at int, do func(int) (int, error)) {
	var s slip
	var err error
	made := time.Now()
	for range a.Rounds {
		runtime.Gosched()
		from := time.Now()
		if a.Most > 0 && from.Sub(start) > a.Most {
			break
		}
		n := 0
		if n, err = do(int(order[at])); err != nil {
			break
		}
		now := time.Now()
		s.times[s.n].response, s.times[s.n].service = now.Sub(made), now.Sub(from)
		s.n, s.bytes, made = s.n+1, s.bytes+n, now
		if s.n == len(s.times) {
			t.count(&s, nil)
			made = time.Now()
		}
		if at++; at == len(order) {
			at = 0
		}
	}
	t.count(&s, err)
}

// watch starts to measure what the process spends. The returned function ends that and fills in l.
// Its argument is CPU time that was not the codec's, which it subtracts.
func watch(l *worker.Load) (finish func(notOurs time.Duration)) {
	var m bench.Meter
	waited, preempted := bench.Switches()
	m.Start()
	return func(notOurs time.Duration) {
		m.Stop()
		w, p := bench.Switches()
		l.Wall, l.CPU = float64(m.Wall), max(0, float64(m.CPU-notOurs))
		l.Waited, l.Preempted = w-waited, p-preempted
		l.Cycles, l.Alloc = int(m.After.NumGC-m.Before.NumGC), m.Bytes()
		l.Memory = worker.Memory{Heap: float64(m.After.HeapAlloc), Mapped: float64(m.After.Sys - m.After.HeapReleased), Resident: resident()}
	}
}

// warmUp does the task once with each value, to fill caches of types and grow buffers.
func (b *Bench[N]) warmUp(do func(int) (int, error)) error {
	for i := range b.Vals {
		if _, err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// spinning keeps one thread busy until the returned function is called.
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

// resident returns the resident memory of the process in bytes, as Linux counts it, or 0 if it is
// not known.
func resident() float64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if f := strings.Fields(string(b)); len(f) > 1 {
		if pages, err := strconv.Atoi(f[1]); err == nil {
			return float64(pages) * float64(os.Getpagesize())
		}
	}
	return 0
}
