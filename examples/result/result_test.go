package result

import (
	"strconv"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 20, sampletest.Exact, SampleResult)
}

func TestDataIsWide(t *testing.T) {
	v := SampleResult(sampletest.Rand(3))
	if len(v.Data) != Points {
		t.Fatalf("%d points", len(v.Data))
	}
	digits := 0
	for _, x := range v.Data {
		if x < 0 || x >= 1 {
			t.Fatalf("%v outside [0, 1)", x)
		}
		digits += len(strconv.FormatFloat(x, 'f', -1, 64))
	}
	if mean := float64(digits) / Points; mean < 17.5 || mean > 19.5 {
		t.Errorf("numbers of %.1f characters on average: the mantissa is not in full use", mean)
	}
}
