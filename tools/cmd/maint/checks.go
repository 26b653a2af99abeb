package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/zmylab/zmy/tools/release"
)

const modulesHelp = `usage: maint modules

Prints the folders of the modules that are released, one a line, each after those that it requires.
`

// runModules runs maint modules.
func runModules(_ context.Context, args []string, stdout, stderr io.Writer) int {
	return check("modules", modulesHelp, args, stderr, func(*flag.FlagSet) {}, func(root string, _ []string) error {
		all, err := release.Modules(root)
		for _, m := range all {
			fmt.Fprintln(stdout, m.Dir)
		}
		return err
	})
}

const apiHelp = `usage: maint api [-held | -update] [-next v0.2.0]

Compares the exported API of all released modules with the one that is kept in tools/release/api, and
with that of the latest release, if there is one. It fails if a change is incompatible: if code that
compiled before may no longer.

  -held           compare with tools/release/api only, for checks of each change
  -update         write tools/release/api anew, for a change that is meant. Name it in CHANGELOG.md
  -next VERSION   the version of the next release. A new major version may have incompatible changes,
                  and before v1 a new minor version: they are then listed only

Exit codes: 0 the API holds, 1 it does not, or it failed, 2 usage.
`

// runAPI runs maint api.
func runAPI(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	next, held, update := "", false, false
	flags := func(f *flag.FlagSet) {
		f.StringVar(&next, "next", "", "")
		f.BoolVar(&held, "held", false, "")
		f.BoolVar(&update, "update", false, "")
	}
	return check("api", apiHelp, args, stderr, flags, func(root string, _ []string) error {
		if next != "" && !semver.IsValid(next) {
			return fmt.Errorf("-next %s: want a version such as v0.2.0", next)
		}
		if update {
			return release.WriteBaseline(ctx, root)
		}
		if err := checkBaseline(ctx, root, stdout); err != nil || held {
			return err
		}
		return compareAPI(ctx, root, next, stdout)
	})
}

// checkBaseline compares the API with the one that is kept.
func checkBaseline(ctx context.Context, root string, stdout io.Writer) error {
	d, err := release.CheckBaseline(ctx, root)
	if err != nil {
		return err
	}
	for _, s := range d.Gone {
		fmt.Fprintln(stdout, s)
	}
	fmt.Fprintf(stdout, "since %s: %d of %d declarations are gone or changed, %d are new\n", release.Baseline, len(d.Gone), d.Held, d.Added)
	if len(d.Gone) > 0 {
		return fmt.Errorf("the API is incompatible with %s; mend it, or run make api-update and name the change in CHANGELOG.md", release.Baseline)
	}
	return nil
}

// compareAPI compares the API with that of the latest release. next is the version of the next one, or "".
func compareAPI(ctx context.Context, root, next string, stdout io.Writer) error {
	a, err := release.CompareAPI(ctx, root)
	switch {
	case err != nil:
		return err
	case a.Since == "":
		fmt.Fprintln(stdout, "there is no release yet: nothing more to compare the API with")
		return nil
	}
	for _, s := range a.Incompatible {
		fmt.Fprintln(stdout, s)
	}
	fmt.Fprintf(stdout, "since %s: %d incompatible changes, %d additions\n", a.Since, len(a.Incompatible), a.Compatible)
	if len(a.Incompatible) > 0 && (next == "" || !a.Break(next)) {
		return fmt.Errorf("the API is incompatible with %s; mend it, or name the version of the next release: -next v0.N.0", a.Since)
	}
	return nil
}

const licencesHelp = `usage: maint licences [-notices FILE] [PACKAGE…]

Prints the licences of the modules of others that all released modules import, of the crates that
the Rust workspace uses if cargo is installed, and of the npm packages that are locked; or of the
modules that the packages import. It fails if one is not known, or not on the list of those that leave the importer free.

  -notices FILE   write the texts of the licences too, for programs that contain the modules

Exit codes: 0 all are on the list, 1 one is not, or it failed, 2 usage.
`

// runLicences runs maint licences.
func runLicences(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	notices := ""
	flags := func(f *flag.FlagSet) { f.StringVar(&notices, "notices", "", "") }
	return check("licences", licencesHelp, args, stderr, flags, func(root string, patterns []string) error {
		whole := len(patterns) == 0
		if whole {
			all, err := release.Modules(root)
			if err != nil {
				return err
			}
			for _, m := range all {
				patterns = append(patterns, "./"+m.Dir+"/...")
			}
		}
		all, err := release.Licences(ctx, root, patterns...)
		if err != nil {
			return err
		}
		if whole {
			crates, err := crates(ctx, root, stderr)
			if err != nil {
				return err
			}
			npm, err := release.NPM(ctx, root)
			if err != nil {
				return err
			}
			all = append(append(all, crates...), npm...)
		}
		refused := 0
		for _, l := range all {
			fmt.Fprintf(stdout, "%-28s %s %s\n", strings.Join(l.Names, " "), l.Path, l.Version)
			if l.Why != "" {
				refused++
				fmt.Fprintf(stderr, "%s %s %s\n", l.Path, l.Version, l.Why)
			}
		}
		if refused > 0 {
			return fmt.Errorf("%d of %d modules, crates and npm packages may not be used", refused, len(all))
		}
		if notices == "" {
			return nil
		}
		f, err := os.Create(notices)
		if err != nil {
			return err
		}
		if err := release.WriteNotices(f, all); err != nil {
			f.Close()
			return err
		}
		return f.Close()
	})
}

// crates returns the licences of crates, or none if there is no cargo.
func crates(ctx context.Context, root string, stderr io.Writer) ([]release.Licence, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		fmt.Fprintln(stderr, "cargo is missing: crates are not checked")
		return nil, nil
	}
	return release.Crates(ctx, filepath.Join(root, "rust"))
}

// check runs a command whose flags are added by add, in the folder of the clone, and returns the exit
// code.
func check(name, help string, args []string, stderr io.Writer, add func(*flag.FlagSet), run func(root string, args []string) error) int {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprint(f.Output(), help) }
	add(f)
	switch err := f.Parse(args); {
	case err == flag.ErrHelp:
		return exitOK
	case err != nil:
		return exitUsage
	}
	root, err := checkout()
	if err == nil {
		err = run(root, f.Args())
	}
	if err != nil {
		fmt.Fprintf(stderr, "maint %s: %v\n", name, err)
		return exitInternal
	}
	return exitOK
}
