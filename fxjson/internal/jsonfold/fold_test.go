package jsonfold

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// slowFold is the reference of [Index.Find].
func slowFold(names []string, key string) int {
	for f, name := range names {
		if strings.EqualFold(name, key) {
			return f
		}
	}
	return -1
}

// TestFold compares the index with strings.EqualFold: for every rune that has others but for case,
// and for drawn names and keys.
func TestFold(t *testing.T) {
	var all []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.SimpleFold(r) != r {
			all = append(all, string(r))
		}
	}
	names := New(all)
	first := map[string]int{} // by the orbit's least rune, which is what slowFold finds, in less time
	for f, s := range all {
		if _, ok := first[string(leastFold([]rune(s)[0]))]; !ok {
			first[string(leastFold([]rune(s)[0]))] = f
		}
	}
	for i, s := range all {
		want := first[string(leastFold([]rune(s)[0]))]
		if !strings.EqualFold(all[want], s) {
			t.Fatalf("%q and %q are not the same", all[want], s)
		}
		if i%50 == 0 {
			want = slowFold(all, s)
		}
		if got := names.Find(s); got != want {
			t.Errorf("Find(%q) = %d, want %d", s, got, want)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	const letters = "kKsS\u212a\u017faAéÉßẞσςΣ1_\u00b5\u03bc\U00010400\U00010428\xff"
	word := func() string {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteRune([]rune(letters)[r.IntN(len([]rune(letters)))])
		}
		return b.String() + strings.Repeat("x", r.IntN(2)*r.IntN(80))
	}
	for range 2000 {
		names := []string{word(), word(), word(), word()}
		index := New(names)
		for range 50 {
			key := word()
			if r.IntN(3) == 0 {
				key = strings.ToUpper(names[r.IntN(4)])
			}
			if got, want := index.Find(key), slowFold(names, key); got != want {
				t.Fatalf("%q in %q: %d, want %d", key, names, got, want)
			}
		}
	}
}
