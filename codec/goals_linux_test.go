package codec_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

var goals = flag.Bool("goals", false, "measure the goals of this package's speed")

// TestGoals holds what the package costs to its goals, in CPU time of one thread: the
// least of many short runs, taken by turns in shuffled order, so that other
// programs on the machine disturb little. What allocates is tested without -goals.
//
//	go test ./codec -run TestGoals -goals -v
func TestGoals(t *testing.T) {
	if !*goals {
		t.Skip("takes seconds of CPU time: -goals")
	}
	r := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, codec.Gob{}, nothing{})
	order := orderlite.SampleOrder(rand.New(rand.NewPCG(3, 3)))
	if err := codec.SetTypeFor[orderlite.Order](r, "zmy"); err != nil {
		t.Fatal(err)
	}
	v, ctx := any(&order), context.Background()
	unset, err := r.Lookup("nothing")
	if err != nil {
		t.Fatal(err)
	}
	set := codec.Observe(nothing{}, nobody{})
	var p codec.Pool
	lease := p.Get(64).Lease()
	negotiate := func(accept string) func() {
		return func() {
			if _, _, err := r.Negotiate(accept); err != nil {
				panic(err)
			}
		}
	}
	rows := []struct {
		name string
		f    func()
		less func() // what is subtracted
		most float64
	}{
		{"find by name", func() { _, _ = r.Lookup("gob") }, nil, 25},
		{"find by media type", func() { _, _ = r.ByMediaType("application/json; charset=utf-8") }, nil, 60},
		{"find by Go type", func() { _, _ = r.For(v) }, nil, 25},
		{"negotiate: no header", negotiate(""), nil, 150},
		{"negotiate: curl, */*", negotiate("*/*"), nil, 150},
		{"negotiate: application/json", negotiate("application/json"), nil, 150},
		{"negotiate: a type and a fallback", negotiate("application/vnd.zmy, application/json;q=0.5"), nil, 150},
		{"negotiate: axios", negotiate("application/json, text/plain, */*"), nil, 150},
		{"negotiate: a browser's page", negotiate("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8"), nil, 150},
		{"negotiate: Firefox", negotiate("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), nil, 150},
		{"negotiate: Chrome, eight ranges", negotiate("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"), nil, 150},
		{"not observed", func() { _ = unset.Unmarshal(nil, v) }, func() { _ = nothingItself.Unmarshal(nil, v) }, 2},
		{"observed by nobody", func() { _ = set.Unmarshal(nil, v) }, func() { _ = nothingItself.Unmarshal(nil, v) }, 250},
		{"WithContext, not observed", func() { _ = codec.WithContext(ctx, unset) }, nil, 8},
		{"As", func() { _, _ = codec.As[codec.Appender](unset) }, nil, 25},
		{"pool: take and give back", func() { p.Get(4096).Release() }, nil, 40},
		{"lease: retain, read, release", func() { lease.Retain(); _ = lease.Bytes(); lease.Release() }, nil, 40},
	}
	var work []func()
	for _, k := range rows {
		work = append(work, k.f)
		if k.less != nil {
			work = append(work, k.less)
		}
	}
	least := leastCPU(work)
	for _, k := range rows {
		got := least[0]
		least = least[1:]
		if k.less != nil {
			got = max(0, got-least[0])
			least = least[1:]
		}
		t.Logf("%-34s %6.1f ns, goal %v", k.name, got, k.most)
		if got > k.most {
			t.Errorf("%s: %.1f ns, goal %v", k.name, got, k.most)
		}
	}
}

// nothingItself is called as any codec is, through the interface.
var nothingItself codec.Codec = nothing{}

// leastCPU returns the least CPU time of one call of each f, in ns.
func leastCPU(work []func()) []float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const rounds, calls = 200, 2_000
	least := make([]float64, len(work))
	for round := range rounds {
		for _, i := range rand.Perm(len(work)) {
			before := threadCPU()
			for range calls {
				work[i]()
			}
			if d := float64(threadCPU()-before) / calls; round == 0 || d < least[i] {
				least[i] = d
			}
		}
	}
	return least
}

// threadCPU is the CPU time of this thread in ns. (getrusage counts in ticks of
// milliseconds on many kernels.)
func threadCPU() int64 {
	const clock = 3 // CLOCK_THREAD_CPUTIME_ID, clock_gettime(2)
	var ts syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0); err != 0 {
		panic(err)
	}
	return ts.Nano()
}
