package realtypes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/codecs/zmy"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/follow"
	"github.com/zmylab/zmy/lab/realtypes/oracle"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Options say what to measure.
type Options struct {
	Clone  string   // this repository's folder
	Bin    string   // folder for the tools that steps install; several types may use the same
	Codecs []string // the codecs to measure in addition to the baseline
	Judge  bool     // skip the runs of the lab: only sizes, generated code and the judge's findings
	Doing  func(text string)
}

// DefaultCodecs are measured if no others are named. They are this project's codecs, since the
// table is about their grades.
var DefaultCodecs = []string{"fxjson", "zmy"}

// Result is what was found about one type.
type Result struct {
	Name    string `json:"name"`
	Module  string `json:"module"`
	Version string `json:"version"`
	Type    string `json:"type"`
	Never   string `json:"never,omitempty"` // why encoding/json can never carry it

	Default Lab `json:"default"` // the run on generated values
	Sample  Lab `json:"sample"`  // the run on documents

	FxJSON Adopted `json:"fxjson"`
	ZMY    Adopted `json:"zmy"`

	Judged *judged  `json:"judged,omitempty"`
	Wrong  []string `json:"wrong,omitempty"` // grades and claims of the lab that the judge refutes
}

type judged = oracle.Report

// Lab is the result of a run of the lab.
type Lab struct {
	Failed string           `json:"failed,omitempty"` // why std-json has no figures
	Ranked bool             `json:"ranked"`           // whether std-json is ranked
	Median float64          `json:"median"`           // median size as JSON, in bytes
	Mean   float64          `json:"mean"`
	Max    float64          `json:"max"`
	Source string           `json:"source,omitempty"`
	Codecs map[string]Grade `json:"codecs,omitempty"`
}

// Grade is the lab's judgement of one codec.
type Grade struct {
	Status   string `json:"status"`
	Contract string `json:"contract,omitempty"`
	Value    string `json:"value,omitempty"`
	Why      string `json:"why,omitempty"`
	// LeavesOut are the fields that the codec declares not to carry.
	LeavesOut []string `json:"leavesOut,omitempty"`
}

// Adopted says whether following the lab's steps for a codec worked.
type Adopted struct {
	Carried bool   `json:"carried"` // its generated code compiles and the judge found nothing wrong
	Why     string `json:"why,omitempty"`
}

// Measure carries out all parts of the measurement for one type. The steps of all codecs are
// followed in one module, so that the judge can be built with the code of all of them.
func Measure(ctx context.Context, t *Type, o Options, dir string) (*Result, error) {
	m, err := newModule(ctx, t, o, dir)
	if err != nil {
		return nil, err
	}
	r := &Result{Name: t.Name, Module: t.Module, Version: t.Version, Type: t.Shown(), Never: t.Never}
	advised := map[string][]run.Step{}
	if o.Judge {
		err = m.plan(ctx, r, advised)
	} else {
		err = m.both(ctx, o, r, advised)
	}
	if err != nil {
		return nil, err
	}
	o.Doing(t.Name + ": steps")
	calls := map[string]*follow.Calls{}
	for codec, to := range map[string]*Adopted{"fxjson": &r.FxJSON, "zmy": &r.ZMY} {
		steps, ok := advised[codec]
		if !ok {
			to.Why = "the lab skips it: " + r.Default.Codecs[codec].Why
			continue
		}
		c, err := m.follow(ctx, steps)
		if err != nil {
			to.Why = err.Error()
			continue
		}
		calls[codec] = c
	}
	o.Doing(t.Name + ": judge")
	if err := m.oracle(ctx); err != nil {
		return nil, err
	}
	if r.Judged, err = m.check(ctx, calls, r.Default.Codecs["zmy"].LeavesOut); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	r.judge(calls, !o.Judge)
	return r, nil
}

// both runs the lab on generated values and on documents at the same time, since neither grades nor
// sizes depend on times. If both runs advise steps for a codec, those of the second are followed.
func (m *module) both(ctx context.Context, o Options, r *Result, advised map[string][]run.Step) error {
	o.Doing(r.Name + ": generated values and documents")
	var wg sync.WaitGroup
	var made, read *Lab
	var errMade, errRead error
	steps := map[string][]run.Step{}
	wg.Go(func() { made, errMade = m.lab(ctx, o, "", advised) })
	wg.Go(func() { read, errRead = m.lab(ctx, o, m.docs, steps) })
	wg.Wait()
	if err := errors.Join(errMade, errRead); err != nil {
		return err
	}
	maps.Copy(advised, steps)
	r.Default, r.Sample = *made, *read
	return nil
}

