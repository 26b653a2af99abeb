package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"github.com/zmylab/zmy/codec/capture/fit"
)

const fitHelp = `usage: zmy fit FILE... [-o FILE]

Prints what fits say that codec/capture or zmy lab -fit have written: for each type its paths, the share of the objects
around a path that have it and not null, and how its values are distributed, by their 5%, 50% and 95% quantiles. Several
files, such as those of the processes of a service, are added up.

  -o FILE      write the sum, for zmy lab, scan and compat -sample
  -type NAME   only this type: the name of its subject, such as model.Device

Exit codes: 0 ok, 1 a file cannot be read or written, 2 usage.
`

// runFit runs zmy fit.
func runFit(_ context.Context, c *console, args []string) error {
	fs := flag.NewFlagSet("fit", flag.ContinueOnError)
	out, only := fs.String("o", "", ""), fs.String("type", "", "")
	files, err := parse(c, fs, fitHelp, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return misread(fs, errors.New("name the files that capture has written, such as fit-*.json"))
	}
	var all []*fit.Fit
	for _, name := range files {
		f, err := fit.ReadFile(name)
		if errors.Is(err, fit.ErrNoFit) {
			return fmt.Errorf("%s is no fit: codec/capture and zmy lab -sample DOCUMENTS -fit write them, as files *.json", name)
		}
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	sum := fit.Merge(all...)
	if *out != "" {
		if filepath.Ext(*out) != ".json" {
			return misread(fs, fmt.Errorf("-o %s: the name of a fit ends with .json", *out))
		}
		if err := sum.WriteFile(*out); err != nil {
			return err
		}
	}
	return showFit(c.stdout, sum, *only)
}

// showFit prints the subjects of a fit, or the one that is named.
func showFit(w io.Writer, f *fit.Fit, only string) error {
	var names []string
	shown := false
	for _, s := range f.Subjects {
		names = append(names, s.Name)
		if only != "" && only != s.Name {
			continue
		}
		if shown {
			fmt.Fprintln(w)
		}
		shown = true
		fmt.Fprintf(w, "%s: %d documents\n", s.Name, s.Documents)
		tab := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		fmt.Fprintln(tab, "  path\tkind\tpresent\tvalues")
		for _, l := range s.Lines() {
			fmt.Fprintf(tab, "  %s\t%s\t%.0f%%\t%s\n", l.Path, l.Kind, 100*l.Presence, l.Text)
		}
		if err := tab.Flush(); err != nil {
			return err
		}
	}
	if !shown && only != "" {
		return misused("there is no type %s in the fit%s", only, didYouMean(only, names))
	}
	return nil
}
