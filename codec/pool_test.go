package codec

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestClassFor(t *testing.T) {
	for _, c := range []struct {
		n, class int
		ok       bool
	}{
		{-1, 0, true}, {0, 0, true}, {64, 0, true}, {65, 1, true}, {128, 1, true}, {129, 2, true},
		{1 << 20, classCount - 1, true}, {1<<20 + 1, classCount, false},
	} {
		if class, ok := classFor(c.n); class != c.class || ok != c.ok {
			t.Errorf("classFor(%d) = %d, %v; want %d, %v", c.n, class, ok, c.class, c.ok)
		}
	}
}

func TestGetHasRoom(t *testing.T) {
	var p Pool
	for round := range 2 {
		for n := 0; n < 20<<20; n = n*5/3 + 1 {
			b := p.Get(n)
			if len(b.B) != 0 || cap(b.B) < n {
				t.Fatalf("round %d: Get(%d) has length %d, capacity %d", round, n, len(b.B), cap(b.B))
			}
			b.B = append(b.B, make([]byte, n)...)
			b.Release()
		}
	}
	s := p.Stats()
	if s.Hits == 0 || s.Misses == 0 || s.Dropped == 0 {
		t.Errorf("%+v: small buffers are reused, larger ones dropped", s)
	}
	if r := s.HitRate(); r <= 0 || r >= 1 {
		t.Errorf("hit rate %v", r)
	}
	if r := (PoolStats{}).HitRate(); r != 0 {
		t.Errorf("hit rate of an unused pool: %v", r)
	}
}

func TestGrownBuffersChangeClass(t *testing.T) {
	var p Pool
	b := p.Get(0)
	b.B = append(b.B, make([]byte, 5000)...)
	grown := cap(b.B)
	b.Release()
	// The runtime may drop pooled values at any time; when it does not, the buffer
	// is found in a class that its capacity fills.
	if c := p.Get(4096); p.Stats().Hits == 1 && cap(c.B) != grown {
		t.Errorf("capacity %d, want %d", cap(c.B), grown)
	}
}

func TestReleaseTwice(t *testing.T) {
	b := new(Pool).Get(1)
	b.Release()
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "released twice") {
			t.Errorf("panic %s", p)
		}
	}()
	b.Release()
}

func TestMarshalPooled(t *testing.T) {
	var p Pool
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 200 {
				v := fmt.Sprintf("%d-%d-%s", g, i, bytes.Repeat([]byte("x"), i*7))
				b, err := MarshalPooled(StdJSON{}, &p, v)
				if err != nil {
					t.Error(err)
					return
				}
				if want := `"` + v + `"`; string(b.B) != want {
					t.Errorf("%q, want %q", b.B, want)
				}
				b.Release()
			}
		}()
	}
	wg.Wait()
	if b, err := MarshalPooled(StdJSON{}, &p, make(chan int)); err == nil || b != nil {
		t.Errorf("a channel: %v, %v", b, err)
	}
	if s := p.Stats(); s.Hits+s.Misses != 1601 {
		t.Errorf("%+v, want 1601 in all", s)
	}
}

func BenchmarkMarshalPooled(b *testing.B) {
	v := map[string]int{"a": 1, "b": 2}
	b.Run("fresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (StdJSON{}).Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pooled", func(b *testing.B) {
		var p Pool
		b.ReportAllocs()
		for b.Loop() {
			buf, err := MarshalPooled(StdJSON{}, &p, v)
			if err != nil {
				b.Fatal(err)
			}
			buf.Release()
		}
		b.ReportMetric(100*p.Stats().HitRate(), "hit%")
	})
}

// BenchmarkPool takes a buffer and gives it back, on all processors.
func BenchmarkPool(b *testing.B) {
	for _, n := range []int{64, 4096, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var p Pool
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					p.Get(n).Release()
				}
			})
			b.ReportMetric(100*p.Stats().HitRate(), "hit%")
		})
	}
}
