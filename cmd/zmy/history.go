package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/history"
)

const historyHelp = `usage: zmy lab history [FILE] [flags]

Shows at which commits the figures of a type changed. FILE has one line for each run,
.zmylab/history.ndjson by default: zmy lab gate -history FILE adds one, and so does -add.
Writes a page with a chart for each codec and measure.

  -add RUN         first add a run of zmy lab: a file run.json, or the folder that holds it
  -commit HASH     the commit of that run; by default the one that git has checked out here
  -least 1%        do not report changes by less
  -last N          take the last N runs only (200); 0 takes all
  -o FILE          the page to write; by default history.html beside the history
  -format FORMAT   what is printed: table (default), md, html, csv or json

A change is a run from which on a figure is distributed otherwise than before: random
orders of the runs show as much in fewer than 1% of cases. At least three runs stand
on each side of it. zmy lab gate judges a single commit at once.

Exit codes: 0 ok, 1 internal error, 2 usage.
`

// runHistory runs zmy lab history.
func runHistory(ctx context.Context, c *console, args []string) error {
	fs := flag.NewFlagSet("lab history", flag.ContinueOnError)
	format := experimentForm(fs)
	add, commit := fs.String("add", "", ""), fs.String("commit", "", "")
	least, page := fs.String("least", "1%", ""), fs.String("o", "", "")
	last := fs.Int("last", 200, "")
	rest, err := parse(c, fs, historyHelp, args)
	if err != nil {
		return err
	}
	file := history.File
	switch {
	case len(rest) > 1:
		return misused("one history at a time, not %s", strings.Join(rest, " "))
	case len(rest) == 1:
		file = rest[0]
	}
	o := history.Options{Last: *last}
	if o.Least, err = percent("least", *least); err != nil {
		return misused("%w", err)
	}
	if *last < 0 {
		return misused("-last %d: give a number of runs, or 0 for all", *last)
	}
	if *commit != "" && *add == "" {
		return misused("-commit names the commit of a run that -add adds")
	}
	if *add != "" {
		r, err := loadRun(*add)
		if err != nil {
			return misused("-add: %w", err)
		}
		if *commit == "" {
			*commit = headCommit(ctx, ".")
		}
		if err := history.Append(file, history.Run(r, *commit)); err != nil {
			return err
		}
	}
	all, err := history.Read(file)
	if err != nil {
		return misused("%w", err)
	}
	e, _ := history.Experiment(all, o, slices.Concat(invocation(), []string{"lab", "history"}, args))
	name := *page
	if name == "" {
		name = filepath.Join(filepath.Dir(file), "history.html")
	}
	var b bytes.Buffer
	if err := experimentForms["html"](&b, "", e); err != nil {
		return err
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "wrote %s\n", name)
	return experimentForms[*format](c.stdout, "", e)
}

// headCommit returns the abbreviated hash of the commit that is checked out in dir, with "+" if tracked
// files were changed since, or "" if git knows none.
func headCommit(ctx context.Context, dir string) string {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	hash, err := git("rev-parse", "--short=10", "HEAD")
	if err != nil {
		return ""
	}
	if changed, err := git("status", "--porcelain", "--untracked-files=no"); err == nil && changed != "" {
		hash += "+"
	}
	return hash
}
