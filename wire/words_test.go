package wire

import (
	"testing"
	"unsafe"
)

// Room for a large list is made by what its first elements take, and never for
// more than sixteen times of what is there.
func TestRoom(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		size  func(i int) int
		grown int     // times that the buffer was grown, at most
		slack float64 // capacity in proportion to length, at most
	}{
		{"equal", 400_000, func(int) int { return 50 }, 6, 1.1},
		{"few words", 2000, func(int) int { return 5000 }, 9, 1.1},
		{"growing", 400_000, func(i int) int { return i / 4000 }, 12, 1.3},
		{"shrinking", 400_000, func(i int) int { return 100 - i/4000 }, 6, 2},
		{"first ones large", 1_000_000, func(i int) int { return (100 - i) & ((i - 100) >> 63) * 1000 }, 6, 17},
		{"empty", 1_000_000, func(int) int { return 0 }, 4, 2.1},
		{"last one large", 100_000, func(i int) int { return i / 99_999 * 1_000_000 }, 9, 17},
	} {
		buf := make([]byte, 0, 1<<10)
		b, w := BeginList(buf, 0, c.n)
		grown, at := 0, unsafe.SliceData(buf)
		look := func() {
			if p := unsafe.SliceData(b); p != at {
				at = p
				grown++
				if cap(b) > 17*len(b)+1<<16 {
					t.Errorf("%s: room for %d behind %d bytes", c.name, cap(b), len(b))
				}
			}
		}
		for i := range c.n {
			b = Extend(b, c.size(i))
			look()
			if !w.Put(b) {
				b = w.Mark(b)
			}
			look()
		}
		if slack := float64(cap(b)) / float64(len(b)); grown > c.grown || slack > c.slack {
			t.Errorf("%s: grown %d times, %d bytes in %d", c.name, grown, len(b), cap(b))
		}
		if c.name == "equal" { // a buffer of the right size stays
			again := b[:0:len(b)]
			again, w := BeginList(again, 0, c.n)
			for i := range c.n {
				if again = Extend(again, c.size(i)); !w.Put(again) {
					again = w.Mark(again)
				}
			}
			if unsafe.SliceData(again) != unsafe.SliceData(b) || len(again) != len(b) {
				t.Error("a buffer of the right size was left")
			}
		}
		l, err := OpenList(b)
		if err != nil || l.N != c.n || len(l.At(c.n-1)) != c.size(c.n-1) {
			t.Errorf("%s: %v, %d elements", c.name, err, l.N)
		}
	}
}
