package nano

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestBudgetFormula(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		p         Priority
		p99, want time.Duration
	}{
		{Normal, 0, 200 * ms},
		{High, 0, 50 * ms},
		{Normal, 200 * ms, 400 * ms},
		{High, 200 * ms, 100 * ms},
		{High, 100 * ms, 75 * ms},
		{Normal, time.Second, time.Second},
		{Normal, time.Hour, time.Second},
	} {
		if got := budgetFor(c.p, c.p99); got != c.want {
			t.Errorf("priority %d, P99 %v: %v, want %v", c.p, c.p99, got, c.want)
		}
	}
	b := NewBudget(10)
	if got := b.For(context.Background(), Key{}); got != 200*ms {
		t.Errorf("without priority and history: %v", got)
	}
	if got := b.For(Prioritize(context.Background(), High), Key{}); got != 50*ms {
		t.Errorf("high: %v", got)
	}
}

// TestWindow: the quantile of the window against that of the sorted durations.
func TestWindow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	now := time.Now()
	for range 200 {
		var w window
		var all []time.Duration
		for range 1 + rnd.IntN(1000) {
			d := time.Duration(rnd.ExpFloat64() * float64(20*time.Millisecond))
			w.observe(now, d)
			all = append(all, d)
		}
		slices.Sort(all)
		exact := all[(99*len(all)+99)/100-1]
		got := w.quantile(now, 0.99)
		if got < exact || got > exact+exact/8+windowUnit {
			t.Fatalf("P99 of %d: %v, exactly %v", len(all), got, exact)
		}
	}
}

func TestBuckets(t *testing.T) {
	last := -1
	for d := time.Duration(0); d < 20*time.Second; d += d/40 + 10*time.Microsecond {
		i := bucketOf(d)
		if i < last || i > last+1 {
			t.Fatalf("%v: bucket %d after %d", d, i, last)
		}
		last = i
		if i < windowBuckets-1 && (d >= bucketEnd(i) || i > 0 && d < bucketEnd(i-1)) {
			t.Fatalf("%v is not in bucket %d, [%v, %v)", d, i, bucketEnd(i-1), bucketEnd(i))
		}
	}
	if last != windowBuckets-1 || bucketOf(-time.Hour) != 0 {
		t.Errorf("last bucket %d, negative %d", last, bucketOf(-time.Hour))
	}
}

// TestWindowForgets by the clock that synctest turns.
func TestWindowForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(10)
		k := Key{Tenant: "a"}
		b.Observe(k, 500*time.Millisecond)
		for _, c := range []struct {
			wait time.Duration
			kept bool
		}{{0, true}, {29 * time.Second, true}, {2 * time.Second, true}, {60 * time.Second, false}} {
			time.Sleep(c.wait)
			if got := b.P99(k); (got > 0) != c.kept {
				t.Errorf("%v later: %v", c.wait, got)
			}
		}
	})
}

// TestWindowFull: more answers than a counter can hold keep their shape.
func TestWindowFull(t *testing.T) {
	var w window
	now := time.Now()
	for i := range 1_000_000 {
		d := time.Millisecond
		if i%50 == 0 {
			d = time.Second
		}
		w.observe(now, d)
	}
	if p50, p99 := w.quantile(now, 0.5), w.quantile(now, 0.99); p50 > 2*time.Millisecond || p99 < time.Second {
		t.Errorf("P50 %v, P99 %v", p50, p99)
	}
}

// TestTenantFlood: a hundred thousand tenants take the memory of as many as are allowed.
func TestTenantFlood(t *testing.T) {
	b := NewBudget(1000)
	for i := range 100_000 {
		b.Observe(Key{Tenant: fmt.Sprint(i)}, time.Millisecond)
	}
	if n := b.tenants.len(); n != 1000 {
		t.Errorf("%d tenants", n)
	}
	if b.P99(Key{Tenant: "99999"}) == 0 || b.P99(Key{Tenant: "0"}) != 0 {
		t.Error("the last is forgotten, or the first is not")
	}
}

// TestLRU against a slice that is kept in order.
func TestLRU(t *testing.T) {
	var l lru[int, int]
	var order []int // last used first
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		k := rnd.IntN(30)
		i := slices.Index(order, k)
		v := l.get(k)
		if (v == nil) != (i < 0) {
			t.Fatalf("%d: %v, in the slice at %d", k, v, i)
		}
		if i >= 0 {
			if *v != k {
				t.Fatalf("%d has value %d", k, *v)
			}
			order = slices.Delete(order, i, i+1)
		} else {
			*l.add(k) = k
		}
		order = slices.Insert(order, 0, k)
		if len(order) > 20 {
			if old, _ := l.removeOldest(); old != order[20] {
				t.Fatalf("removed %d, want %d", old, order[20])
			}
			order = order[:20]
		}
		if l.len() != len(order) {
			t.Fatalf("%d, want %d", l.len(), len(order))
		}
	}
}
