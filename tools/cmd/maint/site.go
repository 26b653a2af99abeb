package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/tools/site"
)

const siteHelp = `usage: maint site [-o DIR] [-versions v0.2.0,main]
       maint site -pictures

Builds the documentation as a site and checks its pages, links and search. It needs npm and node, and
fetches Hugo and the search library by their package names.

  -o          the folder of the site, bin/site of the clone by default
  -versions   tags of releases, and main for the working tree; by default all releases that have a
              site, newest first, and main. Readers of the site's address get the first one
  -pictures   draw docs/pictures anew in place of the site; this needs chromium

Exit codes: 0 done, 1 it failed, 2 usage.
`

func runSite(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("site", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprint(f.Output(), siteHelp) }
	out, list, pictures := f.String("o", "", ""), f.String("versions", "", ""), f.Bool("pictures", false, "")
	switch err := f.Parse(args); {
	case err == flag.ErrHelp:
		return exitOK
	case err != nil:
		return exitUsage
	case f.NArg() > 0:
		f.Usage()
		return exitUsage
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "maint site: %v\n", err)
		return exitInternal
	}
	root, err := checkout()
	if err != nil {
		return fail(err)
	}
	if *pictures {
		if err := site.Pictures(ctx, root); err != nil {
			return fail(err)
		}
		fmt.Fprintln(stdout, site.ReportPNG, site.TerminalSVG)
		return exitOK
	}
	o := site.Options{Root: root, Out: *out, Versions: strings.FieldsFunc(*list, func(r rune) bool { return r == ',' }), Log: stderr}
	if o.Out == "" {
		o.Out = filepath.Join(root, "bin", "site")
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fail(err)
	}
	if len(o.Versions) == 0 {
		if o.Versions, err = site.Versions(ctx, root); err != nil {
			return fail(err)
		}
	}
	if err := site.Build(ctx, o); err != nil {
		return fail(err)
	}
	fmt.Fprintln(stdout, filepath.Join(o.Out, "index.html"))
	return exitOK
}
