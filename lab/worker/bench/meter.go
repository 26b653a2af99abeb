package bench

import (
	"runtime"
	"sync"
	"time"
)

// Stopwatch adds up wall time and CPU time.
type Stopwatch struct {
	Wall, CPU time.Duration
	t0        time.Time
	c0        time.Duration
}

// Start lets both clocks run.
func (w *Stopwatch) Start() { w.c0, w.t0 = CPUTime(), time.Now() }

// Stop adds the time since Start.
func (w *Stopwatch) Stop() {
	w.Wall += time.Since(w.t0)
	w.CPU += CPUTime() - w.c0
}

// Meter measures what the process spends between Start and Stop.
type Meter struct {
	Stopwatch
	Before, After runtime.MemStats
}

// Start begins to measure. It reads the memory statistics before it starts the clocks, because that
// stops the world and takes time.
func (m *Meter) Start() {
	runtime.ReadMemStats(&m.Before)
	m.Stopwatch.Start()
}

// Stop stops the clocks, and then reads the memory statistics.
func (m *Meter) Stop() {
	m.Stopwatch.Stop()
	runtime.ReadMemStats(&m.After)
}

// Allocs returns the number of objects that were allocated.
func (m *Meter) Allocs() float64 { return float64(m.After.Mallocs - m.Before.Mallocs) }

// Bytes returns the number of bytes that were allocated.
func (m *Meter) Bytes() float64 { return float64(m.After.TotalAlloc - m.Before.TotalAlloc) }

// LineUp starts n goroutines. Goroutine g runs what prepare(g) returned, once start is called, so
// that all begin together and no measurement contains their creation. start returns a function that
// waits until all have ended.
func LineUp(n int, prepare func(g int) (run func())) (start func() (wait func())) {
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	for g := range n {
		run := prepare(g) // one after another, since a codec may not be able to make its state concurrently
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-begin
			run()
		})
	}
	ready.Wait()
	return func() func() { close(begin); return done.Wait }
}
