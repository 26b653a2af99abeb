package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// built is the outcome of a build.
type built struct {
	entry  *run.Contender
	worker *harness.Worker
	err    error
}

// builders is the number of builds at the same time. Half of the processors compile and link, and
// the others are left to the contender that is being judged: some checks need two processors, and
// provisional figures an undisturbed one.
func builders() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// buildAll builds the contenders. Meanwhile it probes those that are built, in table order, and
// shows their first figures. One go command cannot build them all: their programs are the same
// package with other files, and each has versions of its own.
func (l *Opened) buildAll(ctx context.Context, infos []contender.Info) error {
	type job struct {
		info  contender.Info
		entry *run.Contender
	}
	var jobs []job
	for _, info := range infos {
		c := &run.Contender{Name: info.Name, Family: info.Family, Text: info.Text, Modules: info.Modules, Status: run.StatusMeasured,
			Rankless: info.Rankless(), Adopt: info.AdoptFor(l.target),
			Capabilities: info.Capabilities()}
		l.run.Contenders = append(l.run.Contenders, c)
		if l.o.Input != "" && info.Family != "json" {
			l.drop(c, run.StatusSkipped, run.Why{What: "it does not read JSON", Reason: "input " + l.o.Input + " is a spelling of JSON"})
			continue
		}
		if why := info.Plan; why != nil {
			if w := why(l.target); w != nil {
				l.nameModules(w)
				l.drop(c, run.StatusSkipped, *w)
				continue
			}
		}
		jobs = append(jobs, job{info, c})
	}
	ctx, stop := context.WithCancel(ctx)
	done, next := make([]chan built, len(jobs)), make(chan int, len(jobs))
	for i := range jobs {
		done[i] = make(chan built, 1)
		next <- i
	}
	close(next)
	var building sync.WaitGroup
	defer building.Wait() // the workspace is removed afterwards
	defer stop()
	for range builders() {
		building.Go(func() {
			for i := range next {
				w, err := l.space.Build(ctx, jobs[i].info, l.target)
				done[i] <- built{entry: jobs[i].entry, worker: w, err: err}
			}
		})
	}
	for i, j := range jobs {
		l.ui.Doing("building " + j.info.Name)
		if err := l.take(ctx, <-done[i]); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// take probes one built contender, or drops it if its build or its probe failed. It returns an
// error only if the run cannot go on.
func (l *Opened) take(ctx context.Context, b built) error {
	c := b.entry
	if b.err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		status, why := l.buildWhy(c, b.err)
		if c.Name == run.Baseline {
			return &BaselineError{why} // the baseline's worker imports only the package and the standard library, so no other will build
		}
		l.drop(c, status, why)
		return nil
	}
	c.Modules, c.BuildSec, c.Binary, c.Loaded = b.worker.Modules, b.worker.Seconds, b.worker.Size, b.worker.Loaded
	c.Notes = append(c.Notes, b.worker.Notes...)
	l.ui.Doing("judging " + c.Name)
	if c.Name == run.Baseline {
		if w := contender.LeftOut(l.target); w != nil {
			l.warn(fmt.Sprintf("values go without what holds %s (%s): %s",
				strings.Replace(strings.TrimPrefix(w.What, "skipped: "), " has type ", ", a ", 1), w.Where, w.Reason))
		}
		why, err := l.vet(ctx, b.worker)
		if err == nil && why != nil {
			l.drop(c, run.StatusFailed, *why)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		} // other errors of vet are ignored, since probe meets them too
	}
	p, err := l.probe(ctx, b.worker, c)
	if err == nil {
		err = l.check(ctx, p, c)
		c.Capabilities = contender.Measured(c.Capabilities, c.Checks)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		why := failure(err)
		if c.Name == run.Baseline && why.Where == whereValues { // before any codec was asked
			why.Next = "look at the package's init functions and its sample function; -sample FILE takes values from a file"
			if l.o.Sample != "" {
				why.Next = "mend the documents of -sample, or give others: the type has to read at least one"
			}
			return &BaselineError{why}
		}
		l.drop(c, run.StatusFailed, why)
		return nil
	}
	l.describe(p)
	l.probed = append(l.probed, p)
	l.ui.First(c, p.quick)
	return nil
}

// BaselineError says that the baseline's worker could not be built, or failed before it called any
// codec. That worker contains nothing but the user's package and the standard library, so no codec
// is at fault.
type BaselineError struct{ Why run.Why }

// Error says what cannot be measured, why, and what to do next, and ends with the output of the
// failed command.
func (e *BaselineError) Error() string {
	s := "the package does not build"
	if e.Why.Next == spaceNext {
		s = "the package could not be built, " + e.Why.What
	} else if e.Why.What == whyMissing {
		s += ", " + whyMissing
	}
	if e.Why.Where == whereValues {
		s = "no values to measure on: " + e.Why.What
	}
	if e.Why.Reason != "" {
		s += ": " + e.Why.Reason
	}
	if e.Why.Next != "" {
		s += "\n→ " + e.Why.Next
	}
	if e.Why.Output != "" {
		s += "\n" + e.Why.Output
	}
	return s
}

// drop takes a contender out of the run and notes the reason.
func (l *Opened) drop(c *run.Contender, status string, why run.Why) {
	if !strings.HasPrefix(why.What, status) {
		why.What = status + ": " + why.What
	}
	c.Status, c.Why = status, &why
	l.ui.Note(Sentence(c))
}

// Sentence says in one line why a contender is not measured:
//
//	easyjson skipped: Order.Meta has type any (order.go:31): it would … → -allow-fallback
func Sentence(c *run.Contender) string {
	return c.Name + " " + c.Status + ": " + report.Reason(strings.TrimPrefix(c.Why.What, c.Status+": "), c.Why)
}

// failure describes how a worker failed, for the report.
func failure(err error) run.Why {
	var dead *harness.Dead
	var refused *harness.Refused
	switch {
	case errors.As(err, &dead):
		next := "leave it out; report it to the codec's authors if the output shows that their code is to blame"
		if strings.Contains(dead.How, harness.TooBusy) {
			next = "measure on a machine with less to do"
		}
		return run.Why{What: dead.How, Where: during(dead.Cmd), Output: dead.Output, Next: next}
	case errors.As(err, &refused):
		f := refused.Failure
		return run.Why{What: f.What, Where: during(refused.Cmd), Output: f.Stack,
			Next: "leave it out, or change what it cannot carry"}
	}
	return run.Why{What: err.Error()}
}

// whereValues is run.Why.Where of a worker that failed before it called its codec.
const whereValues = "while the values were made"

func during(cmd string) string {
	if cmd == worker.CmdValues {
		return whereValues
	}
	return "during " + cmd
}

// whyMissing is run.Why.What of a codec with a module that is not on this machine.
const whyMissing = "a module it needs is not on this machine and could not be fetched"

// missing matches the go command's messages about a module that is absent and cannot be fetched.
var missing = regexp.MustCompile(`GOPROXY=off|module lookup disabled|dial tcp|no such host|i/o ` +
	`timeout|proxyconnect|connection refused|410 Gone|404 Not Found|checksum database disabled`)

// buildWhy says why a build failed. The status is "skipped" if a module is missing, else "failed".
func (l *Opened) buildWhy(c *run.Contender, err error) (status string, why run.Why) {
	var be *harness.BuildError
	if !errors.As(err, &be) {
		return run.StatusFailed, run.Why{What: "its sources could not be made: " + err.Error()}
	}
	out := be.Command + "\n" + be.Output
	if missing.MatchString(be.Output) {
		return run.StatusSkipped, run.Why{What: whyMissing,
			Reason: firstMatch(be.Output, missing), Next: l.fetch(c), Output: out}
	}
	if full := firstMatch(be.Output, noSpace); full != "" {
		return run.StatusFailed, run.Why{What: "the disk is full", Reason: full, Next: spaceNext, Output: out}
	}
	reason := cmp.Or(firstMatch(be.Output, position), firstMatch(be.Output, panics), lastWords(be.Output), be.Err.Error())
	next := "run with -format json to see the whole output"
	if l.o.Out != "" {
		next = "the whole output is in " + filepath.Join(l.o.Out, report.FileJSON)
	}
	if c.Name == run.Baseline {
		next = "make `go build " + l.subject.Pkg.Path + "` work first" // for the baseline no report is written that next could name
	}
	return run.StatusFailed, run.Why{What: "its worker does not build", Reason: reason, Output: out, Next: next}
}

// position matches a line that begins with a place, as errors of the compiler and the go command
// do: file:line:column.
var position = regexp.MustCompile(`^\S.*\.(go|mod|work|s):\d+`)

// panics matches the line in which a generator says why it panicked.
var panics = regexp.MustCompile(`^(panic|fatal error): `)

// lastWords returns the last line of out in which a program says something, or "". The go command's
// headers and exit codes say nothing.
func lastWords(out string) (last string) {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "exit status ") {
			last = line
		}
	}
	return last
}

