package wire

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// texts are strings of every length around the ends of words, ASCII and not.
func texts() []string {
	var out []string
	for n := range 300 {
		s := strings.Repeat("abcdefghijklm", n/13+1)[:n]
		out = append(out, s)
		for _, at := range []int{0, 1, n / 2, n - 3, n - 1} {
			if n > 70 && n%16 > 1 || at < 0 || at >= n {
				continue
			}
			for _, mid := range []string{"é", "\x80", "😀"} {
				out = append(out, s[:at]+mid+s[at+1:])
			}
		}
	}
	return out
}

// PutText and PutString against their references; bytes around stay as they are.
func TestPut(t *testing.T) {
	for _, s := range texts() {
		got := bytes.Repeat([]byte{0xAA}, len(s)+16)
		want := slices.Clone(got)
		if plain := PutText(got[8:8+len(s)], s)&High == 0; plain != (copyText(want[8:8+len(s)], s)&High == 0) || !bytes.Equal(got, want) {
			t.Fatalf("%q: %q, plain %v", s, got, plain)
		}
		clear(got[8 : 8+len(s)])
		if ok := PutString(got[8:], s); ok != utf8.ValidString(s) || !bytes.Equal(got, want) {
			t.Fatalf("%q: %q, %v", s, got, ok)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a string longer than its place was written")
		}
	}()
	PutString(make([]byte, 7, 100), "12345678")
}

// TestPutColumn holds putColumn against copyColumn, on strings of each length around the ends of
// words, in any order; the bytes behind the list stay as they are.
func TestPutColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	all := texts()
	for range 20000 {
		size, n := 0, r.IntN(12)
		l, order := make([]string, n), make([]uint64, n)
		for i, o := range r.Perm(n) {
			order[i] = r.Uint64()<<8 | uint64(o)
			l[i] = all[r.IntN(min(len(all), 30<<r.IntN(5)))]
			size += len(l[i])
		}
		got := bytes.Repeat([]byte{0xAA}, 2*(n+1)+size+16)
		want := slices.Clone(got)
		end, plain := putColumn(got, l, order)
		wantEnd, wantPlain := copyColumn(want, l, order)
		if end != wantEnd || plain != wantPlain || !bytes.Equal(got, want) {
			t.Fatalf("%q by %v: %x, %d, %v; want %x, %d, %v", l, order, got, end, plain, want, wantEnd, wantPlain)
		}
	}
}

// stringMaps are maps of 0 to 20 pairs with keys that are alike in their first bytes.
func stringMaps(r *rand.Rand) (out []map[string]string) {
	all := texts()
	keys := []string{"", "\x00", "\x00\x00", "a", "a\x00", "ab", "abc", "abcd", "abcdefg", "abcdefg\x00", "abcdefgh", "abcdefgh\x00",
		"abcdefgha", "abcdefghij", "é", "日本", "\xff"}
	for i := range 4000 {
		m := map[string]string{}
		for range i % 12 {
			switch k := keys[r.IntN(len(keys)-r.IntN(2))]; r.IntN(3) {
			case 0:
				m[k] = all[r.IntN(len(all))]
			case 1:
				m[k] = all[r.IntN(20)]
			default:
				m[all[r.IntN(len(all))]] = k
			}
		}
		out = append(out, m)
	}
	return append(out, map[string]string{"a": strings.Repeat("x", 70000), "b": "y"})
}

// TestStringMapForms holds DecodeStringMap against its reference, on whole messages and damaged ones.
func TestStringMapForms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	e := NewEncoder(0, 1<<20)
	for _, m := range stringMaps(r) {
		b, err := AppendStringMap(&e, nil, m)
		if err != nil {
			continue
		}
		var back map[string]string
		if err := DecodeStringMap(&Decoder{Budget: 1 << 30}, b, &back); err != nil || !maps.Equal(back, m) {
			t.Fatalf("%q came back as %q, %v", m, back, err)
		}
		for range 20 {
			x := slices.Clone(b)
			for n := r.IntN(3); len(x) > 0 && n >= 0; n-- {
				x[r.IntN(min(len(x), 40))] ^= 1 << r.IntN(8)
			}
			sameDecode(t, x[:len(x)-min(len(x), r.IntN(2)*r.IntN(3))])
		}
	}
}

func sameDecode(t *testing.T, b []byte) {
	t.Helper()
	var got, want map[string]string
	d, e := Decoder{Budget: 1 << 30}, Decoder{Budget: 1 << 30}
	err, wantErr := DecodeStringMap(&d, b, &got), decodeStringMap(&e, b, &want)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || d.Budget != e.Budget || err == nil && !maps.Equal(got, want) {
		t.Fatalf("%x: %q, %v; want %q, %v", b, got, err, want, wantErr)
	}
}

func FuzzStringMap(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	e := NewEncoder(0, 1<<20)
	for _, m := range stringMaps(r)[:200] {
		if b, err := AppendStringMap(&e, nil, m); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) { sameDecode(t, b) })
}
