package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/gate"
	"github.com/zmylab/zmy/lab/history"
	"github.com/zmylab/zmy/lab/run"
)

const gateHelp = `usage: zmy lab gate PACKAGE -type TYPE -baseline REF [flags]

Tells whether a change made a type slower, larger or hungrier: builds its package as it
stands and as it was at a git commit, and measures both by turns in one run. The commit is
checked out into a temporary folder; your files, index and worktrees stay as they are.

  -time            compare times (default): what users feel, on a machine with little else to do
  -count           compare instructions, which valgrind counts: the same on a busy machine
  -baseline REF    the commit to compare with: a branch, tag or hash; HEAD by default, which
                   shows what is not committed yet
  -tolerance 5%    by how much times may grow, 5% by default, or instructions, 1% by default
  -growth 5%       by how much allocations and bytes may grow: by default as -tolerance with
                   -time, and not at all with -count
  -type TYPE       the type to measure
  -codecs a,b      codecs to measure beside std-json
  -contender DIR   measure a codec of yours too, as it was at the commit and as it stands
  -format FORMAT   what is printed: table (default), md (for a comment on a pull request),
                   html, csv or json
  -o DIR           also write gate.md, gate.html and gate.json there
  -history FILE    add the figures of the present side to FILE, for zmy lab history

The flags -depth, -budget, -seed, -n, -sample, -field, -input, -pin, -allow-fallback and
-runtime are those of zmy lab.

A slowdown is called a regression when its 95% interval, corrected for the number of
comparisons, excludes no change, and it exceeds both the tolerance and the noise floor: what
two copies of one program differed by. A cell is unchanged only when its interval leaves no
room for a slowdown beyond the tolerance. With -count the same holds for instructions, and
the noise floor of a cell is what the launches of one program differed by.

Exit codes: 0 no cell is slower by more than the tolerance, 1 internal error, 2 usage (no
such commit, the type is new, -count without valgrind …), 3 std-json or a codec named failed
on both sides, 4 a confirmed regression, or a codec cannot do what it could, 5 inconclusive,
or a codec named has nothing to be compared with since it failed at the commit, 130 stopped
by Ctrl-C. How a workflow uses it: docs/guide/gate.md.
`

// runGate runs zmy lab gate.
func runGate(ctx context.Context, c *console, args []string) error {
	f := &labFlags{}
	fs := flag.NewFlagSet("lab gate", flag.ContinueOnError)
	f.register(fs)
	f.Out = "" // no folder by default
	format := experimentForm(fs)
	g := &gateFlags{}
	g.register(fs)
	rest, err := parse(c, fs, gateHelp, args)
	if err != nil {
		return err
	}
	o, err := g.options(f, rest)
	if err != nil {
		return misused("%w", err)
	}
	f.repeatBy("zmy lab gate", args)
	o.Lab, o.Lab.Out = f.Options, ""
	if err := writableDir("-o", f.Out); err != nil {
		return err
	}
	ui := newScreen(c.stderr)
	x, err := gate.Run(ctx, o, ui)
	ui.clear()
	if err != nil {
		return f.ended(ctx, c, nil, err, false)
	}
	e := x.Experiment(o.Lab.Command)
	if err := experimentForms[*format](c.stdout, "", e); err != nil {
		return err
	}
	if err := writeGate(f.Out, e); err != nil {
		return err
	}
	if g.history != "" {
		if err := history.Append(g.history, x.Record(headCommit(ctx, x.Dir))); err != nil {
			return fmt.Errorf("-history: %w", err)
		}
	}
	switch {
	case x.Regressed():
		return quiet(exitRegression)
	case x.Undecided():
		return quiet(exitInconclusive)
	}
	return required(c, x.Now, f.asked, false)
}

// writeGate writes the result to gate.md, gate.html and gate.json in dir, if there is one.
func writeGate(dir string, e *run.Experiment) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, form := range []string{"md", "html", "json"} {
		var b bytes.Buffer
		if err := experimentForms[form](&b, "", e); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "gate."+form), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// gateFlags are the flags of zmy lab gate that zmy lab does not have.
type gateFlags struct {
	baseline          string
	tolerance, growth string // percent; "" is the default of what is compared
	count, time       bool
	history           string
}

func (g *gateFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&g.baseline, "baseline", "HEAD", "")
	fs.StringVar(&g.tolerance, "tolerance", "", "")
	fs.StringVar(&g.growth, "growth", "", "")
	fs.StringVar(&g.history, "history", "", "")
	fs.BoolVar(&g.count, "count", false, "")
	fs.BoolVar(&g.time, "time", false, "")
}

// options returns the options of a gate except those that it shares with zmy lab.
func (g *gateFlags) options(f *labFlags, rest []string) (o gate.Options, err error) {
	err = f.complete(rest)
	switch {
	case err != nil:
		return o, err
	case f.Package == "":
		return o, errors.New("name a package: zmy lab gate ./path/to/package -type YourType -baseline main")
	case f.Fit:
		return o, errors.New("-fit: make the fit by zmy lab first, and give its fit.json to -sample, so that both sides draw " +
			"from the same one")
	case g.baseline == "":
		return o, errors.New("-baseline: name a commit, such as main or HEAD~1")
	case g.count && g.time:
		return o, errors.New("-count and -time: choose one; -count suits machines that others use, such as hosted runners")
	}
	o = gate.Options{Baseline: g.baseline, Count: g.count, Own: f.ownDirs}
	tolerance, growth := "5%", cmp.Or(g.tolerance, "5%")
	if g.count {
		tolerance, growth = "1%", "0%"
	}
	if o.Tolerance, err = percent("tolerance", cmp.Or(g.tolerance, tolerance)); err != nil {
		return o, err
	}
	o.Growth, err = percent("growth", cmp.Or(g.growth, growth))
	return o, err
}

// percent returns the value of a flag as a share of 1.
func percent(name, text string) (float64, error) {
	share, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(share >= 0 && share < 1000) { // this form of the test refuses NaN, too
		return 0, fmt.Errorf("-%s %s: give percent, such as 5%%", name, text)
	}
	return share / 100, nil
}
