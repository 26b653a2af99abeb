package sensitivity

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// one is the experiment with a design of one type.
type one struct{ Experiment }

func (one) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	return measureAll(ctx, b, [][]Point{{{Depth: 3, Fields: 8, Times: 2, Format: Text, Array: 4, Blob: 64}, {Depth: 3, Fields: 8, Times: 2, Format: Text, Array: 400, Blob: 64}}}, nil, 0)
}

// A synthetic type is built and timed by the harness that builds the user's, and where
// there is too little for a model none is made up.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	o := experimenttest.Options(t, time.Second)
	_, e, err := experiment.Run(t.Context(), one{}, o, experimenttest.UI())
	if err != nil {
		t.Fatal(err)
	}
	var data []struct {
		Codec, Op string
		Model     *Model
		Readings  []Reading
	}
	if err := json.Unmarshal(e.Data, &data); err != nil {
		t.Fatal(err)
	}
	if len(data) != 4 { // the baseline and gob, encode and decode
		t.Fatalf("%d entries: %+v", len(data), data)
	}
	for _, d := range data {
		if len(d.Readings) != 2 || d.Readings[1].Ns <= d.Readings[0].Ns || d.Readings[0].Ns <= 0 || d.Model != nil {
			t.Errorf("%s %s: %+v, model %v; a list of 400 takes longer than one of 4", d.Codec, d.Op, d.Readings, d.Model)
		}
	}
	if !strings.Contains(strings.Join(e.Warnings, "\n"), "no model: the points do not tell the factors apart") {
		t.Errorf("warnings: %q", e.Warnings)
	}
	if len(e.Findings) != 0 || len(e.Tables) != 0 {
		t.Errorf("findings %q, tables %+v", e.Findings, e.Tables)
	}
}
