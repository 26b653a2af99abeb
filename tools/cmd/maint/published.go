package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/tools/published"
)

const publishedHelp = `usage: maint published [flags]

Measures what docs/results/claims.yaml compares with published figures and no run of the lab
shows: benchmarks of this project, by turns, into docs/results/benchmarks; with -releases it
looks for options in all releases of other modules, into docs/results/releases.

  -releases    look for the options, which downloads the releases
  -budget 60s  time for all benchmarks together
  -rounds 12   processes for each benchmark

Exit codes: 0 done, 1 it failed, 2 usage, 130 stopped by Ctrl-C.
`

// runPublished runs maint published.
func runPublished(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var fail failure = func(code int, format string, args ...any) int {
		fmt.Fprintf(stderr, "maint published: "+format+"\n", args...)
		return code
	}
	flags := flag.NewFlagSet("published", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	releases := flags.Bool("releases", false, "")
	budget := flags.Duration("budget", time.Minute, "")
	rounds := flags.Int("rounds", 12, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, publishedHelp)
		return exitOK
	case err != nil:
		return fail(exitUsage, "%v; maint published -h lists the flags", err)
	case flags.NArg() > 0:
		return fail(exitUsage, "takes no arguments, only flags: %q", flags.Args())
	case *rounds < 1 || *budget <= 0:
		return fail(exitUsage, "-rounds and -budget must be positive")
	}
	root, err := checkout()
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	doing := newProgress(stderr).Doing
	begin := time.Now()
	var x *run.Experiment
	if *releases {
		x, err = published.Releases(ctx, published.Sought, doing)
	} else {
		x, err = published.Measure(ctx, published.Groups, published.Options{Root: root, Budget: *budget, Rounds: *rounds, Doing: doing})
	}
	if ctx.Err() != nil {
		return fail(exitStopped, "stopped")
	}
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	host := lab.Machine()
	x.Command = append(strings.Fields(program+" published"), args...)
	x.Started, x.Seconds, x.Host = begin.UTC(), time.Since(begin).Seconds(), host
	r := &run.Run{Schema: run.Schema, Tool: program, Command: x.Command, Started: x.Started, Seconds: x.Seconds, Host: host,
		Subject: run.Subject{Name: x.Title, Type: x.Title}, Experiments: []*run.Experiment{x}}
	if err := report.WriteDir(filepath.Join(root, "docs", "results", x.Name), r); err != nil {
		return fail(exitInternal, "%v", err)
	}
	return exitOK
}
