package event40

import (
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 100, sampletest.SameText, SampleEvent)
	if n := len(SampleEvent(sampletest.Rand(1)).Properties); n != 40 {
		t.Errorf("%d properties, want 40", n)
	}
}
