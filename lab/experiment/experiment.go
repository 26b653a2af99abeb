// Package experiment runs what the lab measures in addition to the table of codecs: latency under
// load, sizes, contention, garbage collection … Each experiment is a package below this one. It
// computes a run.Experiment, which the report draws.
//
// NOTE, the map: experiment.go defines experiments, runs them and merges them into the report.
// bench.go is what an experiment works with: ask.go asks a worker, turns.go gives contenders their
// turns in each launch, rounds.go takes interleaved times by package measure. Files ways.go,
// squares.go, find.go and chart.go have functions that several experiments need to evaluate
// readings.
package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// About describes an experiment.
type About struct {
	Name   string // the subcommand: latency
	Short  string // one line, for lists of experiments
	Static bool   // it needs no built contenders: Bench.Contenders is empty
}

// Experiment is one experiment of the lab.
type Experiment interface {
	About() About
	// Run measures. It sets Title, Question, Findings and what was measured; the caller fills in
	// the rest, and drops findings, tables and charts that are empty. If ctx ends, it returns what
	// it has so far and ctx's error.
	Run(ctx context.Context, b *Bench) (*run.Experiment, error)
}

// Flagged is an experiment with flags of its own. Flags adds them to fs and returns their help: one
// line for each flag, indented as in `zmy lab -h`.
type Flagged interface {
	Flags(fs *flag.FlagSet) (help string)
}

// Checked is an experiment that validates its flags after they were parsed. An error of Check is
// the user's mistake.
type Checked interface {
	Check() error
}

// Accompanied is an experiment whose workers contain one more package, such as a client. No other
// program that the lab builds contains it, so only this experiment requires its modules.
type Accompanied interface {
	Beside() (*contender.Beside, error)
}

// Discreet is an experiment whose arguments may hold secrets. Redact returns the command without
// them, for the report.
type Discreet interface {
	Redact(command []string) []string
}

// Few is the number of codecs that are taken from the ranking of a report if the user names no
// codec. The baseline is added to them.
const Few = 5

// Run runs an experiment on the subject of o. It merges what e found into the report in the folder
// o.Out, and leaves the other parts of that report as they are. r describes subject, host and
// contenders; found is the new part. If ctx ends, what was measured so far is written, marked as
// partial, and returned with ctx's error.
func Run(ctx context.Context, e Experiment, o lab.Options, ui lab.UI) (r *run.Run, found *run.Experiment, err error) {
	if o, err = prepare(e, o); err != nil {
		return nil, nil, err
	}
	opened, err := lab.Open(ctx, o, ui)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	prior, err := opened.Prior() // before anything is built, since Prior refuses a report on another type
	if err != nil {
		return nil, nil, err
	}
	b := &Bench{Opened: opened, UI: ui, Depth: opened.Options().Depth, prior: prior, notes: &notes{begun: time.Now()}}
	start := b.begun
	if !e.About().Static {
		names := o.Codecs
		if len(names) == 0 {
			names = here(Leading(prior, Few), o.Table)
		}
		if b.Contenders, err = opened.Build(ctx, names); err != nil {
			return opened.Run(), nil, err
		}
		for _, c := range b.Contenders {
			c.Worker.Share(len(b.Contenders))
		}
	}
	b.Begin()
	found, err = e.Run(ctx, b)
	if found == nil {
		if err == nil {
			err = errors.New(e.About().Name + " found nothing")
		}
		return opened.Run(), nil, err
	}
	found.Name, found.Started, found.Seconds = e.About().Name, start.UTC(), time.Since(start).Seconds()
	found.Partial = found.Partial || err != nil
	b.complete(found)
	return opened.Run(), found, errors.Join(err, b.write(prior, found))
}

// prepare removes secrets from o.Command and adds a package to the codecs' workers, if the
// experiment asks for that.
func prepare(e Experiment, o lab.Options) (lab.Options, error) {
	if d, ok := e.(Discreet); ok {
		o.Command = d.Redact(o.Command)
	}
	a, ok := e.(Accompanied)
	if !ok {
		return o, nil
	}
	beside, err := a.Beside()
	o.Table = slices.Clone(o.Table)
	for i := range o.Table {
		if err == nil {
			o.Table[i], err = o.Table[i].With(beside)
		}
	}
	return o, err
}

// Leading returns the first n codecs of the report's ranking, without the baseline. It returns nil
// if there is no report or no ranking.
func Leading(prior *run.Run, n int) (names []string) {
	if prior == nil {
		return nil
	}
	for _, r := range prior.Ranking {
		if len(names) < n && r.Codec != run.Baseline {
			names = append(names, r.Codec)
		}
	}
	return names
}

// here returns the leading codecs that table knows, and then the user's own codecs. A codec of the
// report may be unknown, since -contender may name other packages now than it did then. It returns
// nil if no leading codec is known: that means the default codecs, which include the user's.
func here(leading []string, table []contender.Info) (names []string) {
	var yours []string
	for _, i := range table {
		switch {
		case slices.Contains(leading, i.Name):
			names = append(names, i.Name)
		case i.Yours():
			yours = append(yours, i.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return append(names, yours...)
}

// Tidy drops findings, tables and charts that are empty, so that experiments can list all that they
// might have.
func Tidy(x *run.Experiment) {
	x.Findings = slices.DeleteFunc(x.Findings, func(s string) bool { return s == "" })
	x.Tables = run.Filled(x.Tables...)
	x.Charts = slices.DeleteFunc(x.Charts, func(c run.Chart) bool { return len(c.Series) == 0 && c.Flame == nil })
}

// With stores data as JSON in x.Data, which run.json keeps. It returns x, and err joined with any
// error of its own.
func With(x *run.Experiment, data any, err error) (*run.Experiment, error) {
	text, failed := json.Marshal(data)
	x.Data = text
	return x, errors.Join(err, failed)
}

// complete fills in the fields that are set in the same way for all experiments. The host is that
// of this run: the report may hold a table of codecs that was measured earlier, or elsewhere.
func (b *Bench) complete(found *run.Experiment) {
	Tidy(found)
	found.Command, found.Depth, found.Host = b.Options().Command, string(b.Depth), b.Run().Host
	found.Warnings = append(found.Warnings, b.warnings...)
	for _, c := range b.Contenders {
		if c.Rankless != "" {
			found.Warnings = append(found.Warnings, fmt.Sprintf("%s is shown, but not ranked: %s", c.Name, c.Rankless))
		}
	}
	if h := found.Host; h.Load1 > float64(h.Cores) && h.Cores > 0 {
		found.Warnings = append(found.Warnings, fmt.Sprintf("load %.1f on %d cores when it began: other programs took a part of the "+
			"time, most of all of the far percentiles", h.Load1, h.Cores))
	}
	for _, c := range b.Run().Contenders {
		if c.Status != run.StatusMeasured {
			found.Absent = append(found.Absent, lab.Sentence(c))
		}
	}
	found.Warnings = append(found.Warnings, b.Run().Warnings...)
	found.Warnings = slices.Compact(found.Warnings)
}

// write merges the experiment into the report. Without an earlier report it begins one, which has
// the subject and no table of codecs.
func (b *Bench) write(prior *run.Run, found *run.Experiment) error {
	dir := b.Options().Out
	if dir == "" {
		return nil
	}
	r := prior
	if r == nil {
		r = b.Run()
		r.Seconds = found.Seconds
	}
	r.Put(found)
	return report.WriteDir(dir, r)
}