// fetch returns the command that downloads the modules of a contender's worker.
func (l *Opened) fetch(c *run.Contender) string {
	get := []string{"go", "mod", "download"} // without arguments, the modules that the user's go.mod names
	needs := c.Modules
	for i := range l.o.Table {
		if l.o.Table[i].Name == c.Name {
			needs = append(needs[:len(needs):len(needs)], l.o.Table[i].Beside...)
		}
	}
	for _, m := range needs {
		if m.Version != "" {
			get = append(get, m.Path+"@"+m.Version)
		}
	}
	return strings.Join(get, " ")
}

// firstMatch returns the first line of out that matches, without surrounding space, or "".
func firstMatch(out string, what *regexp.Regexp) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); what.MatchString(line) {
			return line
		}
	}
	return ""
}

// noSpace matches messages of the go command and its tools that a disk or a quota is full.
var noSpace = regexp.MustCompile(`no space left on device|disk quota exceeded|not enough space on the disk`)

const spaceNext = "free space where TMPDIR and GOCACHE lie (df -h shows it), or set them to folders of another disk"

// foreignMachine returns an error if env builds for a machine other than this one, since the lab
// runs what it builds.
func foreignMachine(env *plan.Env) error {
	if env.GOOS == runtime.GOOS && (env.GOARCH == runtime.GOARCH || runtime.GOARCH == "amd64" && env.GOARCH == "386") {
		return nil
	}
	return Usagef("the go command builds for %s/%s, and the lab must run what it builds, on %s/%s: "+
		"unset GOOS and GOARCH (go env -u GOOS GOARCH, if they were set by go env -w), or measure on such a machine",
		env.GOOS, env.GOARCH, runtime.GOOS, runtime.GOARCH)
}
