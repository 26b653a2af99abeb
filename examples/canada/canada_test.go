package canada

import (
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 3, sampletest.Exact, SampleMap)
}
