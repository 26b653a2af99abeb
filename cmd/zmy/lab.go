package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/codecs/own"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

const labHelp = `usage: zmy lab PACKAGE -type TYPE [flags]
       zmy lab EXPERIMENT PACKAGE -type TYPE [flags]
       zmy lab compare A B [flags]  compare two runs: what became faster or slower
       zmy lab gate PACKAGE -type TYPE -baseline REF [flags]
                                    fail when the type became slower since a git commit
       zmy lab history [FILE] [flags]
                                    the commits at which the figures of a type changed
       zmy lab view [DIR] [flags]   show a report and its profiles in a browser
       zmy lab doctor [-json]       what this machine lacks for measuring

Measures the codecs on a type of yours: what they do to its values, how fast they
are, how large the bytes become. Nothing is written but the report's folder.

PACKAGE is a folder of any Go module (./internal/model) or an import path. TYPE is
a type as its package spells it: Order, order, 'Page[Order]'. Without -type the
package's suitable types are listed, or its only one is taken.

  -type TYPE       the type to measure
  -codecs a,b      codecs to measure beside the baseline std-json. The default ones are those
                   that may win or that most ask for, and those that your go.mod requires;
                   all adds every other one that the lab knows, and the floors
  -quick           a first answer, by five codecs: fxjson, zmy, sonic, protobuf and fxproto,
                   as -codecs few
  -contender DIR   measure a codec of yours too: a folder with a Go package that has
                   func Marshal(v any) ([]byte, error) and func Unmarshal(b []byte, v any)
                   error, or generic ones; see docs/guide/contender.md. May be repeated
  -depth DEPTH     quick (default): until the verdict is proven, 20s at most, or a minute on a
                   busy machine; standard: at least 5 launches of 20 rounds; paper: four
                   times that
  -budget 60s      time for the measurement proper, after all codecs were built; all of it is
                   used. By default as long as the depth takes
  -seed N          seed of the values; the same seed makes the same values
  -n N             how many values, 256 by default
  -sample FILE     take the values from captured JSON documents: a file of one document, an
                   array of them or one a line (NDJSON), or a folder of such files. By
                   default they come from a function SampleTYPE(*rand.Rand) TYPE
                   (math/rand/v2) of the package, else from names and types of the fields.
                   Without PACKAGE and -type a Go type is derived from the documents
  -fit             learn from the documents of -sample how their parts are spread, and draw
                   new values like them; DIR/fit.json keeps the fit, and -sample takes it
  -field PATH      the string that op access reads: Items[0].Sku; by default the first
  -input HOW       what JSON decoders read: indented, or shuffled (object members in random
                   order); by default what each codec writes. Other codecs are left out
  -streams         also measure a new Encoder for each value, which writes to an io.Writer, and a
                   new Decoder, which reads as from a request (JSON codecs): modes writer, reader
  -ir              also count the instructions of encode and decode (needs valgrind), which
                   do not depend on how busy the machine is
  -pin CPUS        run the codecs on these processors only: 1, 0,2 or 4-7 (Linux). One
                   processor makes figures steadier and garbage collection sequential
  -o DIR           folder of the report, ./zmylab by default: index.html (open it in a
                   browser, it needs no network), run.json, bench.txt (for benchstat) …
  -format FORMAT   what is printed: table (default), json, bench, md, csv
  -v               print all notes and doubts, which the report always has
  -allow-fallback  measure codecs also where they would call encoding/json in silence
  -runtime DIR     folder of the module github.com/zmylab/zmy for generated code

EXPERIMENT is one of these words; each adds its findings to the report. A package of such a
name is ./latency. zmy lab EXPERIMENT -h lists its flags.

EXPERIMENTS
Exit codes: 0 ok, 1 internal error, 2 usage, 3 std-json or a codec named in -codecs
failed or cannot carry the type (the reason is printed; the others are measured),
130 stopped by Ctrl-C: the report then holds what was measured so far.
`

// labFlags are the flags of zmy lab.
type labFlags struct {
	lab.Options
	codecs  string
	ownDirs []string // folders of -contender
	asked   []string // codecs that the user named; if one is not measured, the exit code is 3
	quick   bool     // the codecs of a first answer
	depth   string
	pin     string
}

