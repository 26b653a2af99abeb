package jsonwire

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAppendBlocks compares the two ways of long strings, and the first one's use of
// room: every byte at every place of strings of 17 to 70 bytes, and long strings.
func TestAppendBlocks(t *testing.T) {
	if !useBlocks {
		t.Log("no vector instructions here: compares the same with itself")
	}
	r := rand.New(rand.NewPCG(13, 14))
	text := []byte(strings.Repeat(`plain "quoted" text\`, 4))
	for n := 17; n <= 70; n++ {
		for at := range n {
			for c := range 256 {
				if skipped(r) {
					continue
				}
				s := bytes.Clone(text[:n])
				s[at] = byte(c)
				checkBlocks(t, string(s))
			}
		}
	}
	for range runs(2000) {
		var sb strings.Builder
		for range r.IntN(40) {
			sb.WriteString(strings.Repeat([]string{"plain text ", `"`, `\"`, "\n\t", "<a>", "é", "\x01"}[r.IntN(7)], r.IntN(60)))
		}
		if sb.Len() > 16 {
			checkBlocks(t, sb.String())
		}
	}
}

func checkBlocks(t *testing.T, s string) {
	t.Helper()
	for _, plain := range []bool{false, true} {
		want := appendWords(nil, s, plain)
		for _, room := range []int{0, len(s), 4 * len(s)} {
			if got := appendBlocks(make([]byte, 0, room), s, plain); string(got) != string(want) {
				t.Fatalf("%q, plain %v, room %d: have %s, want %s", s, plain, room, got, want)
			}
		}
	}
}

// TestQuoteLengths compares strings of every length up to a hundred, with each
// usual byte at their end, with encoding/json.
func TestQuoteLengths(t *testing.T) {
	for n := range 100 {
		for _, end := range []string{"", "a", `"`, "<", "\n", "\x00", "é"} {
			checkQuote(t, strings.Repeat("x", n)+end)
		}
	}
}
