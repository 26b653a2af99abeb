package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
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
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
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

func findExperiment(name string) experiment.Experiment {
	for _, e := range experiments() {
		if e.About().Name == name {
			return e
		}
	}
	return nil
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
  -format FORMAT   what is printed: table (default), json, md, csv

The flags -contender, -seed, -n, -sample, -field, -input, -allow-fallback and -runtime are those of zmy lab.
`

// experimentFormats are the output formats of an experiment.
var experimentFormats = map[string]func(f *labFlags, w io.Writer, e *run.Experiment) error{
	"table": func(f *labFlags, w io.Writer, e *run.Experiment) error { return report.Experiment(w, e, f.table(w)) },
	"json": func(_ *labFlags, w io.Writer, e *run.Experiment) error {
		j := json.NewEncoder(w)
		j.SetIndent("", " ")
		j.SetEscapeHTML(false)
		return j.Encode(e)
	},
	"md": func(_ *labFlags, w io.Writer, e *run.Experiment) error { return report.ExperimentMarkdown(w, e) },
	"csv": func(_ *labFlags, w io.Writer, e *run.Experiment) error {
		return report.ExperimentsCSV(w, []*run.Experiment{e})
	},
}

// runExperiment runs the experiment e. args[0] is its name.
func runExperiment(ctx context.Context, c *console, e experiment.Experiment, args []string) int {
	f := &labFlags{}
	fs := flag.NewFlagSet("lab "+e.About().Name, flag.ContinueOnError)
	f.register(fs)
	fs.StringVar(&f.format, "format", "table", "")
	own := ""
	if flagged, ok := e.(experiment.Flagged); ok {
		own = flagged.Flags(fs)
	}
	rest, code, ok := parse(c, fs, fmt.Sprintf(experimentHelp, e.About().Name, sentence(e.About().Short), own, experiment.Few), args[1:])
	if !ok {
		return code
	}
	err := f.complete(rest)
	if write := experimentFormats[f.format]; write == nil && err == nil {
		err = fmt.Errorf("-format %s: choose table, json, md or csv", f.format)
	}
	if checked, ok := e.(experiment.Checked); ok && err == nil {
		err = checked.Check()
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "zmy lab %s: %v\n", e.About().Name, err)
		return exitUsage
	}
	f.Command = append([]string{"zmy", "lab"}, args...)
	f.seeded()
	ui := newScreen(c.stderr)
	r, found, err := experiment.Run(ctx, e, f.Options, ui)
	ui.end()
	if found != nil {
		if werr := experimentFormats[f.format](f, c.stdout, found); werr != nil {
			fmt.Fprintln(c.stderr, "zmy lab:", werr)
			return exitInternal
		}
	}
	if found == nil {
		r = nil // nothing was written
	}
	return f.exit(ctx, c, r, err)
}

// sentence makes a sentence of s, with a capital first letter and a full stop.
func sentence(s string) string {
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