func runLab(ctx context.Context, c *console, args []string) error {
	if len(args) > 0 {
		if near := misspelt(ctx, args[0]); near != "" {
			return misused("there is no subcommand and no package %q; did you mean zmy lab %s?", args[0], near)
		}
	}
	f := &labFlags{}
	fs := flag.NewFlagSet("lab", flag.ContinueOnError)
	f.register(fs)
	format := "table"
	choice(fs, &format, "format", "table", "json", "bench", "md", "csv")
	fs.BoolVar(&f.Instrs, "ir", false, "")
	fs.BoolVar(&f.Streams, "streams", false, "")
	fs.BoolVar(&f.quick, "quick", false, "")
	all := fs.Bool("v", false, "")
	rest, err := parse(c, fs, strings.Replace(labHelp, "EXPERIMENTS\n", experimentList(), 1), args)
	if err != nil {
		return err
	}
	if err := f.complete(rest); err != nil {
		return misused("%w", err)
	}
	f.repeatBy("zmy lab", args)
	ui := newScreen(c.stderr)
	ui.hold = format == "table"
	r, err := lab.Run(ctx, f.Options, ui)
	ui.clear()
	ui.release(saidByTable(r, format))
	if r != nil {
		on := tableOn(c.stdout, f.Out)
		on.All = *all
		if werr := formats[format](c.stdout, on, r); werr != nil {
			return werr
		}
	}
	return f.ended(ctx, c, r, err, format == "table")
}

