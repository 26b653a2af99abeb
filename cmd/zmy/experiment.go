package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/contention"
	"github.com/zmylab/zmy/lab/experiment/cpu"
	"github.com/zmylab/zmy/lab/experiment/escape"
	"github.com/zmylab/zmy/lab/experiment/gc"
	"github.com/zmylab/zmy/lab/experiment/latency"
	"github.com/zmylab/zmy/lab/experiment/layout"
	"github.com/zmylab/zmy/lab/experiment/profile"
	"github.com/zmylab/zmy/lab/experiment/protofamily"
	"github.com/zmylab/zmy/lab/experiment/sensitivity"
	"github.com/zmylab/zmy/lab/experiment/stores"
	"github.com/zmylab/zmy/lab/experiment/sweep"
)

// experiments are the subcommands of zmy lab that measure something other than the table of codecs.
func experiments() []experiment.Experiment {
	return []experiment.Experiment{
		latency.New(),
		stores.New(),
		sweep.New(),
		contention.New(),
		gc.New(),
		cpu.New(),
		layout.Experiment{},
		escape.Experiment{},
		profile.Experiment{},
		sensitivity.Experiment{},
		protofamily.New(),
	}
}

// experimentList returns one line for each experiment.
func experimentList() string {
	var b strings.Builder
	for _, e := range experiments() {
		fmt.Fprintf(&b, "  %-16s %s\n", e.About().Name, e.About().Short)
	}
	return b.String() + "\n"
}

const experimentHelp = `usage: zmy lab %s PACKAGE -type TYPE [flags]

%s

What it finds is added to the report in the folder of -o: run.json keeps the codec table and
the other experiments of the same type, and index.html shows them all.

%s  -type TYPE       the type to measure
  -codecs a,b      codecs to measure beside the baseline std-json; by default the first
                   %d of the ranking in the report, or the default ones where there is none
  -depth DEPTH     quick (default), standard or paper: how much to measure
  -budget 60s      about how long to measure, after all codecs were built
  -pin CPUS        run the codecs on these processors only: 1, 0,2 or 4-7 (Linux)
  -o DIR           folder of the report, ./zmylab by default
  -format FORMAT   what is printed: table (default), json, md, csv or html

The flags -contender, -seed, -n, -sample, -fit, -field, -input, -allow-fallback and -runtime are
those of zmy lab.
`

// runExperiment runs the experiment e.
func runExperiment(ctx context.Context, c *console, e experiment.Experiment, args []string) error {
	f := &labFlags{}
	fs := flag.NewFlagSet("lab "+e.About().Name, flag.ContinueOnError)
	f.register(fs)
	format := experimentForm(fs)
	own := ""
	if flagged, ok := e.(experiment.Flagged); ok {
		own = flagged.Flags(fs)
	}
	rest, err := parse(c, fs, fmt.Sprintf(experimentHelp, e.About().Name, sentence(e.About().Short), own, experiment.Few), args)
	if err != nil {
		return err
	}
	err = f.complete(rest)
	if checked, ok := e.(experiment.Checked); ok && err == nil {
		err = checked.Check()
	}
	if err != nil {
		return misused("%w", err)
	}
	f.repeatBy("zmy lab "+e.About().Name, args)
	ui := newScreen(c.stderr)
	r, found, err := experiment.Run(ctx, e, f.Options, ui)
	ui.clear()
	if found == nil {
		return f.ended(ctx, c, nil, err, false) // nothing was written
	}
	if werr := experimentForms[*format](c.stdout, f.Out, found); werr != nil {
		return werr
	}
	return f.ended(ctx, c, r, err, *format == "table")
}

// sentence makes a sentence of s, with a capital first letter and a full stop.
func sentence(s string) string {
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
