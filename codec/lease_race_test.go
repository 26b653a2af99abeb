//go:build race

package codec_test

import (
	"bytes"
	"testing"

	"github.com/zmylab/zmy/codec"
)

// Under the race detector bytes kept beyond the last Release are overwritten, so
// that reading them is a race with that write.
func TestKeptBytesAreOverwritten(t *testing.T) {
	l := leased(t, new(codec.Pool), "kept")
	kept := l.Bytes()
	l.Release()
	if !bytes.Equal(kept, bytes.Repeat([]byte{0xDB}, len(`"kept"`))) {
		t.Errorf("kept bytes are %q", kept)
	}
}
