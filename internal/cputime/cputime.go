// Package cputime lets benchmarks report processor time. It includes the work of the garbage
// collector, and excludes the time that other programs on the machine take.
package cputime

import (
	"testing"
	"time"
)

// Report starts to measure the processor time of this process. The function that it returns makes b
// report the time per operation, as cpu-ns/op. The time of child processes is not included.
//
//	defer cputime.Report(b)()
//	for b.Loop() {
//
// It reports nothing if the system does not measure processor time.
func Report(b *testing.B) func() {
	begin, ok := Process()
	return func() {
		if end, _ := Process(); ok && b.N > 0 {
			b.ReportMetric(float64(end-begin)/float64(b.N), "cpu-ns/op")
		}
	}
}

// Process returns the processor time that all threads of this process have taken so far, user and
// system. It returns false if the system does not know the time.
func Process() (time.Duration, bool) { return read(process) }

// Thread returns the processor time of the calling thread. The caller must lock its goroutine to
// the thread.
func Thread() (time.Duration, bool) { return read(thread) }

// The clocks of clock_gettime(2) on Linux.
const (
	process = 2 // CLOCK_PROCESS_CPUTIME_ID
	thread  = 3 // CLOCK_THREAD_CPUTIME_ID
)
