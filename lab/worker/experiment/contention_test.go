package experiment

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

func TestContention(t *testing.T) {
	b := loadBench(func([]byte) {})
	a := &worker.Contended{Goroutines: 4, N: 50, Repeats: 2}
	for name, c := range map[string]struct {
		do   func(*worker.Contended) (*worker.Readings, error)
		ways int
	}{"pool": {b.poolHits, 3}, "sharing": {b.falseSharing, 2}, "publication": {b.publication, 3}} {
		r, err := c.do(a)
		if err != nil || len(r.Ways) != c.ways {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		for _, w := range r.Ways {
			if len(w.NS) != a.Repeats || w.NS[0] <= 0 || w.Name == "" {
				t.Errorf("%s, %s: %v", name, w.Name, w.NS)
			}
		}
	}
	r, err := b.poolHits(a)
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Ways[1]; p.Gets != 3*4*50 || p.Hits < p.Gets/2 || p.Hits > p.Gets-3 { // a pool is empty at first, a new one each reading
		t.Errorf("%d of %d calls of Get found something", p.Hits, p.Gets)
	}
	b.Codec.Encoders = b.Codec.Encoders[:1]
	if r, err := b.poolHits(a); err != nil || r.Ways[0].None == "" {
		t.Errorf("a codec that cannot reuse: %+v, %v", r, err)
	}
}

// viaJSON stands in for encoding/gob.
var viaJSON = &worker.Gob{Register: func(any) {}, Marshal: json.Marshal, Unmarshal: json.Unmarshal}

func TestHandOff(t *testing.T) {
	b := loadBench(func([]byte) {})
	if _, err := b.handOff(new(worker.HandOff)); !errors.Is(err, errNoGob) {
		t.Fatalf("without encoding/gob: %v", err)
	}
	b.Codec.Gob = viaJSON
	b.Codec.Accessors = []worker.Accessor{{Mode: "view", New: func() func([]byte) (string, error) {
		return func(in []byte) (string, error) { return string(in), nil }
	}}}
	r, err := b.handOff(&worker.HandOff{N: 100, Repeats: 2})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range r.Ways {
		names = append(names, w.Name)
		if len(w.NS) != 2 || w.None != "" {
			t.Errorf("%s: %v, %s", w.Name, w.NS, w.None)
		}
	}
	if got := strings.Join(names, ","); got != "by value,pointer,gob bytes,encoded bytes,"+viewed {
		t.Error(got)
	}
	big, err := b.handOff(&worker.HandOff{N: 10, Repeats: 1, MiB: true})
	if err != nil || len(big.Ways) != 4 || big.Ways[2].Bytes < 1<<20 {
		t.Fatalf("1 MiB: %+v, %v", big, err)
	}
	for _, w := range big.Ways {
		if len(w.NS) != 1 || w.NS[0] <= 0 {
			t.Errorf("1 MiB, %s: %v ns", w.Name, w.NS)
		}
	}
}

// TestHandOffRefuses: a form that breaks is told of, and the others are measured.
func TestHandOffRefuses(t *testing.T) {
	b := loadBench(func(in []byte) {
		if len(in) == 3 {
			panic("three")
		}
	})
	b.Codec.Gob = viaJSON
	r, err := b.handOff(&worker.HandOff{N: 100, Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Ways {
		if broken := w.Name == "encoded bytes"; (w.None != "") != broken || broken && !strings.Contains(w.None, "three") {
			t.Errorf("%s: %q", w.Name, w.None)
		}
	}
}

// TestSlots: what is handed over by value is a copy, and is not written over while it is
// read, however far the sender is ahead.
func TestSlots(t *testing.T) {
	s := newSlots[[4]int]()
	v, got := [4]int{1, 2}, [4]int{}
	s.send(&v)
	v[0] = 9
	if s.receive(&got); got[0] != 1 || got[1] != 2 {
		t.Errorf("received %v", got)
	}
	const many = 10_000
	go func() {
		for i := range many {
			s.send(&[4]int{i, i, i, i})
		}
	}()
	for i := range many {
		if s.receive(&got); got != [4]int{i, i, i, i} {
			t.Fatalf("message %d is %v", i, got)
		}
	}
}

// ballast makes the compiler allocate on the heap.
var ballast []byte

func TestCollect(t *testing.T) {
	b := loadBench(func([]byte) { ballast = make([]byte, 4096) })
	r, err := b.collect(&worker.GC{Task: worker.Task{Op: "decode"}, N: 20_000, GOGC: 100})
	if err != nil || r.Cycles < 3 || r.Bytes < 20_000*4096 || r.Allocs < 20_000 || r.Pause <= 0 || r.PauseMax > r.Pause || r.CPU <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	off, err := b.collect(&worker.GC{Task: worker.Task{Op: "decode"}, N: 5000, GOGC: -1})
	if err != nil || off.Cycles != 0 || off.Peak < 5000*4096 {
		t.Errorf("collector off: %+v, %v", off, err)
	}
	heavy, err := b.collect(&worker.GC{Task: worker.Task{Op: "decode"}, N: 20_000, GOGC: 100, Retain: 64 << 20})
	if err != nil || heavy.Live < 64<<20 || heavy.Cycles >= r.Cycles {
		t.Errorf("a large heap: %g bytes live, %d collections after %d, %v", heavy.Live, heavy.Cycles, r.Cycles, err)
	}
	runtime.GC()
}

func TestLifetime(t *testing.T) {
	b := loadBench(func([]byte) { ballast = make([]byte, 4096) })
	l, err := b.lifetime(&worker.Lifetime{For: 200 * time.Millisecond, Every: 8})
	if err != nil || l.N == 0 || l.Watched != (l.N+7)/8 || int(l.Age.N()) > l.Watched {
		t.Fatalf("%d decoded, %d watched, %d found dead, %v", l.N, l.Watched, l.Age.N(), err)
	}
	if l.Age.N() > 0 && l.Cycles.Quantile(0.5) < 1 {
		t.Error("values were found dead without a collection")
	}
	p, err := b.allocTime(&worker.AllocTime{Task: worker.Task{Op: "decode"}, For: 50 * time.Millisecond})
	if err != nil || p.N == 0 || len(p.Data) < 100 {
		t.Errorf("profile of %d operations, %d bytes, %v", p.N, len(p.Data), err)
	}
}
