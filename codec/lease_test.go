package codec_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/zmylab/zmy/codec"
)

func leased(t testing.TB, p *codec.Pool, v any) codec.Lease {
	t.Helper()
	l, err := codec.MarshalLeased(codec.StdJSON{}, p, v)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Each misuse panics with a text that says what was done and what to do.
func TestMisusedLeases(t *testing.T) {
	over := func(t *testing.T) codec.Lease {
		l := leased(t, new(codec.Pool), "x")
		l.Release()
		return l
	}
	for _, k := range []struct {
		name string
		do   func(t *testing.T)
		want string
	}{
		{"bytes after release", func(t *testing.T) { over(t).Bytes() }, "Lease.Bytes after the last Release"},
		{"double release", func(t *testing.T) { over(t).Release() }, "Lease.Release after the last Release"},
		{"retain after release", func(t *testing.T) { over(t).Retain() }, "Lease.Retain after the last Release"},
		{"one release too many", func(t *testing.T) {
			l := leased(t, new(codec.Pool), "x")
			l.Retain()
			l.Release()
			l.Release()
			l.Release()
		}, "each holder needs a Retain of its own"},
		{"zero bytes", func(*testing.T) { codec.Lease{}.Bytes() }, "the zero Lease"},
		{"zero release", func(*testing.T) { codec.Lease{}.Release() }, "the zero Lease"},
		{"lease twice", func(*testing.T) {
			b := new(codec.Pool).Get(1)
			b.Lease()
			b.Lease()
		}, "leased already"},
		{"release of the buffer", func(*testing.T) {
			b := new(codec.Pool).Get(1)
			b.Lease()
			b.Release()
		}, "the buffer is leased"},
	} {
		t.Run(k.name, func(t *testing.T) {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, k.want) {
					t.Errorf("panic %q, want %q", p, k.want)
				}
			}()
			k.do(t)
			t.Error("no panic")
		})
	}
}

// A lease of a message stays refused when the buffer carries the next one.
func TestStaleLeaseOfReusedBuffer(t *testing.T) {
	b := new(codec.Buffer) // of no pool, so that it can be handed out again here
	first := b.Lease()
	first.Release()
	second := b.Lease()
	b.B = []byte("second")
	defer second.Release()
	for name, f := range map[string]func(){
		"Bytes": func() { first.Bytes() }, "Retain": first.Retain, "Release": first.Release,
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, "reused by another lease") {
					t.Errorf("%s of the first lease: %q", name, p)
				}
			}()
			f()
		}()
	}
	if string(second.Bytes()) != "second" {
		t.Error("the second lease suffers from the first")
	}
}

// Readers on many goroutines, each with a share; buffers are reused meanwhile.
func TestLeasesCrossGoroutines(t *testing.T) {
	var p codec.Pool
	var wg sync.WaitGroup
	for i := range 200 {
		v := strings.Repeat(string(rune('a'+i%26)), 1+i*3)
		l := leased(t, &p, v)
		for range 8 {
			l.Retain()
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer l.Release()
				if got := string(l.Bytes()); got != `"`+v+`"` {
					t.Errorf("%q, want %q", got, v)
				}
			}()
		}
		l.Release()
	}
	wg.Wait()
	if s := p.Stats(); s.Hits+s.Misses != 200 {
		t.Errorf("%+v, want 200 buffers handed out", s)
	}
}

func TestLeaseOfNothing(t *testing.T) {
	if l, err := codec.MarshalLeased(codec.StdJSON{}, new(codec.Pool), make(chan int)); err == nil || l != (codec.Lease{}) {
		t.Errorf("%v, %v", l, err)
	}
}

func TestLeaseDoesNotAllocate(t *testing.T) {
	b := new(codec.Buffer)
	if n := testing.AllocsPerRun(100, func() {
		l := b.Lease()
		l.Retain()
		_ = l.Bytes()
		l.Release()
		l.Release()
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkLease(b *testing.B) {
	l := new(codec.Pool).Get(64).Lease()
	b.ReportAllocs()
	for b.Loop() {
		l.Retain()
		_ = l.Bytes()
		l.Release()
	}
}
