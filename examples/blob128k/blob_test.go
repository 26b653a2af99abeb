package blob128k

import (
	"bytes"
	"compress/gzip"
	"hash/crc32"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 10, sampletest.Exact, SampleBlob)
}

func TestPayload(t *testing.T) {
	b := SampleBlob(sampletest.Rand(3))
	if len(b.Payload) != 131072 {
		t.Errorf("payload of %d bytes", len(b.Payload))
	}
	if sum := crc32.Checksum(b.Payload, crc32.MakeTable(crc32.Castagnoli)); sum != b.Header.Checksum {
		t.Errorf("checksum %08x, want %08x", b.Header.Checksum, sum)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b.Payload); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if z.Len() < len(b.Payload) {
		t.Errorf("gzip makes %d bytes of a payload that should not compress", z.Len())
	}
}