// misspelt returns the subcommand that the user may have meant by word, or "". It returns "" if
// word is a folder or a package.
func misspelt(ctx context.Context, word string) string {
	if strings.HasPrefix(word, "-") || strings.ContainsAny(word, `./\`) {
		return ""
	}
	var names []string
	for _, cmd := range commands() {
		if name, ok := strings.CutPrefix(cmd.name, "lab "); ok {
			names = append(names, name)
		}
	}
	near := lab.Nearest(word, names)
	if near == "" {
		return ""
	}
	if _, err := os.Stat(word); err == nil {
		return ""
	}
	if exec.CommandContext(ctx, "go", "list", "-find", word).Run() == nil {
		return ""
	}
	return near
}

// register adds the flags that zmy lab and its experiments share.
func (f *labFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.Type, "type", "", "")
	fs.StringVar(&f.codecs, "codecs", "", "")
	fs.Func("contender", "", func(dir string) error { f.ownDirs = append(f.ownDirs, dir); return nil })
	cmdline.OfferList(fs, "codecs", codecNames()...)
	fs.StringVar(&f.depth, "depth", "", "")
	cmdline.Offer(fs, "depth", string(lab.Quick), string(lab.Standard), string(lab.Paper))
	fs.DurationVar(&f.Budget, "budget", 0, "")
	fs.Uint64Var(&f.Seed, "seed", 0, "")
	fs.IntVar(&f.Values, "n", 256, "")
	fs.StringVar(&f.Sample, "sample", "", "")
	fs.BoolVar(&f.Fit, "fit", false, "")
	fs.StringVar(&f.Field, "field", "", "")
	choice(fs, &f.Input, "input", worker.Inputs...)
	fs.StringVar(&f.pin, "pin", "", "")
	fs.StringVar(&f.Out, "o", "zmylab", "")
	fs.BoolVar(&f.AllowFallback, "allow-fallback", false, "")
	fs.StringVar(&f.Runtime, "runtime", "", "")
}

// codecNames returns the values of -codecs.
func codecNames() []string {
	names := []string{"few", "all"}
	for _, i := range table.All() {
		names = append(names, i.Name)
	}
	return names
}

// invocation returns the words that start this program again. If it is not installed, these are the
// go command's form: of a release, or of the clone that is the current folder.
func invocation() []string {
	if _, err := exec.LookPath("zmy"); err == nil {
		return []string{"zmy"}
	}
	if v := release(); v != "" {
		return []string{"go", "run", "github.com/zmylab/zmy/cmd/zmy@" + v}
	}
	if _, err := os.Stat(filepath.FromSlash("cmd/zmy/go.mod")); err != nil {
		return []string{"zmy"}
	}
	words := []string{"go", "run"}
	if buildTags != "" {
		words = append(words, "-tags", buildTags)
	}
	return append(words, "./cmd/zmy")
}

// repeatBy sets the command with which the run is repeated: zmy, and the words of command after it. If the user gave no
// seed, it draws one and adds it to the command.
func (f *labFlags) repeatBy(command string, args []string) {
	f.Command = slices.Concat(invocation(), strings.Fields(command)[1:], args)
	if f.Seed == 0 {
		f.Seed = 1 + rand.Uint64N(1<<31)
		f.Command = append(f.Command, "-seed", strconv.FormatUint(f.Seed, 10))
	}
}

// complete makes the checks that the flag package cannot make, and sets the options.
func (f *labFlags) complete(rest []string) error {
	switch len(rest) {
	case 0:
		switch {
		case f.Sample == "":
			return errors.New("name a package: zmy lab ./path/to/package -type YourType")
		case f.Type != "":
			return fmt.Errorf("-type %s: name its package, or leave -type away to have a type derived from -sample", f.Type)
		}
	case 1:
		f.Package = rest[0]
	default:
		hint := ""
		if last := rest[len(rest)-1]; len(rest) == 2 && f.Type == "" && typeLike(last) {
			hint = "; did you mean -type " + last + "?"
		}
		return fmt.Errorf("one package at a time, not %s%s", strings.Join(rest, " "), hint)
	}
	if f.Budget < 0 {
		return fmt.Errorf("-budget %s: it must be positive, such as 60s", f.Budget)
	}
	var err error
	if f.Depth, err = lab.ParseDepth(f.depth); err != nil {
		return fmt.Errorf("-depth: %w", err)
	}
	if f.pin != "" {
		cpus, err := harness.ParseCPUs(f.pin)
		if err != nil {
			return fmt.Errorf("-pin: %w", err)
		}
		f.CPUs = cpus
	}
	if f.Values < 1 {
		return fmt.Errorf("-n %d: at least one value is needed", f.Values)
	}
	if f.Fit && f.Sample == "" {
		return errors.New("-fit learns from captured documents: name them by -sample FILE or FOLDER")
	}
	if f.Sample != "" {
		abs, err := filepath.Abs(f.Sample)
		if err != nil {
			return err
		}
		if _, err := os.Stat(abs); err != nil {
			return fmt.Errorf("-sample %s: there is no such file or folder; name a file of JSON documents, one of a document a line "+
				"(.ndjson), or a folder of them", f.Sample)
		}
		f.Sample = abs
	}
	if f.quick {
		if f.codecs != "" {
			return fmt.Errorf("-quick chooses the codecs, and so does -codecs %s: give one of them", f.codecs)
		}
		f.codecs = "few"
	}
	for name := range strings.SplitSeq(f.codecs, ",") {
		if name = strings.TrimSpace(name); name != "" {
			f.Codecs = append(f.Codecs, name)
		}
	}
	f.Table, f.Tool, f.Version = table.All(), tool(), release()
	return f.addOwn()
}

// typeLike reports whether an argument looks like a type, such as Page[Order], and is no folder.
func typeLike(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	_, err := parser.ParseExpr(arg)
	return err == nil
}

// addOwn adds the codecs of -contender to the table and to the codecs to measure.
func (f *labFlags) addOwn() error {
	var known []string
	for _, i := range f.Table {
		known = append(known, i.Name)
	}
	for _, dir := range f.ownDirs {
		i, err := own.Load(context.Background(), dir, known)
		if err != nil {
			return err
		}
		f.Table, known = append(f.Table, i), append(known, i.Name)
		f.asked = append(f.asked, i.Name)
		if len(f.Codecs) > 0 { // without -codecs all of the table's default codecs are measured, and i is one of them
			f.Codecs = append(f.Codecs, i.Name)
		}
	}
	f.asked = append(f.asked, f.Codecs...)
	return nil
}

// formats are the values of -format for a run. Only a table needs the options.
var formats = map[string]func(w io.Writer, o report.TableOptions, r *run.Run) error{
	"table": func(w io.Writer, o report.TableOptions, r *run.Run) error { return report.Table(w, r, o) },
	"json":  func(w io.Writer, _ report.TableOptions, r *run.Run) error { return report.JSON(w, r) },
	"bench": func(w io.Writer, _ report.TableOptions, r *run.Run) error { return report.Bench(w, r) },
	"md":    func(w io.Writer, _ report.TableOptions, r *run.Run) error { return report.Markdown(w, r) },
	"csv":   func(w io.Writer, _ report.TableOptions, r *run.Run) error { return report.CSV(w, r) },
}

// saidByTable returns notes that the printed table repeats: why contenders were not measured.
func saidByTable(r *run.Run, format string) []string {
	if r == nil || format != "table" {
		return nil
	}
	var out []string
	for _, c := range r.Contenders {
		if c.Why != nil {
			out = append(out, lab.Sentence(c))
		}
	}
	return out
}

// ended returns the error of a command that measures. r is what was measured, nil if nothing was
// written. said means that the table has printed why contenders were not measured.
func (f *labFlags) ended(ctx context.Context, c *console, r *run.Run, err error, said bool) error {
	var usage *lab.UsageError
	var base *lab.BaselineError
	switch {
	case ctx.Err() != nil && r != nil:
		return &exit{errors.New("stopped; the report holds what was measured so far"), exitStopped}
	case ctx.Err() != nil:
		return &exit{errors.New("stopped; nothing was measured yet"), exitStopped}
	case errors.As(err, &usage):
		return &exit{err, exitUsage}
	case errors.As(err, &base), errors.Is(err, lab.ErrNothing):
		return &exit{err, exitContender}
	case err != nil:
		return err
	}
	return required(c, r, f.asked, said)
}

// required prints which of the baseline and the codecs that the user named were not measured. If
// there are any, it returns an error with exit code 3. said is as in ended.
func required(c *console, r *run.Run, names []string, said bool) error {
	code := exitOK
	for _, x := range r.Contenders {
		if x.Status == run.StatusMeasured || x.Name != run.Baseline && !slices.Contains(names, x.Name) {
			continue
		}
		code = exitContender
		if said {
			fmt.Fprintf(c.stderr, "zmy lab: %s was to be measured and is not\n", x.Name)
		} else {
			fmt.Fprintln(c.stderr, "zmy lab:", lab.Sentence(x))
		}
	}
	return quiet(code)
}
