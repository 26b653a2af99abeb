package profile

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// TestBomb: a small file that unpacks to more than any profile is refused once the limit is reached.
func TestBomb(t *testing.T) {
	defer func(was int64) { mostUnzipped = was }(mostUnzipped)
	mostUnzipped = 1 << 20
	for _, n := range []int{1 << 20, 1<<20 + 1} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := Parse(b.Bytes(), "x", CPU)
		if err == nil || strings.Contains(err.Error(), "larger than any profile") != (n > 1<<20) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
