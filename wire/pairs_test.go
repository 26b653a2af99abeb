package wire

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sameMaps appends keys, with values of all kinds, as maps by their own code and by the general one,
// which must agree in bytes and errors.
func sameMaps(t *testing.T, keys []string, left int) {
	t.Helper()
	vals := []any{
		"text", "", "é", -1, 1 << 30, int64(1 << 40), 0.5, true, false, nil, []any{"a", nil}, map[string]any{"k": 1},
		"\xff", strings.Repeat("x", 30_000),
	}
	strs, anys := map[string]string{}, map[string]any{}
	r := rand.New(rand.NewPCG(uint64(len(keys)), 1))
	kinds := len(vals) - []int{2, 2, 1, 0}[r.IntN(4)] // few maps hold what is no text or very long
	for _, k := range keys {
		v := vals[r.IntN(kinds)]
		anys[k] = v
		strs[k], _ = v.(string)
	}
	if len(anys) == 0 {
		return
	}
	e := NewEncoder(1, 1<<20)
	got, err := AppendStringMap(&e, []byte{7}, strs)
	want, wantErr := appendStringMap(&e, []byte{7}, strs)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%q: %.99x, %v; want %.99x, %v", strs, got, err, want, wantErr)
	}
	got, err = AppendAnyMap(&e, []byte{7}, anys, left)
	want, wantErr = appendAnyMap(&e, []byte{7}, anys, left)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%.999v: %.99x, %v; want %.99x, %v", anys, got, err, want, wantErr)
	}
}

// TestMapForms draws maps of each size with keys that share beginnings: none, some bytes, more than
// heads tell apart, more than sortMany skips; keys with zeros at their ends and keys that are no
// text.
func TestMapForms(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	ends := []string{"", "\x00", "\x00\x00", "a", "é", "\xff"}
	for i := range 6000 {
		n := r.IntN(12)
		if i%8 == 0 {
			n = r.IntN(300)
		}
		heads := []string{"", "user_", strings.Repeat("p", r.IntN(90)), strings.Repeat("\x00", r.IntN(9))}[:1+r.IntN(4)]
		span := 1 + r.IntN(2*n+2)
		keys := make([]string, n)
		for j := range keys {
			keys[j] = heads[r.IntN(len(heads))]
			switch r.IntN(3) {
			case 0:
				keys[j] += fmt.Sprint(r.IntN(span))
			case 1:
				keys[j] += fmt.Sprintf("%09d", r.IntN(span))
			default:
				keys[j] += strings.Repeat(string(rune('a'+r.IntN(3))), r.IntN(20))
			}
			if r.IntN(4) == 0 {
				keys[j] += ends[r.IntN(len(ends)-min(1, r.IntN(30)))]
			}
		}
		sameMaps(t, keys, r.IntN(3))
	}
}

func FuzzMaps(f *testing.F) {
	f.Add("a b c", " ", uint8(1))
	f.Add("user_1,user_2,user_10,user_,\x00,", ",", uint8(2))
	f.Add(strings.Repeat("x,", 40)+strings.Repeat("prefix-of-many-keys-", 9), ",", uint8(3))
	f.Fuzz(func(t *testing.T, text, sep string, left uint8) {
		if len(text) <= 1<<12 {
			sameMaps(t, strings.Split(text, sep), int(left%4))
		}
	})
}

// BenchmarkMaps appends maps of each size that has code of its own, of values as JSON has them.
func BenchmarkMaps(b *testing.B) {
	vals := []any{"web", "EUR", 4711, 0.125, true, "a text of some thirty letters", nil, 12}
	for _, n := range []int{1, 3, 5, 8, 9, 16, 40, 256} {
		anys, strs := map[string]any{}, map[string]string{}
		for i := range n {
			k := fmt.Sprintf("%s_%d", []string{"channel", "currency", "points", "risk", "gift"}[i%5], i)
			anys[k], strs[k] = vals[i%len(vals)], "value of the key"
		}
		buf := make([]byte, 0, 1<<16)
		e := NewEncoder(0, 1<<20)
		b.Run(fmt.Sprint("any/", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := AppendAnyMap(&e, buf, anys, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("string/", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := AppendStringMap(&e, buf, strs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	list := []string{"one", "two", "three", "a text of some thirty letters", "five"}
	b.Run("strings", func(b *testing.B) {
		buf := make([]byte, 0, 1<<16)
		for b.Loop() {
			if _, err := AppendStrings(buf, list); err != nil {
				b.Fatal(err)
			}
		}
	})
}
