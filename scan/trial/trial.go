// Package trial checks what a scan predicted: it runs a program before and after a change of codecs, by turns, and compares
// the CPU time that was saved with the prediction for the same program.
//
// NOTE, the map: trial.go leads a trial; bench.go finds benchmarks and runs them; program.go runs a command, alone or under a load; forecast.go
// predicts by the profiles of the runs before the change; text.go prints.
package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/adopt"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/profile"
)

// Options say what is run.
type Options struct {
	// A command of the module ("./cmd/server", which begins with ./ or is an import path of the module) or a
	// regular expression for names of benchmarks, as go test -bench takes it.
	What string
	Args []string // of the command; {cpu} and {heap} are replaced by files to which it writes its profiles
	Load string   // a shell command that puts load on the command; then the command is ended. "": the command ends by itself
	// CPU and Heap are URLs of profiles of the command, which are fetched under load in a run of its own.
	CPU, Heap string

	Rounds int           // pairs of runs; 0 is 10
	Time   time.Duration // CPU time of one run of a benchmark, about; 0 is 1.5 s
	Scan   scan.Options  // Samples, Lab, Tool, Command and Run are used
	Doing  func(string)  // is told what Run does; may be nil
}

// Result is what was measured.
type Result struct {
	Rows    []*Row
	Outside []string // benchmarks that do not reach a site that changes
	Types   []scan.Measured
	Rounds  int
}

// Row is one benchmark or command.
type Row struct {
	Package string
	Name    string  // of the benchmark; "" for a command
	Ops     int     // operations of one run; 0 for a command
	Before  float64 // CPU time of an operation or, for a command, of a run, in ns: the median of all rounds
	After   float64
	Saved   predict.Interval // 1 − after/before: the median of all rounds and its interval
	// Predicted is the saving by the profile of the runs before the change; nil if there is none, and Why says why.
	Predicted *predict.Interval
	Why       string
	Sites     []*scan.Site // of the prediction, heaviest first
	Open      float64      // share of CPU at sites that change and have no prediction
	Values    string       // what the lab measured the types on: "made up", or "documents of the run"
	Notes     []string     // what the prediction leaves out
	Error     string       // why it was not measured
}

// Verdict says whether the promise was kept.
func (r *Row) Verdict() string {
	switch {
	case r.Predicted == nil:
		return "no prediction"
	case r.Saved.Hi < r.Predicted.Lo:
		return "less than predicted"
	case r.Open >= open:
		return "predicted in part"
	case r.Saved.Lo > r.Predicted.Hi:
		return "more than predicted"
	}
	return "as predicted"
}

// trial is a run.
type trial struct {
	o      Options
	r      *adopt.Result
	copy   *adopt.Copy
	code   *scan.Code // with the sites that change; nil: nothing can be predicted, and lost says why
	lost   string
	labs   labs
	tmp    string
	result *Result
}

