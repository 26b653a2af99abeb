//go:build zmydebug && !race

package codec_test

import (
	"bytes"
	"testing"

	"github.com/zmylab/zmy/codec"
)

// TestSpentBuffers: with the tag zmydebug what is read after Release is of another length and
// content, and the next buffer of the pool is another one.
func TestSpentBuffers(t *testing.T) {
	var p codec.Pool
	b := p.Get(100)
	b.B = append(b.B, "kept"...)
	kept := b.B
	b.Release()
	if !bytes.Equal(kept, bytes.Repeat([]byte{0xDB}, 4)) {
		t.Errorf("kept bytes are %q", kept)
	}
	if want := bytes.Repeat([]byte{0xDB}, 219); !bytes.Equal(b.B, want) {
		t.Errorf("B is %d bytes, %q", len(b.B), b.B)
	}
	next := p.Get(100)
	if next == b || len(next.B) != 0 {
		t.Errorf("the next buffer is %p with %d bytes; the released one was %p", next, len(next.B), b)
	}
	l := leased(t, &p, "kept")
	kept = l.Bytes()
	l.Release()
	if !bytes.Equal(kept, bytes.Repeat([]byte{0xDB}, 6)) {
		t.Errorf("kept bytes of a lease are %q", kept)
	}
}
