package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/tools/peers"
)

const peersHelp = `usage: maint peers [flags]

Lists the libraries that the lab measures, each with the version that this repository requires and
the newest that the module proxy has. A newer major version has another import path: it is named,
and taken up by hand.

  -bump        raise the requirements in all modules, after a short run of the lab on the codecs
               concerned and before the same run again; then say what changed
  -subjects S  what is measured, by default "%s"
  -budget D    time for each subject and side, 20s by default; 0 measures nothing
  -o DIR       folder for the runs, by default a new one

After -bump: go test ./contender/table -run TestReadme -update (in the folder lab), make test.

The rivals of the Java and Rust libraries are not listed; their own tools do that:
  mvn -f java/bench versions:display-property-updates versions:display-dependency-updates
  cargo update --dry-run --verbose --manifest-path rust/bench/Cargo.toml

Exit codes: 0 done, 1 it failed or the newest version of a library is not known, 2 usage.
`

// defaultSubjects have a plain type, one with lists of structs, and one with optional fields.
const defaultSubjects = "sse SSEEvent,order-lite Order,session UserSession"

// runPeers runs maint peers.
func runPeers(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "maint peers: %v\n", err)
		return code
	}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	bump := flags.Bool("bump", false, "")
	subjects := flags.String("subjects", defaultSubjects, "")
	budget := flags.Duration("budget", 20*time.Second, "")
	dir := flags.String("o", "", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, peersHelp, defaultSubjects)
		return exitOK
	case err != nil:
		return fail(exitUsage, fmt.Errorf("%w; run maint peers -h for the flags", err))
	case flags.NArg() > 0:
		return fail(exitUsage, fmt.Errorf("it takes no arguments but flags: %q", flags.Args()))
	}
	plan := &peers.Plan{Subjects: strings.Split(*subjects, ","), Budget: *budget, Dir: *dir, Log: stderr}
	for _, s := range plan.Subjects {
		if len(strings.Fields(s)) != 2 {
			return fail(exitUsage, fmt.Errorf("-subjects %q: write a folder of examples and a type, as in %q", s, defaultSubjects))
		}
	}
	var err error
	if plan.Root, err = checkout(); err != nil {
		return fail(exitInternal, err)
	}
	list, err := peers.List(ctx, plan.Root, peers.Proxy)
	if err != nil {
		return fail(exitInternal, err)
	}
	code := exitOK
	for _, p := range list {
		fmt.Fprintln(stdout, p.Line())
		if p.Err != nil {
			code = exitInternal
		}
	}
	if *bump {
		if err := raise(ctx, plan, list, stdout); err != nil {
			return fail(exitInternal, err)
		}
	}
	return code
}

// raise raises the requirements of stale peers, and measures before and after if there is a budget.
func raise(ctx context.Context, plan *peers.Plan, list []*peers.Peer, stdout io.Writer) (err error) {
	plan.Codecs = peers.Codecs(list, table.All())
	measure := plan.Budget > 0 && len(plan.Codecs) > 0
	if plan.Dir == "" && measure {
		if plan.Dir, err = os.MkdirTemp("", "peers-"); err != nil {
			return err
		}
	}
	if measure {
		if err := plan.Run(ctx, "before"); err != nil {
			return err
		}
	}
	files, err := peers.Bump(ctx, plan.Root, list)
	for _, file := range files {
		fmt.Fprintln(stdout, "raised", file)
	}
	if err != nil || !measure {
		return err
	}
	if err := plan.Run(ctx, "after"); err != nil {
		return err
	}
	fmt.Fprintln(stdout, "runs in", plan.Dir)
	return plan.Report(stdout)
}
