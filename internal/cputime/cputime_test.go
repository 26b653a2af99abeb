package cputime

import (
	"flag"
	"runtime"
	"testing"
	"time"
)

// A benchmark that works reports what it has worked, and one that waits nearly nothing.
func TestReport(t *testing.T) {
	if _, ok := Process(); !ok {
		t.Skip("this system does not tell")
	}
	if err := flag.Set("test.benchtime", "3x"); err != nil {
		t.Fatal(err)
	}
	const work = 20 * time.Millisecond
	for _, c := range []struct {
		name  string
		op    func()
		least time.Duration
		most  time.Duration
	}{
		{"works", func() {
			for begin, _ := Process(); ; {
				if now, _ := Process(); now-begin >= work {
					return
				}
			}
		}, work, time.Hour},
		{"waits", func() { time.Sleep(50 * time.Millisecond) }, 0, 25 * time.Millisecond},
	} {
		r := testing.Benchmark(func(b *testing.B) {
			defer Report(b)()
			for range b.N {
				c.op()
			}
		})
		if got := time.Duration(r.Extra["cpu-ns/op"]); got < c.least || got > c.most {
			t.Errorf("%s: %v of processor time an operation, want %v to %v", c.name, got, c.least, c.most)
		}
	}
}

// What another thread works is the process's time and not this thread's.
func TestThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread, ok := Thread()
	if !ok {
		t.Skip("this system does not tell")
	}
	process, _ := Process()
	const work = 30 * time.Millisecond
	done := make(chan bool)
	go func() {
		for {
			if now, _ := Process(); now-process >= work {
				close(done)
				return
			}
		}
	}()
	<-done
	if now, _ := Thread(); now-thread > work/2 {
		t.Errorf("this thread has waited for %v", now-thread)
	}
}
