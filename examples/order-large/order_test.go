package orderlarge

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 3, sampletest.SameText, SampleOrder)
}

func TestMeanSize(t *testing.T) {
	const n, want = 256, 416_000
	if testing.Short() {
		t.Skip("marshals 100 MB")
	}
	r := sampletest.Rand(3)
	sum := 0
	for range n {
		text, err := json.Marshal(SampleOrder(r))
		if err != nil {
			t.Fatal(err)
		}
		sum += len(text)
	}
	mean := sum / n
	t.Logf("%d bytes of JSON on average", mean)
	if off := float64(mean)/want - 1; off < -0.03 || off > 0.03 {
		t.Errorf("%+.1f%% off the %d bytes that the package promises", 100*off, want)
	}
}

// An order of random bytes would make every compressor look useless, one of
// repeated text would make all of them look perfect.
func TestCompressesLikeRealRecords(t *testing.T) {
	text, err := json.Marshal(SampleOrder(sampletest.Rand(3)))
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ratio := float64(len(text)) / float64(z.Len())
	t.Logf("%d bytes, gzip ratio %.2f", len(text), ratio)
	if ratio < 2.8 || ratio > 5 {
		t.Errorf("gzip makes it %.2f times smaller, want 2.8–5", ratio)
	}
}
