package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/tools/selftest"
)

const selftestHelp = `usage: maint selftest [flags]

Measures what is known, to show that the lab finds it: codecs that sleep, spin, allocate,
stall, lose, cheat and break; copies of one program, which it must not tell apart; figures
that go test -bench has too; a user's files after Ctrl-C and SIGKILL; the report in a
browser. One line a row: how it ended, what was expected, what was found.

  -quick       a reduced form for continuous integration: one or two minutes; what noise can
               break is then inconclusive and not failed
  -only a,b    only these rows: %s
  -seed N      seed of orders and values, 1 by default
  -zmy FILE    the zmy that is started and killed; by default the one in this program's folder,
               then the one in PATH. Without any those rows are skipped

Rows that noise can break are tried three times, with more rounds each time. On a machine
with more to do than processors they may stay inconclusive.

Exit codes: 0 nothing failed, 1 a row failed, 2 usage, 5 a row is inconclusive (never with
-quick), 130 stopped by Ctrl-C.
`

// runSelftest runs maint selftest.
func runSelftest(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var fail failure = func(code int, format string, args ...any) int {
		fmt.Fprintf(stderr, "maint selftest: "+format+"\n", args...)
		return code
	}
	o, code, ok := selftestOptions(args, stdout, fail)
	if !ok {
		return code
	}
	o.Doing = newProgress(stderr).Doing
	o.Done = func(r selftest.Row) { fmt.Fprintln(stdout, r.Line()) }
	rows, err := selftest.Run(ctx, o)
	if ctx.Err() != nil {
		return fail(exitStopped, "stopped")
	}
	var passed, decided bool
	if err == nil {
		passed, decided, err = selftest.Summary(stdout, rows)
	}
	switch {
	case err != nil:
		return fail(exitInternal, "%v", err)
	case !passed:
		return exitInternal
	case !decided && !o.Quick:
		return exitInconclusive
	}
	return exitOK
}

// failure prints an error of a command and returns the exit code.
type failure func(code int, format string, args ...any) int

// selftestOptions parses the flags. If ok is false, the command ends with the exit code.
func selftestOptions(args []string, stdout io.Writer, fail failure) (o selftest.Options, code int, ok bool) {
	flags := flag.NewFlagSet("selftest", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.Quick, "quick", false, "")
	only := flags.String("only", "", "")
	flags.Uint64Var(&o.Seed, "seed", 1, "")
	flags.StringVar(&o.Program, "zmy", "", "")
	o.Table = table.All()
	names := selftest.Families()
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, selftestHelp, strings.Join(names, ", "))
		return o, exitOK, false
	case err != nil:
		return o, fail(exitUsage, "%v; run maint selftest -h for the flags", err), false
	case flags.NArg() > 0:
		return o, fail(exitUsage, "it takes no arguments; it brings its own types"), false
	}
	for name := range strings.SplitSeq(*only, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains(names, name) {
			return o, fail(exitUsage, "-only %s: choose of %s", name, strings.Join(names, ", ")), false
		}
		o.Only = append(o.Only, name)
	}
	if o.Program == "" {
		o.Program = zmy()
	} else if _, err := os.Stat(o.Program); err != nil {
		return o, fail(exitUsage, "-zmy: %v", err), false
	}
	return o, exitOK, true
}

// zmy returns the path of the zmy in this program's folder, else of the zmy in PATH, or "" if there
// is neither.
func zmy() string {
	if self, err := os.Executable(); err == nil {
		path := filepath.Join(filepath.Dir(self), "zmy")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	path, _ := exec.LookPath("zmy")
	return path
}
