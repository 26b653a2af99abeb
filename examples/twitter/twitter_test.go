package twitter

import (
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 3, sampletest.Exact, SampleSearch)
}
