package goals

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/tools/gobench"
)

// Request is a measurement for a group of goals: a run of the lab on a subject, or benchmarks of a
// package.
type Request struct {
	Subject    string // folder name of a subject in examples
	Bench      string // or the folder of a package
	Criterion  string // or the folder of a Rust crate
	Benchmarks []gobench.Benchmark
	Variant    string   // form of the subject's input, "" for the normal one; or Streams
	Env        []string // environment of the build
	Codecs     []string // codecs that the goals name and the baseline, sorted
	All        bool     // a goal compares with the fastest of all, so the default codecs are measured too
	Scaling    []string // cells, codec/op/mode, whose throughput is also measured with a second goroutine
	Budget     time.Duration
	Pin        string // processors of the codecs, as for zmy lab -pin; "" for the default, none for any
}

// Streams is the variant that also measures modes writer and reader.
const Streams = "streams"

// Name returns the name of the request's folder: order-lite, session+shuffled, bench/adapters/ginx.
func (q Request) Name() string {
	parts := []string{q.Subject}
	if folder := q.Bench + q.Criterion; folder != "" {
		parts[0] = "bench/" + folder
	}
	if q.Variant != "" {
		parts = append(parts, q.Variant)
	}
	for _, e := range q.Env {
		parts = append(parts, strings.NewReplacer("=", "-", "/", "-").Replace(e))
	}
	return strings.Join(parts, "+")
}

// Runner makes measurements. Its errors wrap ErrMissing if a subject, variant, env or package does
// not exist yet.
type Runner interface {
	// Run returns a filled run of the lab.
	Run(ctx context.Context, q Request) (*run.Run, error)
	// Bench returns the output of the benchmarks, for gobench.Read.
	Bench(ctx context.Context, q Request) ([]byte, error)
}

// ErrMissing means that the lab cannot make a measurement yet.
var ErrMissing = errors.New("not built yet")

// Exit codes of Main.
const (
	exitOK          = 0
	exitInternal    = 1
	exitUsage       = 2
	exitMissed      = 4
	exitInterrupted = 130
)

const help = `usage: maint goals [flags]

Measures what this project wants to reach, on its own examples and by benchmarks of its
packages, and says which goals are met: one line a goal with its figure and 95% interval, then
a summary.

PASS         the interval's worse bound meets the goal
NEAR         only the point estimate does
FAIL         not even that
ACCEPTED     missed, for a reason that the goal gives
PENDING      something it needs is not built or not measured yet
UNAVAILABLE  a contender could not be had or measured here

  -list            print the goals and measure nothing
  -subject a,b     only goals of these subjects, or of these packages: ./nano
  -file a,b        only goals of these files: zmy, fxjson, fxproto, run, rust, java
  -budget 60s      time for the measurement proper of each subject or package; benchmarks
                   that take as long as they take are not bounded by it
  -pin CPUS        run the codecs on these processors only, as zmy lab -pin; by default on
                   the last one where the system allows it, with none on any
  -keep DIR        write each run's report into DIR/<subject>, and what benchmarks print
                   into DIR/bench/<package>/bench.txt
  -from DIR        judge the runs of an earlier -keep instead of measuring
  -strict          exit 4 unless every goal is PASS or ACCEPTED
  -criterion DIR   the folder in which criterion has saved its rounds: the goals of file
                   rust are judged by them, see make goals-rust
  -dir DIR         read goals from the *.yaml files of DIR instead of the built-in ones

Exit codes: 0 ok, 1 a run broke, 2 usage, 4 a goal is missed, 130 stopped by Ctrl-C.
`

// Main judges goals. It groups them by subject, has runner measure each group, prints one line for
// each goal and a summary, and returns the exit code: 0, 1 if a run failed, 2 for wrong usage, 4 if
// a goal is missed, 130 if ctx ended.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer, runner Runner) int {
	fs := flag.NewFlagSet("goals", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	dir := fs.String("dir", "", "")
	from := fs.String("from", "", "")
	keep := fs.String("keep", "", "")
	list := fs.Bool("list", false, "")
	strict := fs.Bool("strict", false, "")
	subject := fs.String("subject", "", "")
	file := fs.String("file", "", "")
	budget := fs.Duration("budget", time.Minute, "")
	pin := fs.String("pin", "", "")
	criterion := fs.String("criterion", "", "")
	misused := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "goals: "+format+"\n", args...)
		return exitUsage
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, help)
			return exitOK
		}
		return misused("%v\nrun `maint goals -h` for the flags", err)
	}
	if *budget <= 0 {
		return misused("-budget %s: it must be positive, such as 60s", *budget)
	}
	if fs.NArg() > 0 {
		return misused("unexpected argument %q; goals are chosen by -subject and -file", fs.Arg(0))
	}
	all, err := Built()
	if *dir != "" {
		all, err = Load(os.DirFS(*dir))
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitUsage
	}
	chosen := choose(all, *subject, *file)
	if len(chosen) == 0 {
		return misused("no goal has subject %q in file %q; see -list", *subject, *file)
	}
	if *list {
		for _, g := range chosen {
			fmt.Fprintf(stdout, "%s:%d\t%s\t%s\n", g.File, g.Line, g.Of(), g)
		}
		return exitOK
	}
	if *from != "" {
		runner = kept{*from}
	}
	j := judge{runner: runner, budget: *budget, pin: *pin, keep: *keep, criterion: *criterion, stdout: stdout, stderr: stderr}
	outcomes, broke, err := j.all(ctx, chosen)
	summary(stdout, outcomes)
	if err != nil {
		fmt.Fprintf(stderr, "goals: stopped: %v\n", err)
		return exitInterrupted
	}
	return exit(outcomes, broke, *strict)
}

