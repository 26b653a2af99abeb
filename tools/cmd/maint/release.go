package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/zmylab/zmy/tools/release"
)

const releaseHelp = `usage: maint release -version v0.1.0 [-proxy DIR]

Makes a release of all Go modules of the clone in the current folder, which may have no uncommitted
changes. A commit on the current branch dates the section "Unreleased" of CHANGELOG.md. The release
commit beside the branch requires the modules at the version, without replace lines, sets the version
of the packages for Maven, Cargo and npm, and carries the tags. Nothing is pushed: the commands for
that are printed.

  -version   the version of all modules
  -proxy     also add the modules to a file-system module proxy in this folder (GOPROXY=file://DIR)

Exit codes: 0 done, 1 it failed, 2 usage.
`

func runRelease(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprint(f.Output(), releaseHelp) }
	version, proxy := f.String("version", "", ""), f.String("proxy", "", "")
	switch err := f.Parse(args); {
	case err == flag.ErrHelp:
		return exitOK
	case err != nil:
		return exitUsage
	case *version == "" || f.NArg() > 0:
		f.Usage()
		return exitUsage
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "maint release: %v\n", err)
		return exitInternal
	}
	root, err := checkout()
	if err != nil {
		return fail(err)
	}
	now := time.Now().UTC()
	r, err := release.Make(ctx, release.Options{Root: root, Version: *version, Date: now})
	if err != nil {
		return fail(err)
	}
	if *proxy != "" {
		if err := r.AddToProxy(ctx, *proxy); err != nil {
			return fail(err)
		}
	}
	fmt.Fprintf(stdout, "%s: commit %.12s, %d tags; next:\n\n  git push origin HEAD\n  git push origin", *version, r.Commit, len(r.Tags))
	for _, tag := range r.Tags {
		fmt.Fprint(stdout, " ", tag)
	}
	fmt.Fprint(stdout, "\n\nThen publish the packages for Maven, Cargo and npm: CONTRIBUTING.md, \"A release\".\n")
	return exitOK
}
