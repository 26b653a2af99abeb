package shapes

import (
	"testing"
	"time"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSamples(t *testing.T) {
	t.Run("Array100", func(t *testing.T) { sampletest.Check(t, 20, sampletest.Exact, SampleArray100) })
	t.Run("Columns100", func(t *testing.T) { sampletest.Check(t, 20, sampletest.Exact, SampleColumns100) })
	t.Run("TimeNative", func(t *testing.T) { sampletest.Check(t, 100, sampletest.Exact, SampleTimeNative) })
	t.Run("TimeISO", func(t *testing.T) { sampletest.Check(t, 100, sampletest.Exact, SampleTimeISO) })
	t.Run("TimeUnixMS", func(t *testing.T) { sampletest.Check(t, 100, sampletest.Exact, SampleTimeUnixMS) })
}

// Variants are worth comparing only if they hold the same data.
func TestVariantsHoldTheSameData(t *testing.T) {
	a, c := SampleArray100(sampletest.Rand(5)), SampleColumns100(sampletest.Rand(5))
	if len(a.Points) != 100 || len(c.X) != 100 || len(c.Y) != 100 || len(c.Label) != 100 {
		t.Fatalf("%d points, columns of %d, %d, %d", len(a.Points), len(c.X), len(c.Y), len(c.Label))
	}
	for i, p := range a.Points {
		if p != (Point{c.X[i], c.Y[i], c.Label[i]}) {
			t.Fatalf("point %d differs", i)
		}
	}
	for seed := range uint64(50) {
		native, text, unix := SampleTimeNative(sampletest.Rand(seed)), SampleTimeISO(sampletest.Rand(seed)),
			SampleTimeUnixMS(sampletest.Rand(seed))
		for _, c := range []struct {
			native time.Time
			text   string
			unix   int64
		}{
			{native.Created, text.Created, unix.Created},
			{native.Updated, text.Updated, unix.Updated},
			{native.Expires, text.Expires, unix.Expires},
		} {
			parsed, err := time.Parse(time.RFC3339Nano, c.text)
			if err != nil || !parsed.Equal(c.native) || !time.UnixMilli(c.unix).Equal(c.native) {
				t.Fatalf("seed %d: %v, %s, %d (%v)", seed, c.native, c.text, c.unix, err)
			}
		}
		if native.ID != text.ID || native.ID != unix.ID {
			t.Fatalf("seed %d: identifiers differ", seed)
		}
	}
}
