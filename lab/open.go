package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Open resolves the subject and makes the workspace and the report's folder. Each run of the codec
// table or of an experiment begins with Open. If the user named the subject or a folder wrongly,
// the error is a *UsageError.
func Open(ctx context.Context, o Options, ui UI) (_ *Opened, err error) {
	if err := harness.Supported(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	l := &Opened{o: o, ui: ui, run: new(run.Run), start: time.Now(), sample: o.Sample,
		of: plan.Options{Dir: o.Dir, Package: o.Package, Type: o.Type, Field: o.Field, Env: append(os.Environ(), o.Env...)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
		}
	}()
	if err := l.derive(); err != nil {
		return nil, err
	}
	ui.Doing("loading " + l.what())
	l.subject, err = plan.Resolve(ctx, l.of)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if failed := (*gocmd.Error)(nil); err != nil && !errors.As(err, &failed) {
		return nil, &UsageError{err.Error()}
	} else if err != nil {
		return nil, err
	}
	if err := foreignMachine(&l.subject.Work.Host); err != nil {
		return nil, err
	}
	l.target = &contender.Target{IR: l.subject.IR, Root: l.subject.Root, Expr: l.subject.Expr, Dir: l.subject.Pkg.Dir,
		AllowFallback: o.AllowFallback}
	if l.subject.Leaf != nil {
		l.target.Leaf = l.subject.Leaf.Path
	}
	l.space, err = harness.New(ctx, harness.Config{Subject: l.subject, Sources: sources, Runtime: o.Runtime,
		Version: o.Version, Limits: o.Limits, CPUs: o.CPUs, Streams: o.Streams})
	if err != nil {
		return nil, err
	}
	if err := l.prepareOut(); err != nil {
		return nil, err
	}
	l.begin(ctx)
	if err := l.samples(); err != nil {
		return nil, err
	}
	return l, nil
}

// Close removes the workers, and the report's folder if it was made for this run and
// nothing was written to it.
func (l *Opened) Close() error {
	if l.madeOut {
		_ = os.Remove(l.o.Out) // fails if a report was written
	}
	return l.close()
}

// Options returns the options of Open with defaults filled in.
func (l *Opened) Options() Options { return l.o }

// Subject returns the type to be measured.
func (l *Opened) Subject() *plan.Subject { return l.subject }

// Target returns the type as contenders see it.
func (l *Opened) Target() *contender.Target { return l.target }

// Space returns the workspace, in which further programs can be built.
func (l *Opened) Space() *harness.Workspace { return l.space }

// Run returns what is known of subject, machine and contenders. It has no cells.
func (l *Opened) Run() *run.Run { return l.run }

// Values returns the request with which every worker makes the same values.
func (l *Opened) Values() worker.Request {
	return worker.Request{Cmd: worker.CmdValues, Seed: l.o.Seed, N: l.o.Values, Cap: l.o.Cap, Sample: l.sample, Input: l.o.Input,
		Skip: l.skip}
}

// Built is a contender whose worker was built and judged.
type Built struct {
	*run.Contender
	Worker *harness.Worker
	Modes  []worker.Mode // modes that the contender can run
}

// Build builds and judges contenders by name and returns them in table order; see Options.Codecs.
// It leaves out those that cannot be measured; UI.Note and Run().Contenders say why. It returns
// ErrNothing if none is left.
func (l *Opened) Build(ctx context.Context, names []string) ([]*Built, error) {
	infos, err := choose(l.o.Table, names, l.subject.Work.Requires)
	if err != nil {
		return nil, err
	}
	if err := l.buildAll(ctx, infos); err != nil {
		return nil, err
	}
	var out []*Built
	for _, p := range l.probed {
		out = append(out, &Built{Contender: stats.Contender(l.run, p.worker.Name), Worker: p.worker, Modes: p.modes})
	}
	if len(out) == 0 {
		return nil, ErrNothing
	}
	return out, nil
}

// Lane returns a worker for measure.Measure, which runs the given cells of contender c. values is
// the request by which its process makes the values. The method Close of the Lane ends the process.
func (l *Opened) Lane(ctx context.Context, c *Built, values worker.Request, cells []measure.Cell) *Lane {
	return &Lane{lab: l, name: c.Name, p: &probed{worker: c.Worker, modes: c.Modes}, values: values, cells: cells,
		life: ctx, first: map[string][]float64{}}
}

// Prior reads the report in the run's folder, or returns nil if there is none. If that report is
// about another subject, the error is a *UsageError, so that the two are not mixed.
func (l *Opened) Prior() (*run.Run, error) {
	if l.o.Out == "" {
		return nil, nil
	}
	name := filepath.Join(l.o.Out, report.FileJSON)
	r, err := readRun(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Usagef("-o %s: %s cannot be added to: %v; choose another folder", l.o.Out, report.FileJSON, err)
	}
	if s := l.run.Subject; !sameSubject(&r.Subject, &s) {
		return nil, Usagef("-o %s: the report there is about %s of %s, not %s of %s: choose another folder",
			l.o.Out, r.Subject.Type, r.Subject.Package, s.Type, s.Package)
	}
	return r, nil
}

func sameSubject(a, b *run.Subject) bool { return a.Package == b.Package && a.Type == b.Type }

func readRun(name string) (*run.Run, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return report.ReadJSON(f)
}

// keepExperiments copies the experiments of the old report into this run, because the new report is
// about to replace the old one. If the old report is about another subject, it only notes that it is
// replaced. An experiment of this run replaces an old one of the same name.
func (l *Opened) keepExperiments() {
	r, err := readRun(filepath.Join(l.o.Out, report.FileJSON))
	switch {
	case err != nil:
	case !sameSubject(&r.Subject, &l.run.Subject):
		l.run.Replaced = r.Subject.Name + ", " + clock(r.Started.Local(), time.Now())
	default:
		mine := l.run.Experiments
		l.run.Experiments = r.Experiments
		for _, e := range mine {
			l.run.Put(e)
		}
	}
}

// clock returns t to the minute, with its day if that is not the day of now.
func clock(t, now time.Time) string {
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}
