package nested16

import (
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 50, sampletest.Exact, SampleNode)
}

func TestDepth(t *testing.T) {
	root, depth := SampleNode(sampletest.Rand(3)), 0
	for n := &root; n != nil; n = n.Child {
		depth++
		if n.Level != int32(depth) {
			t.Errorf("level %d says %d", depth, n.Level)
		}
	}
	if depth != 16 {
		t.Errorf("%d levels", depth)
	}
}
