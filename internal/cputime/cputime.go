// Package cputime has benchmarks report processor time: what other programs on the machine take
// is not in it, and the collector's work is.
package cputime

import (
	"testing"
	"time"
)

// Report has b report, as cpu-ns/op, the processor time of this process from here to the call of
// the function that it returns, for each of b.N operations. The time of a child process is not in
// it.
//
//	defer cputime.Report(b)()
//	for b.Loop() {
//
// Nothing is reported where the system does not tell.
func Report(b *testing.B) func() {
	begin, ok := Process()
	return func() {
		if end, _ := Process(); ok && b.N > 0 {
			b.ReportMetric(float64(end-begin)/float64(b.N), "cpu-ns/op")
		}
	}
}

// Process is the processor time of this process so far, user and system, of all its threads; false
// where the system does not tell.
func Process() (time.Duration, bool) { return read(process) }

// Thread is that of the calling thread alone: the caller locks its goroutine to it.
func Thread() (time.Duration, bool) { return read(thread) }

// The clocks of clock_gettime(2) on Linux.
const (
	process = 2 // CLOCK_PROCESS_CPUTIME_ID
	thread  = 3 // CLOCK_THREAD_CPUTIME_ID
)
