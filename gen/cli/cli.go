// Package cli has the command lines of the generators fxjson, fxproto and zmy gen, and of the commands zmy
// lock, zmy breaking and zmy lint.
//
// Exit codes: 0 done, 1 the source is at fault or output is stale, 2 the command was not
// understood.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
)

// Exit codes.
const (
	exitOK    = 0
	exitFail  = 1
	exitUsage = 2
)

// tool is the command line of one generator.
type tool struct {
	command string // "fxjson", "zmy gen"
	suffix  string // end of the names of output files, before .go: "json"
	about   string
	// flags adds the tool's own flags. generate is called after the flags are parsed.
	flags func(*flag.FlagSet)
	// instead prints what the tool's own flags ask for in place of generated code, and reports whether
	// they do. It may be nil.
	instead func(stdout io.Writer) (done bool, err error)
	// all lists the types that -all takes. nil: all struct types with exported fields.
	all      func(p *load.Pkg) []string
	generate func(p *load.Pkg, exprs []string, opt gen.Options) ([]gen.File, error)
}

// request is a parsed command line.
type request struct {
	types  []string
	all    bool
	output string
	check  bool
	tags   string

	verbose bool
	dir     string
	set     *flag.FlagSet
}

// run executes the command and returns the exit code.
func (t *tool) run(args []string, stdout, stderr io.Writer) int {
	r, code := t.parse(args, stdout, stderr)
	if r == nil {
		return code
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	files, err := t.files(ctx, r)
	if err != nil {
		report(t.command, r.dir, err, stderr)
		if errors.As(err, new(usageError)) {
			return exitUsage
		}
		return exitFail
	}
	for _, f := range files {
		if !r.check {
			report(t.command, r.dir, f.Notes(), stderr)
		}
		if err := t.deliver(f, r, stdout); err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", t.command, err)
			if code = exitFail; !r.check {
				return code
			}
		}
	}
	return code
}

// usageError is an error in the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// files generates the requested files in memory.
func (t *tool) files(ctx context.Context, r *request) ([]gen.File, error) {
	p, err := loadPackage(ctx, r.dir, r.tags)
	if err != nil {
		return nil, err
	}
	exprs := r.types
	switch {
	case r.all && t.all != nil:
		exprs = t.all(p)
	case r.all:
		exprs = candidates(p)
	}
	if len(exprs) == 0 {
		return nil, fmt.Errorf("package %s has no struct type for -all; name the types: -type=Order", p.Path)
	}
	output, err := t.outputIn(p, r)
	if err != nil {
		return nil, err
	}
	return t.generate(p, exprs, gen.Options{By: t.commandLine(r), Output: output})
}

// candidates lists the struct types of a package that have exported fields.
func candidates(p *load.Pkg) (names []string) {
	for _, c := range p.Candidates() {
		names = append(names, c.Name)
	}
	return names
}

// loadPackage loads a package, given by folder or import path.
func loadPackage(ctx context.Context, dir, tags string) (*load.Pkg, error) {
	cfg := load.Config{BuildFlags: buildFlags(tags)}
	pattern := dir
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		cfg.Dir, pattern = dir, "."
	}
	return load.Load(ctx, cfg, pattern)
}

func buildFlags(tags string) []string {
	if tags == "" {
		return nil
	}
	return []string{"-tags=" + tags}
}

// outputIn returns the name of the output file in the package's folder. It refuses another folder
// in -output, since methods can be declared only in their type's package.
func (t *tool) outputIn(p *load.Pkg, r *request) (string, error) {
	if r.output == "" && r.all {
		return gen.OutputName(p.Name, t.suffix), nil // a name that stays when types are added or removed
	}
	name := filepath.Base(r.output)
	if r.output == "" || r.output == "-" || r.output == name {
		return strings.TrimPrefix(r.output, "-"), nil
	}
	dir, err := filepath.Abs(filepath.Dir(r.output))
	if err != nil {
		return "", err
	}
	if !sameDir(dir, p.Dir) {
		return "", usageError("-output " + r.output + ": methods must lie in the folder of their package; give a file name without folder")
	}
	return name, nil
}

func sameDir(a, b string) bool {
	ai, err := os.Stat(a)
	if err != nil {
		return false
	}
	bi, err := os.Stat(b)
	return err == nil && os.SameFile(ai, bi)
}

// deliver writes or prints the file, or with -check reports whether it is stale.
func (t *tool) deliver(f gen.File, r *request, stdout io.Writer) error {
	name := filepath.Join(filepath.FromSlash(r.dir), filepath.Base(f.Path))
	if f.Foreign() {
		name = f.Path
	}
	var err error
	switch {
	case r.output == "-" && filepath.Base(f.Path) == lock.Name:
	case r.output == "-":
		_, err = stdout.Write(f.Src)
	case r.check:
		var stale bool
		if stale, err = f.Stale(); stale && err == nil {
			what := "stale; refresh it"
			if _, absent := os.Stat(f.Path); absent != nil {
				what = "missing; make it"
			}
			err = fmt.Errorf("%s is %s with: %s", name, what, t.refresh(r))
		}
	default:
		err = f.Write()
	}
	if err == nil && r.verbose && r.output != "-" {
		printSize(f, stdout)
	}
	return err
}

// report prints an error. Problems are printed one per line and without the command's name, so that
// editors can jump to them.
func report(command, dir string, err error, stderr io.Writer) {
	var ps ir.Problems
	var breaking *gen.BreakingError
	if errors.As(err, &breaking) {
		ps = breaking.Problems()
	} else if !errors.As(err, &ps) {
		fmt.Fprintf(stderr, "%s: %v\n", command, err)
		return
	}
	for _, p := range ps.Sort() {
		p.Pos = place(dir, p.Pos)
		fmt.Fprintln(stderr, p.Error())
	}
	if breaking != nil {
		fmt.Fprintf(stderr, "%s: nothing was written; zmy lock -force %s records these changes, and messages written before are "+
			"then lost\n", command, quote(dir))
	}
}

// place returns a position in a package relative to the current folder.
func place(dir string, p ir.Pos) ir.Pos {
	if file := filepath.Join(dir, p.File); p.File != "" && exists(file) {
		p.File = file
	}
	return p
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
