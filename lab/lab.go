// Package lab measures codecs on one Go type of the user's own, and says which of them suits it.
//
// NOTE, the map: lab.go leads one run; open.go holds what it shares with experiments (package
// experiment); depth.go says how much is measured; choose.go picks contenders; sample.go makes a
// type or a fit from documents; build.go builds contenders while earlier ones are probed; vet.go
// finds values that encoding/json refuses; probe.go judges a contender in its first process;
// rounds.go leads the interleaved rounds; prove.go checks that timed calls did their work;
// scaling.go runs two goroutines at once; instrs.go counts instructions; host.go describes the
// machine; sources.go embeds the sources that are compiled together with the user's type. Package
// plan resolves the type, harness builds and runs workers, measure schedules, stats estimates,
// report draws.
package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zmylab/zmy/gen/place"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
)

// Options are what a user can choose.
type Options struct {
	Dir           string        // folder that Package is relative to; "" is the current one
	Package       string        // a folder or an import path
	Type          string        // "" picks the package's only suitable type
	Field         string        // path of the string that operation access reads
	Codecs        []string      // names; "all" means every one, "few" some, an empty list the default ones, see choose
	Depth         Depth         // how much is measured; "" is Quick
	Budget        time.Duration // time for the rounds; 0 is the depth's own
	Seed          uint64        // 0 means a random one
	Values        int           // number of values; 0 means 256
	Cap           int64         // bound on the estimated memory of all values in bytes; 0 is values.DefaultMaxBytes
	Sample        string        // file or folder of JSON documents, or a saved fit: source of the values and, without Package, of the type
	Fit           bool          // draw values from a fit of Sample instead of using its documents
	Out           string        // folder of the report, "" for none
	Runtime       string        // folder of the ZMY runtime's module
	AllowFallback bool          // accept codecs that silently become encoding/json
	Scaling       []string      // cells to measure with a second goroutine as well: zmy/encode/append
	Streams       bool          // also measure modes that write to an io.Writer and read from an io.Reader
	Instrs        bool          // count instructions with callgrind, if valgrind is installed
	Env           []string      // added to the environment of builds: GOEXPERIMENT=jsonv2
	CPUs          []int         // processors for the workers; empty means any, see harness.ParseCPUs
	Input         string        // spelling of JSON for decoders: one of worker.Inputs; "" is the codec's own

	Tool    string   // the program: "zmy v0.1.0"
	Version string   // the program's release, "" when built from a checkout
	Command []string // the arguments that repeat the run

	Table  []contender.Info // the contenders that can be chosen
	Limits harness.Limits   // limits of the workers; the zero value means harness.DefaultLimits
}

// ErrNothing says that no contender could be measured. UI.Note was told the reasons.
var ErrNothing = errors.New("no codec could be measured")

// UI shows progress. Its methods are called from one goroutine.
type UI interface {
	// Doing shows what begins: "building goccy".
	Doing(text string)
	// Say shows a line that should stay visible: what the run takes.
	Say(text string)
	// Note shows a line that should stay visible: what was skipped or failed, and why.
	Note(text string)
	// First shows a contender's provisional figures.
	First(c *run.Contender, cells []*run.Cell)
	// Rounds shows the progress of the interleaved rounds.
	Rounds(phase string, spent, budget time.Duration)
}

// Opened is a resolved subject, the folder in which its workers are built, and what is known of the
// run so far. Experiments work on it. Close removes the folder.
type Opened struct {
	o       Options      // as given, with defaults filled in
	of      plan.Options // names the subject: the user's package and type, or the derived ones
	sample  string       // file that values are made from: the user's documents, or their fit
	ui      UI
	subject *plan.Subject
	target  *contender.Target
	space   *harness.Workspace
	run     *run.Run
	start   time.Time
	probed  []*probed
	madeOut bool  // the report's folder was made for this run
	skip    []int // indices of generated values that encoding/json refuses

	derived string // folder of the type that was derived from documents, or ""
	source  []byte // declaration of the derived type
	warning sync.Mutex
	fitDir  string // temporary folder of the fit, used if there is no report
}