// plan records, without a run, the steps that a run of the lab would print for each codec, or the
// reason why the run would skip it.
func (m *module) plan(ctx context.Context, r *Result, advised map[string][]run.Step) error {
	opened, err := lab.Open(ctx, lab.Options{Dir: m.dir, Package: ".", Type: m.typ.Subject(), Seed: 1, Runtime: m.clone,
		Table: table.All(), Tool: "realtypes", Env: []string{"GOWORK=off"}}, &notes{})
	if err != nil {
		return fmt.Errorf("%s: %w", m.typ.Name, err)
	}
	defer opened.Close()
	made := *opened.Run()
	r.Default.Codecs = map[string]Grade{}
	for _, info := range table.All() {
		if !slices.Contains(DefaultCodecs, info.Name) {
			continue
		}
		c := &run.Contender{Name: info.Name, Status: run.StatusMeasured, Modules: info.Modules, Adopt: info.AdoptFor(opened.Target())}
		if why := info.Plan(opened.Target()); why != nil {
			c.Status, c.Why = run.StatusSkipped, why
			r.Default.Codecs[info.Name] = Grade{Status: c.Status, Why: lab.Sentence(c)}
			continue
		}
		if info.Name == zmy.Info.Name {
			r.Default.Codecs[info.Name] = Grade{Status: c.Status, LeavesOut: zmy.LeavesOut(opened.Target())}
		}
		made.Contenders = append(made.Contenders, c)
		advised[info.Name] = stats.Steps(&made, info.Name)
	}
	return nil
}

// lab runs the lab. It stores in advised the steps for each codec that it measured.
func (m *module) lab(ctx context.Context, o Options, sample string, advised map[string][]run.Step) (*Lab, error) {
	names := append([]string{run.Baseline}, o.Codecs...)
	source := "generated"
	if sample != "" {
		source = "documents"
	}
	ui := &notes{doing: func(text string) { o.Doing(source + ": " + text) }}
	r, err := lab.Run(ctx, lab.Options{Dir: m.dir, Package: ".", Type: m.typ.Subject(), Codecs: names, Seed: 1,
		Budget: time.Second, Sample: sample, Runtime: o.Clone, Table: table.All(), Tool: "realtypes", Env: []string{"GOWORK=off"}}, ui)
	var base *lab.BaselineError
	switch {
	case errors.As(err, &base):
		return &Lab{Failed: base.Error()}, nil
	case errors.Is(err, lab.ErrNothing):
		return &Lab{Failed: strings.Join(ui.lines, "; ")}, nil
	case r == nil:
		return nil, fmt.Errorf("%s: the lab: %w", m.typ.Name, err)
	}
	out := &Lab{Median: r.Subject.JSONSize.Median, Max: r.Subject.JSONSize.Max, Source: r.Subject.Source, Codecs: map[string]Grade{}}
	for _, k := range r.Ranking {
		out.Ranked = out.Ranked || k.Codec == run.Baseline
	}
	for _, c := range r.Contenders {
		g := Grade{Status: c.Status, Contract: c.Contract.Grade, Value: c.Value.Grade, LeavesOut: c.LeavesOut}
		if c.Why != nil {
			g.Why = lab.Sentence(c)
		}
		for _, grade := range []run.Grade{c.Contract, c.Value} {
			if g.Why == "" && len(grade.Diffs) > 0 {
				d := grade.Diffs[0]
				g.Why = fmt.Sprintf("%s %s → %s", d.Path, d.Before, d.After)
			}
		}
		out.Codecs[c.Name] = g
		if c.Name == run.Baseline {
			out.Mean = math.Round(c.Sizes.Mean)
			if c.Status != run.StatusMeasured {
				out.Failed = g.Why
			} else if !out.Ranked {
				out.Failed = c.Rankless
			}
		}
		if steps := stats.Steps(r, c.Name); c.Status == run.StatusMeasured && len(steps) > 0 {
			advised[c.Name] = steps
		}
	}
	return out, nil
}

// notes is a lab.UI that keeps the lab's notes, such as why a codec is not measured.
type notes struct {
	lines []string
	doing func(text string) // may be nil
}

func (n *notes) Note(text string) { n.lines = append(n.lines, text) }

func (n *notes) Doing(text string) {
	if n.doing != nil {
		n.doing(text)
	}
}

func (*notes) Say(string)                                  {}
func (*notes) First(*run.Contender, []*run.Cell)           {}
func (*notes) Rounds(string, time.Duration, time.Duration) {}

func readJudged(b []byte) (*judged, error) {
	r := &judged{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("the judge printed no report: %w: %.200s", err, b)
	}
	return r, nil
}
