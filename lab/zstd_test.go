package lab

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestZstdMedian(t *testing.T) {
	var dump []byte
	for _, n := range []int{1000, 1000, 4000} {
		dump = binary.AppendUvarint(dump, uint64(n))
		dump = append(dump, strings.Repeat("abcd", n/4)...)
	}
	name := filepath.Join(t.TempDir(), "wire")
	for _, c := range []struct {
		data []byte
		ok   bool
	}{{dump, true}, {dump[:len(dump)-1], false}, {nil, true}} {
		if err := os.WriteFile(name, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := zstdMedian(name)
		if (err == nil) != c.ok {
			t.Errorf("%d bytes: error %v", len(c.data), err)
		}
		if err == nil && len(c.data) > 0 && (got < 8 || got > 100) {
			t.Errorf("1000 bytes of abcd became %v", got)
		}
	}
}