// Run measures a change. ro are the options that the change was made with. If ctx ends, Run returns what was measured until then, and
// ctx's error.
func Run(ctx context.Context, r *adopt.Result, ro adopt.Options, o Options) (*Result, error) {
	if o.Rounds <= 0 {
		o.Rounds = 10
	}
	if o.Time <= 0 {
		o.Time = 1500 * time.Millisecond
	}
	if o.Doing == nil {
		o.Doing = func(string) {}
	}
	t := &trial{o: o, r: r, labs: labs{base: o.Scan.Run}, result: &Result{Rounds: o.Rounds}}
	if t.labs.base == nil {
		t.labs.base = lab.Run
	}
	var err error
	if t.tmp, err = os.MkdirTemp("", "zmy-trial-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(t.tmp)
	o.Doing("copying the module")
	if t.copy, err = r.Copy(ctx, ro); err != nil {
		return nil, err
	}
	defer t.copy.Close()
	works, err := t.works(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.load(ctx, ro); err != nil {
		return nil, err
	}
	for _, w := range works {
		if err := t.run(ctx, w); err != nil {
			return t.result, err
		}
	}
	if len(t.result.Rows) == 0 {
		return t.result, lab.Usagef("no benchmark that %s matches reaches a site that changes (%s)", o.What, strings.Join(t.result.Outside, ", "))
	}
	return t.result, nil
}

// works returns what is to be run.
func (t *trial) works(ctx context.Context) ([]work, error) {
	if p, ok := t.command(); ok {
		t.o.Doing("building " + p + " before and after the change")
		all, err := t.copy.Packages(ctx, p)
		if err != nil {
			return nil, err
		}
		if len(all) != 1 || all[0].Name != "main" {
			return nil, lab.Usagef("%s is no command: name the folder of one package main, such as ./cmd/server, or benchmarks by a regular expression", p)
		}
		return t.program(ctx, all[0])
	}
	if len(t.o.Args) > 0 || t.o.Load != "" || t.o.CPU != "" || t.o.Heap != "" {
		return nil, lab.Usagef("arguments, a load and profiles are for commands, and %q names benchmarks; a command is named by its folder, such as ./cmd/server", t.o.What)
	}
	return t.benchmarks(ctx)
}

// command returns the pattern of the command that is to be run.
func (t *trial) command() (string, bool) {
	w := filepath.ToSlash(t.o.What)
	own := w == t.r.Module || strings.HasPrefix(w, t.r.Module+"/")
	return w, own || w == "." && (len(t.o.Args) > 0 || t.o.Load != "") || strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../")
}

// work is what both sides do.
type work interface {
	row() *Row
	programs() (before, after string)
	// once runs a program once, and returns its CPU time in ns. The profiles are written to files, which may be left out.
	once(ctx context.Context, program, cpu, heap string) (float64, error)
	// profiles returns the profiles of a run of their own, or nil if each run has written its own.
	profiles(ctx context.Context) (cpu, heap *profile.Profile, err error)
}

// run measures one work, and compares it with its prediction.
func (t *trial) run(ctx context.Context, w work) error {
	row := w.row()
	name := strings.TrimSpace(row.Package + " " + row.Name)
	var programs [2]string
	programs[0], programs[1] = w.programs()
	var before, after, ratios []float64
	var cpus, heaps []string
	reached := t.code == nil
	for i := range t.o.Rounds {
		t.o.Doing(fmt.Sprintf("%s: round %d of %d", name, i+1, t.o.Rounds))
		var times [2]float64
		for turn := range 2 {
			side := (turn + i) % 2
			cpu, heap := filepath.Join(t.tmp, fmt.Sprintf("cpu%d.%d", side, i)), filepath.Join(t.tmp, fmt.Sprintf("heap%d.%d", side, i))
			_, _ = os.Remove(cpu), os.Remove(heap) // of the work before this one
			var err error
			if times[side], err = w.once(ctx, programs[side], cpu, heap); ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				row.Error = fmt.Sprintf("%s the change: %v", [2]string{"before", "after"}[side], err)
				t.result.Rows = append(t.result.Rows, row)
				return nil
			}
			if side == 0 {
				cpus, heaps = append(cpus, cpu), append(heaps, heap)
			}
		}
		if !reached {
			reaches, known := t.reaches(ctx, cpus, heaps)
			if known && !reaches {
				t.result.Outside = append(t.result.Outside, name)
				return nil
			}
			reached = known
		}
		before, after = append(before, times[0]), append(after, times[1])
		ratios = append(ratios, 1-times[1]/times[0])
	}
	row.measured(before, after, ratios)
	t.result.Rows = append(t.result.Rows, row)
	cpu, heap, err := w.profiles(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		row.Why = err.Error()
		return nil
	}
	if cpu == nil {
		cpu, heap, err = merged(cpus, heaps)
	}
	if err != nil {
		row.Why = err.Error()
		return nil
	}
	return t.forecast(ctx, w, cpu, heap)
}

// measured fills in the times of all rounds.
func (r *Row) measured(before, after, saved []float64) {
	n := float64(max(1, r.Ops))
	r.Before, r.After = stats.Median(before)/n, stats.Median(after)/n
	lo, hi, _ := stats.MedianInterval(saved, 0.95)
	r.Saved = predict.Interval{Point: stats.Median(saved), Lo: lo, Hi: hi}
}