func exit(outcomes []Outcome, broke, strict bool) int {
	for _, o := range outcomes {
		if o.Verdict == Fail || strict && o.Verdict != Pass && o.Verdict != Accepted {
			return exitMissed
		}
	}
	if broke {
		return exitInternal
	}
	return exitOK
}

func choose(all []*Goal, subjects, files string) []*Goal {
	var out []*Goal
	for _, g := range all {
		if subjects != "" && !slices.Contains(strings.Split(subjects, ","), g.Of()) {
			continue
		}
		if files != "" && !slices.Contains(strings.Split(files, ","), strings.TrimSuffix(g.File, ".yaml")) {
			continue
		}
		out = append(out, g)
	}
	return out
}

// group is the goals that one measurement answers.
type group struct {
	Request
	goals []*Goal
}

// groups groups goals by subject or package, variant and env, in the order of the files.
func groups(all []*Goal) []*group {
	var out []*group
	by := map[string]*group{}
	for _, g := range all {
		q := Request{Subject: g.Subject, Bench: g.Bench, Criterion: g.Criterion, Variant: g.Variant, Env: g.Env}
		p := by[q.Name()]
		if p == nil {
			p = &group{Request: q}
			by[q.Name()] = p
			out = append(out, p)
		}
		p.goals = append(p.goals, g)
	}
	for _, p := range out {
		switch {
		case p.Bench != "":
			p.Benchmarks = benchmarks(p.goals)
		case p.Criterion == "":
			p.needs()
		}
	}
	return out
}

// needs sets the codecs and cells that the run of the lab must measure.
func (p *group) needs() {
	p.Codecs = []string{run.Baseline}
	for _, g := range p.goals {
		other, _ := g.other()
		p.All = p.All || other.Codec == Fastest
		if g.Metric == "scaling" {
			p.Scaling = append(p.Scaling, g.Ours.Codec+"/"+cmp.Or(g.Ours.Op, g.Op)+"/"+g.Ours.Mode)
		}
		for _, c := range []string{g.Ours.Codec, other.Codec} {
			if c != "" && c != Fastest && !slices.Contains(p.Codecs, c) {
				p.Codecs = append(p.Codecs, c)
			}
		}
	}
	slices.Sort(p.Codecs)
}

// judge has goals measured and prints their verdicts.
type judge struct {
	runner         Runner
	budget         time.Duration
	pin, keep      string
	criterion      string // folder of criterion's rounds
	stdout, stderr io.Writer
}

// all measures every group, and judges and prints its goals. If a group's run fails, its goals are
// UNAVAILABLE with the error. A group is not run if none of its metrics can be measured yet.
func (j *judge) all(ctx context.Context, all []*Goal) (out []Outcome, broke bool, err error) {
	for _, p := range groups(all) {
		if ctx.Err() != nil {
			break
		}
		verdict, rerr := j.measure(ctx, p)
		if ctx.Err() != nil {
			break
		}
		var of []Outcome
		for _, g := range p.goals {
			switch {
			case rerr == nil:
				of = append(of, verdict(g))
			case errors.Is(rerr, ErrMissing):
				of = append(of, Outcome{Goal: g, Verdict: Pending, Why: rerr.Error()})
			default:
				of = append(of, Outcome{Goal: g, Verdict: Unavailable, Why: "the run failed: " + firstLine(rerr)})
			}
		}
		if rerr != nil && !errors.Is(rerr, ErrMissing) {
			broke = true
			fmt.Fprintf(j.stderr, "goals: %s: %v\n", p.Name(), rerr)
		}
		print(j.stdout, of)
		out = append(out, of...)
	}
	return out, broke, ctx.Err()
}

// measure has one group measured and keeps the result if -keep is set. It returns a function that
// judges a goal by the result.
func (j *judge) measure(ctx context.Context, p *group) (verdict func(*Goal) Outcome, err error) {
	q := p.Request
	q.Budget, q.Pin = j.budget, j.pin
	switch {
	case q.Bench != "":
		return j.bench(ctx, q, p.goals)
	case q.Criterion != "":
		r, err := readCriterion(j.criterion)
		return func(g *Goal) Outcome { return JudgeBench(g, r) }, err
	}
	r := &run.Run{}
	if slices.ContainsFunc(p.goals, func(g *Goal) bool { return Metrics[g.Metric] }) {
		r, err = j.run(ctx, q)
	}
	return func(g *Goal) Outcome { return Judge(g, r) }, err
}

