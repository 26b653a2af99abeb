package cpu

import (
	"context"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// counter counts the instructions of the baseline's encode twice.
type counter struct{ ir [2]float64 }

func (c *counter) About() experiment.About { return experiment.About{Name: "counter"} }

func (c *counter) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	tool, err := callgrind.Find()
	if err != nil {
		return nil, err
	}
	for i := range c.ir {
		n, err := tool.Count(ctx, b.Contenders[0].Worker, b.Values(), "encode")
		if err != nil {
			return nil, err
		}
		c.ir[i] = n.Ir
	}
	return &run.Experiment{}, nil
}

// TestCountRepeats: counts are the same from run to run within 2%, whatever
// else the machine does.
func TestCountRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and runs it under valgrind")
	}
	if _, err := callgrind.Find(); err != nil {
		t.Skip(err)
	}
	o, c := experimenttest.Options(t, time.Second), &counter{}
	o.Out, o.Table = "", o.Table[:1]
	o.Codecs = []string{run.Baseline}
	if _, _, err := experiment.Run(t.Context(), c, o, experimenttest.UI()); err != nil {
		t.Fatal(err)
	}
	if a, z := c.ir[0], c.ir[1]; a < 500 || a > 1e5 || a/z > 1.02 || z/a > 1.02 {
		t.Errorf("%g and %g instructions", a, z)
	}
}
