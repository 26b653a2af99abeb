package keysort

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sorted returns keys in the order that the package gives them.
func sorted(keys []string) []string {
	var heads []uint64
	if n := len(keys); 0 < n && n <= Few {
		var h [Few]uint64
		var k [Few]string
		for i := range keys {
			k[i], h[i] = keys[i], Head(keys[i], i)
		}
		heads = SortFew(&h, &k, n)
		other := make([]uint64, n)
		if Sort(other, make([]uint64, n), keys); !slices.Equal(values(keys, heads), values(keys, other)) {
			panic("Sort differs from SortFew")
		}
	} else {
		heads = make([]uint64, n)
		Sort(heads, make([]uint64, n), keys)
	}
	return values(keys, heads)
}

func values(keys []string, heads []uint64) []string {
	out := make([]string, len(heads))
	for i, h := range heads {
		out[i] = keys[Index(h)]
	}
	return out
}

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"", "a", "b", "\x00", "\xff", "é", "seven__", "0", "1"}
	for i := range 30_000 {
		keys := make([]string, r.IntN([]int{Few + 1, 17, 33, Many + 1}[i%4]))
		start := strings.Repeat("common ", r.IntN(3)*r.IntN(6))
		for i := range keys {
			keys[i] = start
			for range r.IntN(5) {
				keys[i] += parts[r.IntN(len(parts))]
			}
		}
		if got, want := sorted(keys), slices.Sorted(slices.Values(keys)); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", keys, got, want)
		}
	}
}

// A network sorts everything if it sorts all inputs of zeros and ones (Knuth, volume 3, section
// 5.3.4, theorem Z).
func TestNetworks(t *testing.T) {
	for in := range 1 << 16 {
		var h [16]uint64
		for i := range h {
			h[i] = uint64(in >> i & 1)
		}
		if sort16(&h); !slices.IsSorted(h[:]) {
			t.Fatalf("%016b: %v", in, h)
		}
		ones := 0
		for _, x := range h {
			ones += int(x)
		}
		if ones != bits.OnesCount16(uint16(in)) {
			t.Fatalf("%016b became %v", in, h)
		}
	}
}

func FuzzSort(f *testing.F) {
	f.Add("b,a,c,a b,", 0)
	f.Add(strings.Repeat("seven__x,seven__y,", 20), 3)
	f.Fuzz(func(t *testing.T, list string, at int) {
		keys := strings.Split(list, ",")
		if at >= 0 && at < len(list) {
			keys = append(keys, list[at:], list[:at])
		}
		keys = keys[:min(len(keys), Many)]
		if got, want := sorted(keys), slices.Sorted(slices.Values(keys)); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", keys, got, want)
		}
	})
}

func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 12, 16, 24, 40, 256} {
		lists := make([][]string, 64)
		for i := range lists {
			for range n {
				word := []string{"page_", "user_", "device_", "session_", ""}[r.IntN(5)]
				for range 3 + r.IntN(8) {
					word += string(rune('a' + r.IntN(26)))
				}
				lists[i] = append(lists[i], word)
			}
		}
		b.Run(fmt.Sprint("heads/", n), func(b *testing.B) {
			heads, spare := make([]uint64, n), make([]uint64, n)
			for i := 0; b.Loop(); i++ {
				Sort(heads, spare, lists[i%64])
			}
		})
		b.Run(fmt.Sprint("slices/", n), func(b *testing.B) {
			keys := make([]string, n)
			for i := 0; b.Loop(); i++ {
				copy(keys, lists[i%64])
				slices.Sort(keys)
			}
		})
	}
}