func (j *judge) run(ctx context.Context, q Request) (*run.Run, error) {
	and := ""
	if q.All {
		and = " and all others"
	}
	fmt.Fprintf(j.stderr, "goals: measuring %s (%s%s)\n", q.Name(), strings.Join(q.Codecs, ", "), and)
	r, err := j.runner.Run(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, errors.New("the runner returned no run")
	case j.keep != "":
		return r, report.WriteDir(filepath.Join(j.keep, q.Name()), r)
	}
	return r, nil
}

// more is how many times as many rounds the second run has.
const more = 3

// bench runs benchmarks, and those of doubtful goals once more, for more rounds. All rounds together
// judge these goals. If the second run fails, the first one judges them.
func (j *judge) bench(ctx context.Context, q Request, goals []*Goal) (func(*Goal) Outcome, error) {
	var runs []*gobench.Results
	var all []byte
	once := func() error {
		text, err := j.runner.Bench(ctx, q)
		if err != nil {
			return err
		}
		all = append(all, text...)
		if err := j.keepBench(q, all); err != nil {
			return err
		}
		r, err := gobench.Read(bytes.NewReader(text))
		runs = append(runs, r)
		return err
	}
	verdict := func(g *Goal) Outcome { return JudgeBench(g, runs...) }
	fmt.Fprintf(j.stderr, "goals: running %d benchmarks of ./%s\n", len(q.Benchmarks), q.Bench)
	if err := once(); err != nil {
		return nil, err
	}
	doubtful := slices.DeleteFunc(slices.Clone(goals), func(g *Goal) bool { return !verdict(g).doubtful() })
	if _, read := j.runner.(kept); len(doubtful) == 0 || read {
		return verdict, nil
	}
	before := rounds(q.Benchmarks)
	q.Benchmarks = benchmarks(doubtful)
	for i := range q.Benchmarks {
		q.Benchmarks[i].Rounds *= more
	}
	q.Budget = q.Budget * time.Duration(rounds(q.Benchmarks)) / time.Duration(before) // a round takes as long as before
	fmt.Fprintf(j.stderr, "goals: running %d of them for more rounds, since the intervals of %d goals contain their bounds\n",
		len(q.Benchmarks), len(doubtful))
	if err := once(); err != nil {
		fmt.Fprintf(j.stderr, "goals: they are judged by the first run, since the second failed: %v\n", err)
	}
	return verdict, nil
}

// rounds returns the number of processes of a plan.
func rounds(list []gobench.Benchmark) (n int) {
	for _, b := range list {
		n += b.Rounds
	}
	return max(1, n)
}

// keepBench writes what benchmarks printed, if -keep is set.
func (j *judge) keepBench(q Request, text []byte) error {
	if j.keep == "" {
		return nil
	}
	dir := filepath.Join(j.keep, filepath.FromSlash(q.Name()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, benchText), text, 0o644)
}

func firstLine(err error) string {
	s, _, _ := strings.Cut(err.Error(), "\n")
	return s
}

// benchText is the name of the file with the output of benchmarks.
const benchText = "bench.txt"

// kept is a Runner that returns what -keep wrote into a folder.
type kept struct{ dir string }

func (k kept) Run(_ context.Context, q Request) (*run.Run, error) {
	text, err := k.read(q, report.FileJSON)
	if err != nil {
		return nil, err
	}
	return report.ReadJSON(bytes.NewReader(text))
}

func (k kept) Bench(_ context.Context, q Request) ([]byte, error) { return k.read(q, benchText) }

func (k kept) read(q Request, file string) ([]byte, error) {
	name := filepath.Join(k.dir, filepath.FromSlash(q.Name()), file)
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is %w", name, ErrMissing)
	}
	return text, err
}

// print prints one line for each goal.
func print(w io.Writer, outcomes []Outcome) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range outcomes {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", o.Verdict, o.Goal.Of(), o.Goal, spell(o), o.Why)
	}
	t.Flush()
}

// summary prints the number of each verdict.
func summary(w io.Writer, outcomes []Outcome) {
	counts := map[string]int{}
	for _, o := range outcomes {
		counts[o.Verdict]++
	}
	var parts []string
	for _, v := range Verdicts {
		if counts[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	fmt.Fprintf(w, "%d goals: %s\n", len(outcomes), cmp.Or(strings.Join(parts, " · "), "none judged"))
}

// spell formats the figure with its interval: "1.62 [1.58, 1.66]".
func spell(o Outcome) string {
	f := o.Figure
	if f == (run.Interval{}) && (o.Verdict == Pending || o.Verdict == Unavailable) {
		return "–"
	}
	s := number(f.Point)
	if f.Lo != f.Hi {
		s += " [" + number(f.Lo) + ", " + number(f.Hi) + "]"
	}
	return s
}

func number(x float64) string {
	switch x {
	case math.MaxFloat64:
		return "∞"
	case -math.MaxFloat64:
		return "-∞"
	}
	return quantity.Figure(x)
}
