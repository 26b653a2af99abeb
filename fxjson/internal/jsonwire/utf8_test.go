package jsonwire

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestUTF8End compares with utf8.Valid: all sequences of up to three bytes
// with a fourth from the ends of the ranges, and random texts.
func TestUTF8End(t *testing.T) {
	check := func(s []byte) { t.Helper(); checkUTF8End(t, string(s)) }
	ends := []int{0, 'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}
	for a := range 256 {
		check([]byte{byte(a)})
		for b := range 256 {
			check([]byte{byte(a), byte(b)})
			if a < 0xc0 {
				continue
			}
			for _, c := range ends {
				check([]byte{byte(a), byte(b), byte(c)})
				if a < 0xf0 {
					continue
				}
				for _, d := range ends {
					check([]byte{byte(a), byte(b), byte(c), byte(d)})
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range runs(50_000) {
		check([]byte(randomText(r, pieces)))
	}
}

func checkUTF8End(t *testing.T, s string) {
	t.Helper()
	for _, lead := range []string{"", "plain"} {
		b := lead + s
		want := 0
		for want < len(b) {
			r, n := utf8.DecodeRuneInString(b[want:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			want += n
		}
		if have := UTF8End(padded(b), 0, len(b)); have != want {
			t.Fatalf("UTF8End(%q) = %v, want %d", b, have, want)
		}
		if have := UTF8End(padded(b+`"é"`), 0, len(b)); have != want { // within a document
			t.Fatalf("UTF8End(%q, %d) = %v, want %d", b+`"é"`, len(b), have, want)
		}
	}
}

func BenchmarkUTF8End(b *testing.B) {
	r := rand.New(rand.NewPCG(13, 14))
	var s string
	for len(s) < 16<<10 {
		s += randomText(r, []string{"plain", "é", "日本語", "😀"})
	}
	doc := padded(s)
	b.Run("words", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			UTF8End(doc, 0, len(s))
		}
	})
	b.Run("utf8.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			utf8.Valid(doc[:len(s)])
		}
	})
}
