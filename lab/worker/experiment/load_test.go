package experiment

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// loadBench is a codec whose decoder does what the test says.
func loadBench(decode func(b []byte)) *Bench[int] {
	b := &Bench[int]{Bench: &bench.Bench[int]{Codec: worker.Contender[int]{Name: "c", Family: "json",
		Encoders: []worker.Encoder[int]{worker.Marshal[int]("fresh", json.Marshal),
			worker.Append[int]("append", func() func([]byte, any) ([]byte, error) {
				return func(dst []byte, v any) ([]byte, error) { out, err := json.Marshal(v); return append(dst, out...), err }
			})},
		Decoders: []worker.Decoder[int]{{Mode: "fresh", New: func() func([]byte, *int) error {
			return func(in []byte, v *int) error { decode(in); return json.Unmarshal(in, v) }
		}}}}}}
	if err := b.Load([]int{1, 22, 333}, 1); err != nil {
		panic(err)
	}
	return b
}

func TestTask(t *testing.T) {
	calls := 0
	b := loadBench(func([]byte) { calls++ })
	for op, want := range map[string]struct{ bytes, calls int }{"encode": {3, 0}, "decode": {3, 1}, worker.OpTrip: {3, 1}} {
		calls = 0
		task, err := b.Task(worker.Task{Op: op, Encode: "append"})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := task()(2); n != want.bytes || err != nil || calls != want.calls {
			t.Errorf("%s: %d bytes, %d calls, %v", op, n, calls, err)
		}
	}
	for _, bad := range []worker.Task{{Op: "x"}, {Op: "encode", Encode: "none"}, {Op: "decode", Decode: "none"}} {
		if _, err := b.Task(bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if d, err := b.again(&worker.Repeat{Task: worker.Task{Op: "encode"}, N: 7}); err != nil || d.N != 7 || d.Bytes < 7 {
		t.Errorf("repeat: %+v, %v", d, err)
	}
}

func TestClosedLoop(t *testing.T) {
	b := loadBench(func([]byte) {})
	l, err := b.closedLoop(&worker.ClosedLoop{Task: worker.Task{Op: worker.OpTrip}, Goroutines: 7, Rounds: 11, Procs: 2})
	if err != nil || l.N != 77 || l.Left != 0 || l.Response.N() != 77 || l.Service.N() != 77 || l.Procs != 2 || l.Wall <= 0 || l.Bytes < 77 {
		t.Errorf("%+v, %v", l, err)
	}
	if l.Response.Mean() < l.Service.Mean() {
		t.Errorf("a response takes %g ns, the work in it %g", l.Response.Mean(), l.Service.Mean())
	}
	slow := loadBench(func([]byte) { time.Sleep(5 * time.Millisecond) })
	l, err = slow.closedLoop(&worker.ClosedLoop{Task: worker.Task{Op: "decode"}, Goroutines: 2, Rounds: 1 << 30, Most: 30 * time.Millisecond})
	if err != nil || l.N == 0 || l.Left != 2<<30-l.N || l.Service.Quantile(0.5) < 4e6 {
		t.Errorf("a bounded loop: %d done, %d left, own work %g, %v", l.N, l.Left, l.Service.Quantile(0.5), err)
	}
}

// TestOpenLoopCountsStalls: who waits behind a stalled request waits since it was due.
func TestOpenLoopCountsStalls(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	const stall = 150 * time.Millisecond
	calls := 0
	b := loadBench(func([]byte) {
		if calls++; calls == 50 {
			time.Sleep(stall)
		}
	})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // one server: calls needs no lock
	l, err := b.openLoop(&worker.OpenLoop{Task: worker.Task{Op: "decode"},
		Schedule: openloop.Schedule{Rate: 1000, For: 300 * time.Millisecond, Even: true, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if l.N != 299 || l.Left != 0 || l.Late.N() != 299 {
		t.Errorf("%d answered, %d left, %d handed over", l.N, l.Left, l.Late.N())
	}
	// About half of the requests were due while the server slept: one of them slept, the
	// others waited for a part of that time.
	if got := l.Response.Quantile(0.9); got < float64(stall)/2 {
		t.Errorf("P90 of the responses is %s, though half of them stood behind a stall of %s", time.Duration(got), stall)
	}
	if got := l.Service.Quantile(0.9); got > float64(stall)/2 {
		t.Errorf("P90 of the work itself is %s: the stall was in one request only", time.Duration(got))
	}
}

// TestOpenLoopFallsBehind: half as much again as a server can do is answered within twice
// the time, but not in it.
func TestOpenLoopFallsBehind(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // one server
	b := loadBench(func([]byte) { time.Sleep(10 * time.Millisecond) })
	l, err := b.openLoop(&worker.OpenLoop{Task: worker.Task{Op: "decode"},
		Schedule: openloop.Schedule{Rate: 150, For: time.Second, Even: true, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if late := l.Behind + l.Left; late < 40 || late > l.N+l.Left { // it begins 100 at most in time, of 149
		t.Errorf("%d of %d requests were begun too late, %d not at all", l.Behind, l.N, l.Left)
	}
}

// TestOpenLoopGivesUp: what is due and not begun in time is counted.
func TestOpenLoopGivesUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := loadBench(func([]byte) { time.Sleep(10 * time.Millisecond) })
	l, err := b.openLoop(&worker.OpenLoop{Task: worker.Task{Op: "decode"},
		Schedule: openloop.Schedule{Rate: 2000, For: 100 * time.Millisecond, Seed: 1}})
	if err != nil || l.N == 0 || l.N > 25 || l.Left < 100 {
		t.Errorf("%d answered, %d left, %v: 200 ms have room for 20 of about 200", l.N, l.Left, err)
	}
	for _, bad := range []openloop.Schedule{{For: time.Second}, {Rate: 5}} {
		if _, err := b.openLoop(&worker.OpenLoop{Task: worker.Task{Op: "decode"}, Schedule: bad}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	runtime.GOMAXPROCS(1)
	if _, err := b.openLoop(&worker.OpenLoop{Task: worker.Task{Op: "decode"},
		Schedule: openloop.Schedule{Rate: 5, For: time.Second}}); err == nil || !strings.Contains(err.Error(), "two processors") {
		t.Errorf("one processor: %v", err)
	}
}
