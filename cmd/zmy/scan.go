//go:build !labonly

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	folders "github.com/zmylab/zmy/gen/place"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/show"
	"github.com/zmylab/zmy/scan/site"
)

const scanHelp = `usage: zmy scan [PACKAGES] [-cpu FILE|URL] [-heap FILE|URL] [flags]

Finds where a program marshals and unmarshals, what that costs by a CPU profile, and
what another codec would save. The first line says whether to read on. Nothing in the
source is changed.

PACKAGES are patterns of the go command, ./... by default, of the module in the current
folder. A profile is in pprof's form: a file, or a URL of net/http/pprof, Pyroscope or
Parca. Without -cpu, default.pgo beside a func main is taken.

  -cpu FILE|URL    CPU profile of the program under load: at least 1,000 samples. A URL of
                   net/http/pprof without seconds=N is asked for 30 seconds
  -heap FILE|URL   heap or allocs profile: divides the garbage collector's time more exactly
  -cores N         cores that the program keeps busy, over all its instances; by default
                   those of the profile
  -price N         price of a core for an hour, to print the saving in money for a month
  -measure=false   do not measure types: print what serialization costs only
  -threshold P     least share of CPU in percent of a type to measure and of a site to
                   change, 0.5 by default
  -top N           how many types are measured at most, 5 by default
  -budget 20s      time for the measurement of one type, after its codecs were built
  -sample [TYPE=]FILE
                   take the values of a type (model.Device), or of all, from captured JSON
                   documents or a saved fit, as zmy lab does. May be repeated
  -fit             draw new values like those of -sample
  -seed N          of values and intervals, 1 by default
  -tags a,b        build tags
  -o DIR           write a report: index.html (needs no network), scan.json, and a report of
                   zmy lab for each type that was measured
  -sarif FILE      write what to change as SARIF 2.1.0, for tools that show it in the source
  -json            print the result as data
  -v               print all sites, and the wrappers they are called through
  -runtime DIR     folder of the module github.com/zmylab/zmy for generated code

Exit codes: 0 ok, 1 internal error or no package could be analysed, 2 usage or a profile
that cannot be used (the reason is printed), 5 the profile is too small to predict from,
130 stopped by Ctrl-C: what was measured so far is printed.
`

// scanFlags are the flags of zmy scan.
type scanFlags struct {
	scan.Options
	cfg       site.Config
	threshold float64
	sarif     string
	json, all bool
	samples   []string
}

// runScan runs zmy scan.
func runScan(ctx context.Context, c *console, args []string) error {
	f := &scanFlags{}
	fs := flag.NewFlagSet("scan", flag.ContinueOnError)
	f.register(fs)
	rest, err := parse(c, fs, scanHelp, args)
	if err != nil {
		return err
	}
	if err := f.complete(rest, args); err != nil {
		return misused("%w", err)
	}
	ui := newScreen(c.stderr)
	f.cfg.Progress = ui.Doing
	if err := f.Profiles(ctx, ui); err != nil {
		ui.clear()
		return f.ended(ctx, nil, err)
	}
	code, err := scan.Load(ctx, f.cfg)
	if err != nil {
		ui.clear()
		return stoppedOr(ctx, err)
	}
	r, err := scan.Run(ctx, code, f.Options, ui)
	ui.clear()
	if r != nil {
		if werr := f.write(c, r); werr != nil {
			return werr
		}
	}
	return f.ended(ctx, r, err)
}

// stoppedOr returns the error of a command that has nothing to show.
func stoppedOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errStopped
	}
	return err
}

