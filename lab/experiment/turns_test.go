package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// turning is an experiment that takes turns.
type turning struct {
	do func(ctx context.Context, b *experiment.Bench)
}

func (turning) About() experiment.About { return experiment.About{Name: "turning", Static: true} }

func (e turning) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	e.do(ctx, b)
	return &run.Experiment{Title: "turning"}, nil
}

// TestTurns: each turn is taken once in a launch, a codec that fails has no more turns and is in
// the warnings, and no turn follows the end of the context.
func TestTurns(t *testing.T) {
	o := experimenttest.Options(t, time.Second)
	_, x, err := experiment.Run(t.Context(), turning{func(ctx context.Context, b *experiment.Bench) {
		var taken []string
		take := func(codec string, task int, err error) experiment.Turn {
			return experiment.Turn{Codec: codec, Doing: codec, Do: func(launch int) error {
				taken = append(taken, fmt.Sprint(launch, codec, task))
				return err
			}}
		}
		broken, err := b.Turns(ctx, "test", []experiment.Turn{take("a", 1, nil), take("a", 2, nil), take("bad", 1, errors.New("it broke"))})
		slices.Sort(taken)
		if got := strings.Join(taken, " "); err != nil || !broken["bad"] || broken["a"] || got != "0a1 0a2 0bad1 1a1 1a2 2a1 2a2" {
			t.Errorf("%s: %v, %v", got, broken, err)
		}
		stopped, stop := context.WithCancel(ctx)
		n := 0
		turn := experiment.Turn{Codec: "a", Do: func(int) error { n++; stop(); return nil }}
		if _, err := b.Turns(stopped, "test", []experiment.Turn{turn, turn}); !errors.Is(err, context.Canceled) || n != 1 {
			t.Errorf("stopped: %d turns, %v", n, err)
		}
	}}, o, experimenttest.UI())
	if err != nil || !slices.Contains(x.Warnings, "bad is left out: it broke") {
		t.Errorf("%v, %q", err, x.Warnings)
	}
}