// Run measures. If ctx is cancelled, it returns what was measured so far, marked partial, together
// with ctx's error. If nothing was measured, the Run is nil.
func Run(ctx context.Context, o Options, ui UI) (*run.Run, error) {
	if _, err := choose(o.Table, o.Codecs, nil); err != nil { // before the subject is loaded
		return nil, err
	}
	l, err := Open(ctx, o, ui)
	if err != nil {
		return nil, err
	}
	infos, err := choose(o.Table, o.Codecs, l.subject.Work.Requires)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if len(o.Codecs) == 0 {
		l.run.Unchosen = unchosen(o.Table, infos)
		ui.Say(fmt.Sprintf("%d codecs; for a first answer by four of them: -quick", len(infos)))
	}
	l.sayDownloads(infos)
	err = l.measure(ctx, infos)
	if cerr := l.close(); cerr != nil {
		l.warn("the temporary folder could not be removed: " + cerr.Error())
	}
	return l.finish(ctx, err)
}

// prepareOut makes the report's folder and tries to write there, so that a long run does not end
// with a report that cannot be written.
func (l *Opened) prepareOut() error {
	if l.o.Out == "" {
		return nil
	}
	_, err := os.Stat(l.o.Out)
	l.madeOut = errors.Is(err, os.ErrNotExist)
	if name := foreign(l.o.Out); name != "" {
		return Usagef("-o %s: it holds %s but no %s, so it is not a report's folder: choose another one, or remove the file",
			l.o.Out, name, report.FileJSON)
	}
	if err := place.Check(l.o.Out); errors.As(err, new(*place.Error)) {
		return Usagef("-o %s: %v; or give a folder outside with -o", l.o.Out, err)
	}
	if err := os.MkdirAll(l.o.Out, 0o755); err != nil {
		return Usagef("-o %s: the report's folder cannot be made: %v", l.o.Out, err)
	}
	f, err := os.CreateTemp(l.o.Out, ".part-*")
	if err != nil {
		return Usagef("-o %s: nothing can be written there: %v", l.o.Out, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// foreign returns the name of a file in dir that the report would overwrite although no earlier
// report wrote it, or "".
func foreign(dir string) string {
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	if exists(report.FileJSON) {
		return ""
	}
	for _, name := range report.Files {
		if exists(name) {
			return name
		}
	}
	return ""
}

// withDefaults returns o with defaults in place of zero fields.
func (o Options) withDefaults() Options {
	o.Depth, o.Limits = cmp.Or(o.Depth, Quick), cmp.Or(o.Limits, harness.DefaultLimits())
	o.Seed = cmp.Or(o.Seed, 1+rand.Uint64N(1<<31))
	if o.Values <= 0 {
		o.Values = 256
	}
	if o.Cap <= 0 {
		o.Cap = values.DefaultMaxBytes
	}
	return o
}

// begin fills in what is known before anything runs.
func (l *Opened) begin(ctx context.Context) {
	s := l.subject
	fields, depth := plan.Shape(s.Root)
	l.run = &run.Run{
		Warnings: l.run.Warnings,
		Schema:   run.Schema, Tool: l.o.Tool, Command: l.o.Command, Started: l.start.UTC(),
		Seed: l.o.Seed, Budget: l.o.Depth.schedule(l.o.Budget).Budget.Seconds(), Depth: string(l.o.Depth), Host: host(&s.Work.Host),
		Subject: run.Subject{Package: s.Pkg.Path, Module: s.Pkg.Module.Path, Type: s.Expr, Name: s.Name, File: filepath.Base(s.Root.Pos.File),
			Fields: fields, Top: plan.Top(s.Root), Depth: depth, Access: l.target.Leaf, Derived: plan.Derived(s), Vendored: s.Work.Vendor != ""},
	}
	l.foreign(ctx)
	if !l.run.Subject.Foreign {
		l.run.Subject.Sampler = s.Pkg.SampleName(s.Expr)
	}
	l.run.Host.Pinned = len(l.o.CPUs) > 0
	if s.Work.Mirror != "" {
		l.run.Warnings = append(l.run.Warnings, fmt.Sprintf("%s lies in the module cache; a copy of it was measured", s.Pkg.Module.Path))
	}
}

// measure builds and probes every contender, then leads the rounds.
func (l *Opened) measure(ctx context.Context, infos []contender.Info) error {
	if err := l.buildAll(ctx, infos); err != nil {
		return err
	}
	if len(l.probed) == 0 {
		return ErrNothing
	}
	for _, p := range l.probed {
		p.worker.Share(len(l.probed) + 1) // the baseline has a twin
	}
	if err := l.rounds(ctx); err != nil {
		return err
	}
	if err := l.scaling(ctx); err != nil {
		return err
	}
	return l.instructions(ctx)
}

// finish computes the results and writes the report, also for a run that was stopped.
func (l *Opened) finish(ctx context.Context, err error) (*run.Run, error) {
	r := l.run
	r.Seconds = time.Since(l.start).Seconds()
	r.Cells = slices.DeleteFunc(r.Cells, func(c *run.Cell) bool { return l.gone(c.Codec) })
	if len(r.Cells) == 0 {
		if l.madeOut {
			_ = os.Remove(l.o.Out) // fails if the folder is no longer empty
		}
		if err == nil {
			err = ErrNothing
		}
		return nil, err
	}
	if err != nil {
		r.Partial, r.PartialWhy = true, err.Error()
		if ctx.Err() != nil {
			r.PartialWhy = "stopped by the user"
		}
	}
	r.Warnings = append(r.Warnings, dashed(r)...)
	stats.Fill(r)
	if l.o.Out != "" {
		l.keepExperiments()
		if werr := report.WriteDir(l.o.Out, r); werr != nil {
			return r, errors.Join(err, werr)
		}
	}
	return r, err
}

// gone reports whether a contender failed. Cells that it had before it failed are not shown.
func (l *Opened) gone(name string) bool {
	c := stats.Contender(l.run, name)
	return c != nil && c.Status != run.StatusMeasured
}

// describe copies the first worker's description of the values into the run, and adds warnings
// about the values. For a later worker it only warns if that worker made other values.
func (l *Opened) describe(p *probed) {
	s := &l.run.Subject
	if len(l.probed) > 0 {
		if first := l.probed[0]; p.info.N != first.info.N || p.desc.Digest != first.desc.Digest {
			l.warn(fmt.Sprintf("%s and %s were given different values for the same seed: %s must draw from its argument alone, "+
				"and not range over maps", first.worker.Name, p.worker.Name, p.info.Source))
		}
		return
	}
	s.Values, s.LeftOut, s.Alike, s.Source = p.info.N, len(l.skip), p.desc.Alike, p.info.Source
	l.run.Host.Procs = p.info.Procs
	if p.info.Capped {
		l.warn(fmt.Sprintf("only %d of %d values were made: more would not fit %d MiB", p.info.N, l.o.Values, l.o.Cap>>20))
	}
	l.warn(refusals(p.info.Refused))
	l.warn(unknown(p.info.Unknown, s.Type))
	if places := p.desc.Untested; len(places) > 0 {
		l.warn(fmt.Sprintf("untested: %s held nothing in any value, where only methods of the type or real values can put "+
			"something, so what a codec does to it is not known; "+
			"make real values %s", strings.Join(places, ", "), sampling(s)))
	}
	if len(p.desc.JSON) > 0 {
		q := func(share float64) float64 { return worker.Quantile(p.desc.JSON, share) }
		s.JSONSize = run.Quartile{Min: q(0), P25: q(0.25), Median: q(0.5), P75: q(0.75), Max: q(1)}
		for _, n := range p.desc.JSON {
			s.JSONMean += n / float64(len(p.desc.JSON))
		}
		for i := range 21 {
			s.JSONSizes = append(s.JSONSizes, q(float64(i)/20))
		}
	}
}

// sampling says how the user can provide values with parts that generated values lack.
func sampling(s *run.Subject) string {
	if s.Sampler == "" {
		return "by -sample"
	}
	return fmt.Sprintf("by func %s in the package, by a function of that form for one of these types, or by -sample", s.Sampler)
}

// warn adds a warning to the report, unless it is "" or is there already. It is safe for concurrent
// use, since several processes may start at the same time.
func (l *Opened) warn(text string) {
	l.warning.Lock()
	defer l.warning.Unlock()
	if text != "" && !slices.Contains(l.run.Warnings, text) {
		l.run.Warnings = append(l.run.Warnings, text)
	}
}
