package load

import (
	"math/rand/v2"
	"testing"
)

// TestSequence compares with a set of numbers.
func TestSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		from, n := r.IntN(5), 1+r.IntN(30)
		var q sequence
		q.start(from)
		have, next := map[int]bool{}, from
		for range r.IntN(40) {
			number := from - 1 + r.IntN(n+1)
			want := inOrder
			switch {
			case number >= next:
				next = number + 1
			case have[number] || number < from:
				want = duplicate
			default:
				want = outOfOrder
			}
			have[number] = true
			if got := q.add(number); got != want {
				t.Fatalf("number %d of %v: %d, want %d", number, q, got, want)
			}
		}
		for _, end := range []int{from, from + n/2, from + n, from + n + 3} {
			lost := 0
			for i := from; i < end; i++ {
				if !have[i] {
					lost++
				}
			}
			if got := q.lost(end); got != lost {
				t.Fatalf("%v: %d lost before %d, want %d", q, got, end, lost)
			}
		}
	}
}
