package pbtype

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestParseReserved(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"2", "2"}, {"6, 2, 4 to 5", "2, 4 to 6"}, {"3 to 3", "3"}, {"1 to 9, 4, 10", "1 to 10"}, {"100 to max, 7", "7, 100 to max"},
		{"-3 to -1", "-3 to -1"},
	} {
		got, names, ok := ParseReserved(c.in, MaxField)
		if !ok || names != nil || got.Text(MaxField) != c.want {
			t.Errorf("%s: %s %v %v, want %s", c.in, got.Text(MaxField), names, ok, c.want)
		}
	}
	if _, names, ok := ParseReserved(`"a", "b_2"`, MaxField); !ok || !slices.Equal(names, []string{"a", "b_2"}) {
		t.Error(names, ok)
	}
	for _, bad := range []string{"", "x", "2,", `2, "a"`, `"a b"`, "5 to 3", "3 to 2147483647", "2147483648", "1 to", `"a`} {
		if numbers, names, ok := ParseReserved(bad, MaxField); ok {
			t.Errorf("%q: %v %v", bad, numbers, names)
		}
	}
}

// TestRanges compares ranges with sets of numbers.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() (Ranges, map[int32]bool) {
		var numbers []int32
		set := map[int32]bool{}
		for range r.IntN(8) {
			n := r.Int32N(12)
			numbers, set[n] = append(numbers, n), true
		}
		return RangesOf(numbers...), set
	}
	for range 2000 {
		a, inA := draw()
		b, inB := draw()
		union, without := a.Union(b), a.Without(b)
		for n := range int32(14) {
			if a.Has(n) != inA[n] || union.Has(n) != (inA[n] || inB[n]) || without.Has(n) != (inA[n] && !inB[n]) {
				t.Fatalf("%d: %v and %v: union %v, without %v", n, a, b, union, without)
			}
			next := n
			for inA[next] {
				next++
			}
			if got := a.Next(int64(n)); got != int64(next) {
				t.Fatalf("%v: %d follows %d, want %d", a, got, n, next)
			}
		}
		for i := 1; i < len(union); i++ {
			if union[i-1].To+1 >= union[i].From {
				t.Fatalf("%v is not normal", union)
			}
		}
	}
	all := Ranges{{1, MaxEnumValue}}
	if got := all.Without(Ranges{{5, MaxEnumValue}}); got.Text(MaxEnumValue) != "1 to 4" || all.Next(3) != MaxEnumValue+1 {
		t.Error(got, all.Next(3))
	}
}
