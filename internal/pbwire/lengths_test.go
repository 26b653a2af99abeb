package pbwire

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// nest appends messages within messages at random, each with its length. With l, lengths of more than one
// byte are left to Finish.
func nest(r *rand.Rand, b []byte, depth int, l *Lengths) []byte {
	for range r.IntN(4) {
		b = append(b, bytes.Repeat([]byte{byte(depth)}, r.IntN(150))...)
		if depth == 0 {
			continue
		}
		if l == nil {
			b = AppendBytes(b, nest(r, nil, depth-1, nil))
			continue
		}
		b = append(b, 0)
		at, before := len(b), l.Extra()
		b = nest(r, b, depth-1, l)
		if n := len(b) - at + l.Extra() - before; n < 0x80 {
			b[at-1] = byte(n)
		} else {
			l.Close(at, n)
		}
	}
	return b
}

// TestLengths compares with lengths that are known before.
func TestLengths(t *testing.T) {
	long := 0
	for seed := range uint64(300) {
		want := nest(rand.New(rand.NewPCG(seed, 1)), []byte("ab"), 8, nil)
		var l Lengths
		b := nest(rand.New(rand.NewPCG(seed, 1)), []byte("ab"), 8, &l)
		n := len(b)
		b = append(b, make([]byte, l.Extra())...)
		if end := l.Finish(b, n); end != len(want) || !bytes.Equal(b, want) {
			t.Fatalf("seed %d: %d bytes, want %d", seed, end, len(want))
		}
		if len(want) > 1<<14 {
			long++
		}
	}
	if long < 50 {
		t.Errorf("%d messages have lengths of three bytes: too few", long)
	}
}