func (f *scanFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.CPU, "cpu", "", "")
	fs.StringVar(&f.Heap, "heap", "", "")
	fs.Float64Var(&f.Cores, "cores", 0, "")
	fs.Float64Var(&f.Price, "price", 0, "")
	fs.BoolVar(&f.Measure, "measure", true, "")
	fs.Float64Var(&f.threshold, "threshold", 0.5, "")
	fs.IntVar(&f.Top, "top", 5, "")
	fs.DurationVar(&f.Lab.Budget, "budget", 0, "")
	fs.Func("sample", "", func(s string) error { f.samples = append(f.samples, s); return nil })
	fs.BoolVar(&f.Lab.Fit, "fit", false, "")
	fs.Uint64Var(&f.Lab.Seed, "seed", 1, "")
	fs.StringVar(&f.cfg.Tags, "tags", "", "")
	fs.StringVar(&f.Lab.Out, "o", "", "")
	fs.StringVar(&f.sarif, "sarif", "", "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.all, "v", false, "")
	fs.StringVar(&f.Lab.Runtime, "runtime", "", "")
}

// complete makes the checks that the flag package cannot make, and sets the options.
func (f *scanFlags) complete(patterns, args []string) error {
	f.cfg.Patterns = patterns
	switch {
	case !(f.Cores >= 0 && f.Price >= 0): // NaN, too
		return errors.New("-cores and -price must be positive")
	case !(f.threshold > 0 && f.threshold < 100):
		return fmt.Errorf("-threshold %g: want a share of CPU in percent, such as 0.5", f.threshold)
	case f.Top < 1:
		return fmt.Errorf("-top %d: want at least one type, or -measure=false", f.Top)
	case f.Lab.Budget < 0:
		return fmt.Errorf("-budget %s: it must be positive, such as 20s", f.Lab.Budget)
	case f.Lab.Fit && len(f.samples) == 0:
		return errors.New("-fit learns from captured documents: name them by -sample FILE")
	}
	f.Threshold = f.threshold / 100
	var err error
	if f.Samples, err = samplesOf(f.samples); err != nil {
		return err
	}
	if f.Lab.Out != "" {
		if err := folders.Check(f.Lab.Out); errors.As(err, new(*folders.Error)) {
			return fmt.Errorf("-o %s: %w; or give a folder outside with -o", f.Lab.Out, err)
		}
	}
	if err := errors.Join(writable("-sarif", f.sarif), writableDir("-o", f.Lab.Out)); err != nil {
		return err
	}
	f.Tool, f.Command = tool(), slices.Concat(invocation(), []string{"scan"}, args)
	f.Lab.Tool, f.Lab.Version, f.Lab.Table, f.Lab.Depth = f.Tool, release(), table.All(), lab.Quick
	if slices.ContainsFunc(commands(), func(c command) bool { return c.name == "adopt" }) {
		f.Adopt = "zmy adopt"
	}
	return nil
}

// samplesOf returns the files of -sample by type.
func samplesOf(flags []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range flags {
		name, file, ok := strings.Cut(s, "=")
		if !ok {
			name, file = "", s
		}
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(abs); err != nil {
			return nil, fmt.Errorf("-sample %s: there is no such file or folder; give TYPE=FILE with a file of JSON documents", s)
		}
		out[name] = abs
	}
	return out, nil
}

// write prints the result and writes the files that the flags name.
func (f *scanFlags) write(c *console, r *scan.Result) error {
	if f.json {
		if err := show.JSON(c.stdout, r); err != nil {
			return err
		}
	} else {
		on := tableOn(c.stdout, f.Lab.Out)
		on.All = f.all
		if err := show.Table(c.stdout, r, on); err != nil {
			return err
		}
	}
	if f.sarif != "" {
		if err := show.WriteFile(f.sarif, r, show.SARIF); err != nil {
			return err
		}
	}
	if f.Lab.Out != "" {
		return show.WriteDir(f.Lab.Out, r)
	}
	return nil
}

// ended returns the error of a scan.
func (f *scanFlags) ended(ctx context.Context, r *scan.Result, err error) error {
	var usage *lab.UsageError
	var bad *profile.Error
	switch {
	case ctx.Err() != nil && r != nil:
		return &exit{errors.New("stopped; the types that were measured so far count"), exitStopped}
	case ctx.Err() != nil:
		return errStopped
	case errors.As(err, &bad), errors.As(err, &usage):
		return &exit{err, exitUsage}
	case err != nil:
		return err
	case r.Refused != "":
		return quiet(exitInconclusive)
	}
	return nil
}
