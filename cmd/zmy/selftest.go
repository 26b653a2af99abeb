package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/selftest"
)

const selftestHelp = `usage: zmy lab selftest [flags]

Measures what is known, to show that the lab finds it: codecs that sleep, spin, allocate,
stall, lose, cheat and break; copies of one program, which it must not tell apart; figures
that go test -bench has too; a user's files after Ctrl-C and SIGKILL; the report in a
browser. One line a row: how it ended, what was expected, what was found.

  -quick       a reduced form for continuous integration: one or two minutes; what noise can
               break is then inconclusive and not failed
  -only a,b    only these rows: %s
  -seed N      seed of orders and values, 1 by default

Rows that noise can break are tried three times, with more rounds each time. On a machine
with more to do than processors they may stay inconclusive.

Exit codes: 0 nothing failed, 1 a row failed, 2 usage, 5 a row is inconclusive (never with
-quick), 130 stopped by Ctrl-C.
`

// runSelftest is zmy lab selftest.
func runSelftest(ctx context.Context, c *console, args []string) int {
	flags := flag.NewFlagSet("lab selftest", flag.ContinueOnError)
	o := selftest.Options{Table: table.All()}
	only := ""
	flags.BoolVar(&o.Quick, "quick", false, "")
	flags.StringVar(&only, "only", "", "")
	flags.Uint64Var(&o.Seed, "seed", 1, "")
	names := selftest.Families()
	rest, code, ok := parse(c, flags, fmt.Sprintf(selftestHelp, strings.Join(names, ", ")), args)
	if !ok {
		return code
	}
	if len(rest) > 0 {
		fmt.Fprintln(c.stderr, "zmy lab selftest: it takes no arguments; it brings its own types")
		return exitUsage
	}
	for name := range strings.SplitSeq(only, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains(names, name) {
			fmt.Fprintf(c.stderr, "zmy lab selftest: -only %s: choose of %s%s\n", name, strings.Join(names, ", "), didYouMean(name, names))
			return exitUsage
		}
		o.Only = append(o.Only, name)
	}
	if program, err := os.Executable(); err == nil {
		o.Program = program
	}
	ui := newScreen(c.stderr)
	o.Doing = ui.Doing
	o.Done = func(r selftest.Row) {
		ui.clear()
		fmt.Fprintln(c.stdout, r.Line())
	}
	rows, err := selftest.Run(ctx, o)
	ui.end()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(c.stderr, "zmy lab selftest: stopped")
		return exitStopped
	case err != nil:
		fmt.Fprintln(c.stderr, "zmy lab selftest:", err)
		return exitInternal
	}
	passed, decided, err := selftest.Summary(c.stdout, rows)
	switch {
	case err != nil:
		fmt.Fprintln(c.stderr, "zmy lab selftest:", err)
		return exitInternal
	case !passed:
		return exitInternal
	case !decided && !o.Quick:
		return exitInconclusive
	}
	return exitOK
}
