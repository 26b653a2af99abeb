//go:build !labonly

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/scan/compat"
)

const compatHelp = `usage: zmy compat [PACKAGES] -to WHAT [flags]

Will my bytes change? Builds two programs around a type of yours, one as it is and one with
WHAT, gives both the same values and the same documents, and compares what they write and
what they read. Nothing of yours is changed.

WHAT is one of these, or several with commas between them:
  go1.27.1         a toolchain: encoding/json as it comes with it
  json-v2          the package encoding/json/v2
  fxjson, goccy, sonic, jsoniter, segmentio
                   another codec, called as its documentation shows: sonic.Marshal(v)
  MODULE@VERSION   another version of a module that the package is built with, of a codec's
                   module, or of the module that has the type

  -to WHAT         the second side
  -from WHAT       the first side; by default the package as it is, with encoding/json
  -type TYPE       the type, as its package spells it: Order, 'Page[Order]'. May be repeated.
                   Without it the types at the JSON sites of PACKAGES (./... for all), also
                   through wrappers; without such a site, all suitable types
  -errors HOW      how much errors have to agree, where both sides refuse: none, type (what
                   errors.As finds) or text. By default type, and text between toolchains
  -sample FILE     captured JSON documents, as for zmy lab, or the fit of them
  -seed N          seed of the values, 1 by default
  -n N             how many values are drawn, 64 by default; extreme ones are added
  -json            print JSON instead of text
  -v               print every class, path and untested place
  -runtime DIR     folder of the module github.com/zmylab/zmy for generated code

A type DIFFERS, with the smallest example that was found for each class of differences and
with the option that keeps the old result, if the codec has one; or it is the same on so
many values; or it is untested, and why.

Exit codes: 0 every type is the same, 1 internal error, 2 usage (no such type, no such
toolchain or version …), 4 some type differs, 5 none differs, but something is untested,
130 stopped by Ctrl-C: the types that were complete are printed. Guide: docs/guide/compat.md.
`

// compatFlags are the flags of zmy compat.
type compatFlags struct {
	compat.Options
	types     []string
	json, all bool
}

func (f *compatFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.To, "to", "", "")
	fs.StringVar(&f.From, "from", "", "")
	words := append([]string{compat.NewestGo}, compat.Codecs...)
	cmdline.Offer(fs, "to", words...)
	cmdline.Offer(fs, "from", words...)
	fs.Func("type", "", func(s string) error { f.types = append(f.types, s); return nil })
	choice(fs, &f.Errors, "errors", compat.ErrorsNone, compat.ErrorsType, compat.ErrorsText)
	fs.StringVar(&f.Sample, "sample", "", "")
	fs.Uint64Var(&f.Seed, "seed", 1, "")
	fs.IntVar(&f.Values, "n", 64, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.all, "v", false, "")
	fs.StringVar(&f.Runtime, "runtime", "", "")
}

// runCompat runs zmy compat.
func runCompat(ctx context.Context, c *console, args []string) error {
	f := &compatFlags{}
	fs := flag.NewFlagSet("compat", flag.ContinueOnError)
	f.register(fs)
	rest, err := parse(c, fs, compatHelp, args)
	if err != nil {
		return err
	}
	f.Version = release()
	if f.Sample != "" {
		if f.Sample, err = filepath.Abs(f.Sample); err != nil {
			return err
		}
		if _, err := os.Stat(f.Sample); err != nil {
			return misused("-sample: %w", err)
		}
	}
	ui := newScreen(c.stderr)
	r, err := f.run(ctx, rest, ui)
	ui.clear()
	if r != nil && len(r.Types) > 0 {
		if werr := f.print(c, r); werr != nil {
			return werr
		}
	}
	var wrong *lab.UsageError
	switch {
	case ctx.Err() != nil:
		return errStopped
	case errors.As(err, &wrong):
		return misused("%w", err)
	case err != nil:
		return err
	case r.Count(compat.Differs) > 0:
		return quiet(exitRegression)
	case r.Unsure():
		return quiet(exitInconclusive)
	}
	return nil
}

// run finds the types and compares them.
func (f *compatFlags) run(ctx context.Context, packages []string, ui *screen) (*compat.Result, error) {
	if f.To == "" { // before anything is loaded
		return compat.Run(ctx, f.Options, ui)
	}
	if len(packages) == 0 {
		packages = []string{"."}
	}
	for _, pkg := range packages {
		for _, t := range f.types {
			f.Options.Types = append(f.Options.Types, compat.Subject{Package: pkg, Type: t})
		}
	}
	if len(f.types) == 0 {
		if err := f.find(ctx, packages, ui); err != nil {
			return nil, err
		}
	}
	return compat.Run(ctx, f.Options, ui)
}

// find adds the types at the JSON sites of packages or, if there are none, all suitable types of a
// package.
func (f *compatFlags) find(ctx context.Context, packages []string, ui *screen) error {
	ui.Doing("finding JSON sites")
	found, err := compat.AtSites(ctx, f.Dir, packages, func(text string) { ui.Doing("finding JSON sites: " + text) })
	if err != nil {
		return misused("%w", err)
	}
	for i, why := range found.Left {
		if i == leftShown && !f.all {
			ui.Note(fmt.Sprintf("and %d more sites without a type that can be named; -v lists them", len(found.Left)-i))
			break
		}
		ui.Note(why)
	}
	f.Options.Types = found.Types
	if len(found.Types) > 0 {
		return nil
	}
	for _, pkg := range packages {
		if strings.HasSuffix(pkg, "...") {
			return misused("%s: %d JSON sites, none of them with a type that can be named: name a package and a type with -type",
				pkg, found.Sites)
		}
		types, err := compat.Types(ctx, f.Dir, pkg)
		if err != nil {
			return misused("%w", err)
		}
		f.Options.Types = append(f.Options.Types, types...)
	}
	return nil
}

// leftShown is the number of sites without a type that are printed.
const leftShown = 3

func (f *compatFlags) print(c *console, r *compat.Result) error {
	if f.json {
		return r.JSON(c.stdout)
	}
	v := compat.View{All: f.all}
	if file, ok := c.stdout.(*os.File); ok {
		v.Width = report.Terminal(file).Width
	}
	return r.Text(c.stdout, v)
}
