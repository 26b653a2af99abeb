package zmy_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// each runs f n times on each of several goroutines at once.
func each(goroutines, n int, f func() func() error) error {
	var wg sync.WaitGroup
	errs := make(chan error, goroutines)
	for range goroutines {
		step := f()
		wg.Go(func() {
			for range n {
				if err := step(); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// contended lists where below a function goroutines have waited for a lock of
// package sync. (The profile has the runtime's own locks too, such as that of
// the heap.)
func contended(where string) (stacks []string) {
	records := make([]runtime.BlockProfileRecord, 1000)
	n, _ := runtime.MutexProfile(records)
	for _, r := range records[:min(n, len(records))] {
		var stack []string
		for frames, more := runtime.CallersFrames(r.Stack()), true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			stack = append(stack, f.Function)
		}
		if s := strings.Join(stack, " "); strings.HasPrefix(s, "sync.") && strings.Contains(s, where) {
			stacks = append(stacks, s)
		}
	}
	return stacks
}

// Marshalling, unmarshalling and views hold no lock that goroutines would wait
// for. A lock around the same work shows that the profile would tell.
func TestNoLock(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one processor")
	}
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	v := sampleOrder()
	enc, err := zmy.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	work := func() func() error {
		var buf []byte
		var reused zmycase.Order
		return func() (err error) {
			if buf, err = v.AppendZMY(buf[:0]); err != nil {
				return err
			}
			if _, err = zmy.Marshal(&v); err != nil { // by the pool of buffers
				return err
			}
			if err = reused.UnmarshalZMYOptions(enc, zmy.UnmarshalOptions{Reuse: true}); err != nil {
				return err
			}
			_, err = zmycase.ViewOrder(enc)
			return err
		}
	}
	var mu sync.Mutex
	if err := each(4, 5000, func() func() error { return lockedWork(&mu, work()) }); err != nil {
		t.Fatal(err)
	}
	if len(contended("lockedWork")) == 0 {
		t.Skip("the profile shows no waiting even where there is a lock")
	}
	if err := each(4, 5000, work); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"zmycase.", "zmy/wire.", "zmy.Marshal"} {
		for _, stack := range contended(where) {
			if !strings.Contains(stack, "sync.(*Pool).pinSlow") { // once for each processor
				t.Errorf("goroutines waited for a lock: %s", stack)
			}
		}
	}
}

func lockedWork(mu *sync.Mutex, work func() error) func() error {
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		return work()
	}
}

// The same work by one goroutine and by as many as there are processors: ns/op
// falls as they rise (go test -bench Parallel -cpu 1,2).
func BenchmarkParallelAppend(b *testing.B) {
	v := sampleOrder()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		var buf []byte
		for pb.Next() {
			buf, _ = v.AppendZMY(buf[:0])
		}
	})
}

func BenchmarkParallelMarshal(b *testing.B) {
	v := sampleOrder()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, _ = zmy.Marshal(&v)
		}
	})
}

func BenchmarkParallelUnmarshal(b *testing.B) {
	v := sampleOrder()
	enc, err := zmy.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			var x zmycase.Order
			_ = x.UnmarshalZMY(enc)
		}
	})
}

func BenchmarkParallelView(b *testing.B) {
	v := sampleOrder()
	enc, err := zmy.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			x, _ := zmycase.ViewOrder(enc)
			_ = x.ID()
		}
	})
}
