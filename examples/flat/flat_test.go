package flat

import (
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 300, sampletest.Exact, SamplePerson)
}
