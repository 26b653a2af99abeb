package experiment_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// still is an experiment that needs no contenders.
type still struct {
	name string
	do   func(ctx context.Context) (*run.Experiment, error)
}

func (s still) About() experiment.About { return experiment.About{Name: s.name, Static: true} }
func (s still) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	if len(b.Contenders) > 0 {
		return nil, errors.New("contenders were built")
	}
	return s.do(ctx)
}

func finds(name, finding string) still {
	return still{name, func(context.Context) (*run.Experiment, error) {
		return &run.Experiment{Title: name, Findings: []string{finding}}, nil
	}}
}

func readReport(t *testing.T, dir string) *run.Run {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, report.FileJSON))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := report.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMerge: experiments of one subject gather in one report, each once; that of another
// subject is refused and stays as it is.
func TestMerge(t *testing.T) {
	o := experimenttest.Options(t, time.Second)
	for _, e := range []still{finds("a", "first"), finds("b", "second"), finds("a", "third")} {
		if _, x, err := experiment.Run(t.Context(), e, o, experimenttest.UI()); err != nil || x.Name != e.name || x.Depth != "quick" {
			t.Fatalf("%s: %+v, %v", e.name, x, err)
		}
	}
	r := readReport(t, o.Out)
	if len(r.Experiments) != 2 || r.Experiments[0].Findings[0] != "third" || r.Experiments[1].Findings[0] != "second" ||
		r.Experiments[0].Partial {
		t.Errorf("%d experiments: %+v", len(r.Experiments), r.Experiments)
	}
	for _, name := range report.Files {
		if _, err := os.Stat(filepath.Join(o.Out, name)); err != nil {
			t.Error(err)
		}
	}
	o.Type = "Item"
	_, _, err := experiment.Run(t.Context(), finds("a", "of another subject"), o, experimenttest.UI())
	if usage := new(lab.UsageError); !errors.As(err, &usage) || !strings.Contains(err.Error(), "Msg of example.com/subject, not Item") {
		t.Errorf("another subject: %v", err)
	}
	if r := readReport(t, o.Out); r.Subject.Type != "Msg" {
		t.Errorf("the report is about %s now", r.Subject.Type)
	}
}

// TestStopped: what was found by then is written and marked; where nothing was found no
// folder stays behind.
func TestStopped(t *testing.T) {
	o := experimenttest.Options(t, time.Second)
	ctx, stop := context.WithCancel(t.Context())
	_, x, err := experiment.Run(ctx, still{"a", func(ctx context.Context) (*run.Experiment, error) {
		stop()
		return &run.Experiment{Title: "A", Findings: []string{"half"}}, ctx.Err()
	}}, o, experimenttest.UI())
	if !errors.Is(err, context.Canceled) || !x.Partial || !readReport(t, o.Out).Experiments[0].Partial {
		t.Errorf("stopped: %+v, %v", x, err)
	}
	o = experimenttest.Options(t, time.Second)
	for _, do := range []func(context.Context) (*run.Experiment, error){
		func(context.Context) (*run.Experiment, error) { return nil, nil },
		func(context.Context) (*run.Experiment, error) { return nil, errors.New("broken") },
	} {
		if _, x, err := experiment.Run(t.Context(), still{"a", do}, o, experimenttest.UI()); err == nil || x != nil {
			t.Errorf("nothing found: %+v, %v", x, err)
		}
		if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder of a report without content: %v", err)
		}
	}
}
